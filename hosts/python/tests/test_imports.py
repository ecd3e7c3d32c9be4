"""What a user's own storage and filesystem can do wrong, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Conflict,
    ConflictError,
    FileSystemError,
    Full,
    MemoryStorage,
    MemoryTree,
    NotAFileError,
    OtherFault,
    Output,
    Read,
    ReentryError,
    Session,
    Settings,
    StorageError,
    ToolCall,
    Treatment,
    Uncertain,
    UnreadableFileError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conftest import Open

    from waybread import StoredText

    Call = Callable[[], ToolCall]


class FaultyStorage(MemoryStorage):
    """Memory that does what it is told in place of, or after, an append or a read."""

    def __init__(self) -> None:
        super().__init__()
        self.before_append: Callable[[], object] = lambda: None
        self.after_append: Callable[[], object] = lambda: None
        self.before_read: Callable[[], object] = lambda: None

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append, with the faults before and after."""
        self.before_append()
        super().append(session, expected_length, records, texts)
        self.after_append()

    def read_text(self, session: str, id: str) -> str:
        """Read, with the fault before; its answer, if it has one, takes the text's place."""
        answer: Any = self.before_read()
        return super().read_text(session, id) if answer is None else answer


class FaultyFiles:
    """A filesystem of which both methods do the same."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act

    def identify(self, path: str) -> str:
        """Do it, and answer the path."""
        self._act()
        return path

    def read(self, path: str) -> tuple[str, bytes]:
        """Do it, and answer what comes of it."""
        answer = self._act()
        return (path, b"") if answer is None else answer


def raising(error: BaseException) -> Callable[..., Any]:
    def act(*_: object) -> None:
        raise error

    return act


class Wordless(Exception):  # noqa: N818 - a name that says so would be words
    """Fails once more when it is asked what went wrong."""

    def __str__(self) -> str:
        raise ValueError("no words")


NO_NUMBER: Any = "seven"
NO_WORDS: Any = 5


@pytest.fixture
def faulty() -> FaultyStorage:
    return FaultyStorage()


def test_an_exception_of_the_storage_is_the_cause_and_the_session_goes_on(
    open_session: Open, faulty: FaultyStorage, call: Call
) -> None:
    session = open_session(storage=faulty)
    session.insert_result(call(), Output("one"))
    failure = RuntimeError("the server is away")
    faulty.before_append = raising(failure)
    with pytest.raises(StorageError, match="RuntimeError: the server is away") as caught:
        session.insert_result(call(), Output("two"))
    assert caught.value.operation == "append"
    assert isinstance(caught.value.fault, Uncertain)
    assert caught.value.__cause__ is failure
    faulty.before_append = lambda: None
    assert session.insert_result(call(), Output("two")).id == "#0002"


def test_an_append_that_failed_after_it_was_written_is_found(
    open_session: Open, faulty: FaultyStorage
) -> None:
    session = open_session(storage=faulty)
    faulty.after_append = raising(ConnectionError("cut off before the answer"))
    call = ToolCall("c", "bash")
    with pytest.raises(StorageError):
        session.insert_result(call, Output("written"))
    faulty.after_append = lambda: None
    assert session.stored_text("#0001") == "written"
    assert session.insert_result(ToolCall("next", "bash"), Output("x")).id == "#0002"


@pytest.mark.parametrize(("fault", "error"), [(Full(), StorageError), (Conflict(7), ConflictError)])
def test_faults_of_the_contract(
    open_session: Open, faulty: FaultyStorage, call: Call, fault: Exception, error: type[Exception]
) -> None:
    session = open_session(storage=faulty)
    faulty.before_append = raising(fault)
    with pytest.raises(error) as caught:
        session.insert_result(call(), Output("x"))
    assert caught.value.__cause__ is fault


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Conflict(-1), "Conflict: the log holds -1 records"),
        (Conflict(2**32), "Conflict: the log holds 4294967296 records"),
        (Conflict(NO_NUMBER), "Conflict: the log holds seven records"),
        (OtherFault(NO_WORDS), "OtherFault: 5"),
        (Wordless(), "Wordless"),
    ],
)
def test_a_fault_that_the_contract_cannot_hold(
    open_session: Open, faulty: FaultyStorage, call: Call, fault: Exception, words: str
) -> None:
    session = open_session(storage=faulty)
    faulty.before_append = raising(fault)
    with pytest.raises(StorageError) as caught:
        session.insert_result(call(), Output("x"))
    assert isinstance(caught.value.fault, (OtherFault, Uncertain))
    assert caught.value.fault.words == words
    assert caught.value.__cause__ is fault
    faulty.before_append = lambda: None
    assert session.insert_result(call(), Output("x")).id == "#0001"


def test_a_log_that_is_one_text(open_session: Open, faulty: FaultyStorage) -> None:
    faulty.read_log = lambda *_: "[]"  # type: ignore[method-assign, assignment]
    with pytest.raises(StorageError, match="a log must be a sequence of str, not one str"):
        open_session(storage=faulty)


def test_a_storage_that_fails_in_open(open_session: Open, faulty: FaultyStorage) -> None:
    faulty.read_log = raising(ValueError("no"))  # type: ignore[method-assign]
    with pytest.raises(StorageError, match="ValueError"):
        open_session(storage=faulty)


@pytest.mark.parametrize("answer", [b"bytes", 7, ["x"]])
def test_a_text_that_is_none(
    open_session: Open, faulty: FaultyStorage, call: Call, answer: object
) -> None:
    session = open_session(storage=faulty)
    session.insert_result(call(), Output("one"))
    faulty.before_read = lambda: answer
    with pytest.raises(StorageError, match="expected a str, not") as caught:
        session.stored_text("#0001")
    assert caught.value.operation == "read-text"
    faulty.before_read = lambda: None
    assert session.stored_text("#0001") == "one"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(2, "gone"), "No such file: /work/app/x"),
        (NotADirectoryError(20, "no"), "No such file: /work/app/x"),
        (PermissionError(13, "no"), "Not allowed to read /work/app/x"),
        (IsADirectoryError(21, "is"), "/work/app/x is a directory, not a file."),
        (NotAFileError(), "/work/app/x is neither a file nor a directory."),
        (UnreadableFileError("it is 9 TB large"), "/work/app/x cannot be read: it is 9 TB large."),
    ],
)
def test_a_file_error_that_the_model_is_told(
    open_session: Open, call: Call, error: OSError, sentence: str
) -> None:
    session = open_session(filesystem=FaultyFiles(raising(error)))
    told = session.insert_result(call(), Read("x"))
    assert told.text == f"[#0001] {sentence}"
    assert told.treatment is Treatment.FAILED


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError("words alone"), "words alone"),
        (OSError(), "OSError"),
        (OSError(28, 5), "5"),
        (Wordless(), "Wordless"),
        (KeyError("x"), "KeyError: 'x'"),
        (RuntimeError(), "RuntimeError"),
        (RuntimeError("half a pair: \ud800"), "RuntimeError: half a pair: \ufffd"),
    ],
)
def test_a_file_error_that_no_model_can_act_on(
    open_session: Open, call: Call, error: Exception, problem: str
) -> None:
    session = open_session(filesystem=FaultyFiles(raising(error)))
    with pytest.raises(FileSystemError) as caught:
        session.insert_result(call(), Read("x"))
    assert (caught.value.path, caught.value.problem) == ("/work/app/x", problem)
    assert caught.value.__cause__ is error
    with pytest.raises(FileSystemError):
        session.last_read("x")
    assert session.insert_result(call(), Output("x")).id == "#0001"


@pytest.mark.parametrize("answer", ["text", ("/x", "text"), ("/x", None), (b"/x", b""), 7])
def test_an_answer_that_is_no_file(open_session: Open, call: Call, answer: object) -> None:
    session = open_session(filesystem=FaultyFiles(lambda: answer))
    with pytest.raises(FileSystemError, match="Error"):
        session.insert_result(call(), Read("x"))
    assert session.insert_result(call(), Output("x")).id == "#0001"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), SystemExit(3)])
def test_an_interruption_goes_through_and_the_session_goes_on(
    open_session: Open, faulty: FaultyStorage, call: Call, interruption: BaseException
) -> None:
    session = open_session(storage=faulty)
    session.insert_result(call(), Output("one"))
    faulty.after_append = raising(interruption)
    with pytest.raises(type(interruption)) as caught:
        session.insert_result(call(), Output("two"))
    assert caught.value is interruption
    faulty.after_append = lambda: None
    assert session.insert_result(call(), Output("three")).id == "#0003"
    assert session.stored_text("#0002") == "two"


def test_a_session_used_by_its_own_storage(open_session: Open, faulty: FaultyStorage) -> None:
    session = open_session(storage=faulty)
    faulty.before_append = lambda: session.stored_text("#0001")
    with pytest.raises(StorageError, match="ReentryError") as caught:
        session.insert_result(ToolCall("c", "bash"), Output("x"))
    assert isinstance(caught.value.__cause__, ReentryError)
    faulty.before_append = session.close
    with pytest.raises(StorageError, match="ReentryError"):
        session.insert_result(ToolCall("c", "bash"), Output("x"))
    faulty.before_append = lambda: None
    assert session.insert_result(ToolCall("c", "bash"), Output("x")).id == "#0001"


def test_a_filesystem_may_use_another_session(open_session: Open, call: Call) -> None:
    other = open_session(key="other", filesystem=MemoryTree({"/work/app/x": "inner"}))

    class Nested:
        """Files that are read through a session of their own."""

        def identify(self, path: str) -> str:
            """Answer the path."""
            return path

        def read(self, path: str) -> tuple[str, bytes]:
            """Read it through the other session."""
            return path, other.insert_result(call(), Read(path)).text.encode()

    outer = open_session(filesystem=Nested())
    assert "inner" in outer.insert_result(call(), Read("x")).text
    assert outer.insert_result(call(), Output("x")).id == "#0002"


def test_a_session_that_is_no_longer_used_is_freed(storage: MemoryStorage) -> None:
    import gc  # noqa: PLC0415
    import weakref  # noqa: PLC0415

    tree = MemoryTree()
    session = Session.open("s", Settings(root="/a"), storage=storage, filesystem=tree)
    freed = weakref.ref(session), weakref.ref(tree)
    del session, tree
    gc.collect()
    assert [reference() for reference in freed] == [None, None]
