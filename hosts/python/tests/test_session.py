"""The typed interface: what goes in, what comes out, and every error's class."""

from __future__ import annotations

import hashlib
import threading
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    CallAnsweredError,
    Changes,
    ClosedError,
    ConflictError,
    DamagedRecordError,
    Denied,
    Failure,
    FileChange,
    FileSystemError,
    Inserted,
    InvalidArgumentError,
    InvalidSettingError,
    Kind,
    LastRead,
    MemoryStorage,
    MemoryTree,
    NewerRecordError,
    Output,
    Read,
    Session,
    Settings,
    SettingsDifferError,
    StorageError,
    ToolCall,
    Treatment,
    UnknownIdError,
    WaybreadError,
    errors,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Open

    Call = Callable[[], ToolCall]


THREE_LINES = b"one\ntwo\nthree\n"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# Values that the types would not let through.
NUMBER: Any = 1
NOTHING: Any = None
TEXT: Any = "1"
BYTES: Any = b"x"


def test_a_read_and_its_stub(session: Session, call: Call) -> None:
    first = session.insert_result(call(), Read("a.ts"))
    assert first == Inserted(
        id="#0001",
        text=f"[#0001 a.ts lines 1-3 of 3 sha {sha(THREE_LINES)[:8]}]\n1: one\n2: two\n3: three",
        treatment=Treatment.FULL,
        refers_to=None,
        chars_in=len(first.text),
        chars_out=len(first.text),
    )
    second = session.insert_result(call(), Read("./a.ts", offset=2, limit=1))
    assert second.treatment is Treatment.UNCHANGED_READ
    assert second.refers_to == "#0001"
    assert second.chars_in != second.chars_out == len(second.text)
    forced = session.insert_result(call(), Read("a.ts", force=True))
    assert forced.treatment is Treatment.FULL


def test_the_library_hashes_what_is_read(session: Session, call: Call) -> None:
    session.insert_result(call(), Read("a.ts"))
    last = session.last_read(session.resolve_path("x/../a.ts"))
    assert last == LastRead(
        id="#0001",
        path="a.ts",
        first_line=1,
        last_line=3,
        total_lines=3,
        sha256=sha(THREE_LINES),
    )


def test_changes_of_text_and_bytes(session: Session, call: Call) -> None:
    new_line, new_bytes, new_text = b"1\n", b"\xfe\xff", b"\xc3\xa9\n"
    changed = session.insert_result(
        call(),
        Changes(
            [
                FileChange("a.ts", "one\n", new_line.decode()),
                FileChange("new", None, "x\n"),
                FileChange("old", "x", None),
                FileChange("b.bin", b"\xff", new_bytes),
                FileChange("utf8", b"one\n", new_text),
            ],
            note="by hand",
        ),
    )
    assert changed.text.split("\n") == [
        "[#0001]",
        f"[a.ts sha {sha(new_line)[:8]}]",
        "@@ -1 +1 @@",
        "-one",
        "+1",
        "[new sha 73cb3858] Created, 1 lines.",
        "[old deleted]",
        f"[b.bin sha {sha(new_bytes)[:8]}] Binary file, 2 bytes.",
        f"[utf8 sha {sha(new_text)[:8]}]",
        "@@ -1 +1 @@",
        "-one",
        "+é",
        "by hand",
    ]


def test_failure_recall_and_stored_text(session: Session, call: Call) -> None:
    failed = session.insert_result(call(), Failure("no\nway"))
    assert (failed.text, failed.treatment) == ("[#0001]\nno\nway", Treatment.FAILED)
    recalled = session.recall(call(), "1", offset=2, limit=5)
    assert recalled.text == "[#0002 recall #0001 lines 2-2 of 2]\nway"
    assert session.stored_text("#0001") == "no\nway"
    assert session.last_read("a.ts") is None


def test_arguments_as_a_mapping_are_json(session: Session) -> None:
    arguments = {"b": [1, None, "é"], "a": {"x": 1.5}}
    session.insert_result(ToolCall("c1", "grep", arguments), Output("hit"))
    spelled = '{"a": {"x": 1.5}, "b": [1, null, "\\u00e9"]}'
    same = session.insert_result(ToolCall("c2", "grep", spelled), Output("hit"))
    assert same.treatment is Treatment.SAME_RESULT
    assert same.refers_to == "#0001"


def test_overrides_as_a_mapping_or_as_json(open_session: Open, call: Call) -> None:
    mapping = {"context": {"ids": {"digits": 6}}}
    session = open_session(settings=Settings(root="/work/app", overrides=mapping))
    assert session.insert_result(call(), Output("x")).id == "#000001"
    text = Settings(root="/work/app", overrides='{"context":{"ids":{"digits":6}}}')
    assert open_session(settings=text).insert_result(call(), Output("x")).id == "#000002"


def test_a_chat_gets_every_answer_in_full(open_session: Open, call: Call) -> None:
    session = open_session(settings=Settings(root="/work/app", kind=Kind.CHAT))
    session.insert_result(call(), Read("a.ts"))
    assert session.insert_result(call(), Read("a.ts")).treatment is Treatment.FULL


def test_home_and_root_resolve_paths(open_session: Open) -> None:
    session = open_session(settings=Settings(root="/work/app", home="/home/ada"))
    assert session.resolve_path("~/x/../y") == "/home/ada/y"
    assert session.resolve_path("../x") == "/work/x"
    pure = Settings(root=PurePosixPath("/work/app"), home=PurePosixPath("/home/eve"))
    assert open_session(settings=pure).resolve_path("~/x") == "/home/eve/x"


def test_a_session_is_carried_on(open_session: Open, call: Call) -> None:
    with open_session() as session:
        session.insert_result(call(), Read("a.ts"))
    again = open_session()
    assert again.insert_result(call(), Read("a.ts")).refers_to == "#0001"


@pytest.mark.parametrize(
    ("act", "error", "fields"),
    [
        (
            lambda s: s.insert_result(ToolCall("", "t"), Output("")),
            InvalidArgumentError,
            {"argument": "call.id"},
        ),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Changes([])),
            InvalidArgumentError,
            {"argument": "changes.files"},
        ),
        (
            lambda s: s.insert_result(ToolCall("first", "t"), Output("")),
            CallAnsweredError,
            {"call": "first", "id": "#0001"},
        ),
        (lambda s: s.stored_text("#0009"), UnknownIdError, {"id": "#0009"}),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Read("broken")),
            FileSystemError,
            {"path": "/work/app/broken", "problem": "disk on fire"},
        ),
        (lambda s: s.resolve_path(""), InvalidArgumentError, {"argument": "path"}),
    ],
)
def test_errors_have_their_fields_and_the_component_s_sentence(
    session: Session,
    tree: MemoryTree,
    act: Callable[[Session], object],
    error: type[WaybreadError],
    fields: dict[str, Any],
) -> None:
    tree.break_("/work/app/broken", "disk on fire")
    session.insert_result(ToolCall("first", "t"), Output(""))
    with pytest.raises(error) as caught:
        act(session)
    assert vars(caught.value).items() >= fields.items()
    assert all(str(value) in str(caught.value) for value in fields.values())
    assert session.insert_result(ToolCall("next", "t"), Output("")).id == "#0002"


@pytest.mark.parametrize(
    ("settings", "error", "field"),
    [
        (Settings(root="relative"), InvalidArgumentError, "settings.root"),
        (Settings(root="/a", overrides={"context": {"no": 1}}), InvalidSettingError, "context.no"),
        (Settings(root="/a", overrides="[]"), InvalidArgumentError, "settings.overrides"),
        (
            Settings(root="/a", overrides={"context": {1, 2}}),
            InvalidArgumentError,
            "settings.overrides",
        ),
    ],
)
def test_settings_that_no_session_accepts(
    open_session: Open, settings: Settings, error: type[WaybreadError], field: str
) -> None:
    with pytest.raises(error) as caught:
        open_session(settings=settings)
    assert field in vars(caught.value).values()


@pytest.mark.parametrize(
    ("change", "error", "name"),
    [
        ({"settings": NOTHING}, TypeError, "`settings` must be a Settings"),
        ({"settings": Settings("/a", kind=NUMBER)}, TypeError, r"`settings\.kind`"),
        ({"settings": Settings("/a", kind=TEXT)}, InvalidArgumentError, "must be agent or chat"),
        ({"memory_limit": TEXT}, TypeError, "`memory_limit`"),
        ({"memory_limit": 0}, InvalidArgumentError, "must be at least 1"),
    ],
)
def test_an_argument_of_open_is_named(
    storage: MemoryStorage, change: dict[str, Any], error: type[Exception], name: str
) -> None:
    arguments: dict[str, Any] = {"settings": Settings("/a"), **change}
    settings = arguments.pop("settings")
    with pytest.raises(error, match=name):
        Session.open("k", settings, storage=storage, filesystem=MemoryTree(), **arguments)
    assert storage.read_log("k", 0) == []


def test_an_empty_key_is_refused(open_session: Open) -> None:
    with pytest.raises(InvalidArgumentError, match="key"):
        open_session(key="")


def test_another_kind_is_refused(open_session: Open) -> None:
    open_session().insert_result(ToolCall("c", "t"), Output(""))
    with pytest.raises(SettingsDifferError) as caught:
        open_session(settings=Settings(root="/work/app", kind=Kind.CHAT))
    error = caught.value
    assert (error.name, error.kept, error.given) == ("kind", "agent", "chat")


def test_logs_that_cannot_be_used(open_session: Open, storage: MemoryStorage) -> None:
    storage.append("damaged", 0, ["not a record"], [])
    with pytest.raises(DamagedRecordError) as damaged:
        open_session(key="damaged")
    assert damaged.value.position == 0
    assert damaged.value.problem
    open_session().insert_result(ToolCall("c", "t"), Output(""))
    newer = [record.replace('"v":2', '"v":999') for record in storage.read_log("s", 0)]
    storage.append("newer", 0, newer, [])
    with pytest.raises(NewerRecordError):
        open_session(key="newer")


def test_of_two_writers_one_conflicts_and_carries_on(open_session: Open, call: Call) -> None:
    one, two = open_session(), open_session()
    one.insert_result(call(), Output("one"))
    with pytest.raises(ConflictError) as caught:
        two.insert_result(call(), Output("two"))
    assert caught.value.length > 0
    two.reopen()
    assert two.insert_result(call(), Output("two")).id == "#0002"
    assert two.stored_text("#0001") == "one"


def test_a_storage_error_names_the_operation(
    session: Session, storage: MemoryStorage, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise Denied

    with monkeypatch.context() as patch:
        patch.setattr(storage, "append", denied)
        with pytest.raises(StorageError) as caught:
            session.insert_result(call(), Output("x"))
    assert caught.value.operation == "append"
    assert isinstance(caught.value.fault, Denied)
    assert isinstance(caught.value.__cause__, Denied)
    assert session.insert_result(call(), Output("x")).id == "#0001"


def test_every_cause_of_the_contract_has_a_class() -> None:
    classes = {
        error.cause
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, WaybreadError) and error.cause
    }
    assert classes == {
        "invalid-argument",
        "invalid-setting",
        "settings-differ",
        "call-answered",
        "unknown-call",
        "unknown-message",
        "unknown-request",
        "unknown-generation",
        "out-of-order",
        "unknown-id",
        "newer-record",
        "damaged-record",
        "conflict",
        "storage",
        "filesystem",
        "trapped",
    }


@pytest.mark.parametrize("value", [-1, 2**32, 2**40])
def test_numbers_that_do_not_fit_are_refused_by_name(session: Session, value: int) -> None:
    with pytest.raises(InvalidArgumentError, match=rf"`read.offset` is {value}; it must be from 0"):
        session.insert_result(ToolCall("c", "t"), Read("a.ts", offset=value))
    with pytest.raises(InvalidArgumentError, match="`limit`"):
        session.recall(ToolCall("c", "t"), "1", limit=value)


@pytest.mark.parametrize(
    ("act", "name"),
    [
        (lambda s: s.insert_result(ToolCall(NUMBER, "t"), Output("")), "call.id"),
        (lambda s: s.insert_result(ToolCall("c", "t"), Output(BYTES)), "output"),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Read("a", offset=TEXT)),
            "read.offset",
        ),
        (lambda s: s.insert_result(ToolCall("c", "t"), Read("a", offset=True)), "read.offset"),
        (lambda s: s.insert_result(ToolCall("c", "t"), "text"), "outcome"),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Changes([FileChange(NOTHING, "", "")])),
            r"changes\.files\[0\]\.path",
        ),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Changes([FileChange("a", NUMBER, "")])),
            r"changes\.files\[0\]\.before",
        ),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Changes([FileChange("a", "", NUMBER)])),
            r"changes\.files\[0\]\.after",
        ),
        (lambda s: s.insert_result(NOTHING, Output("")), "`call` must be a ToolCall"),
        (lambda s: s.insert_result(ToolCall("c", "t"), Read("a", force=TEXT)), r"read\.force"),
        (lambda s: s.insert_result(ToolCall("c", "t"), Changes(NUMBER)), r"changes\.files"),
        (lambda s: s.insert_result(ToolCall("c", "t"), Changes(TEXT)), r"changes\.files"),
        (
            lambda s: s.insert_result(ToolCall("c", "t"), Changes([NOTHING])),
            r"`changes\.files\[0\]` must be a FileChange",
        ),
        (lambda s: s.recall(ToolCall("c", "t"), 1), "id"),
        (lambda s: s.last_read(None), "path"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(
    session: Session, act: Callable[[Session], object], name: str
) -> None:
    with pytest.raises(TypeError, match=name):
        act(session)
    assert session.insert_result(ToolCall("c", "t"), Output("")).id == "#0001"


@pytest.mark.parametrize("arguments", [{"x": object()}, {"x": float("nan")}, {"x": {1, 2}}])
def test_arguments_that_are_no_json_are_named(session: Session, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError, match=r"`call\.arguments` cannot be written as JSON"):
        session.insert_result(ToolCall("c", "t", arguments), Output(""))


def test_a_closed_session_says_so(session: Session, call: Call) -> None:
    session.close()
    session.close()
    with pytest.raises(ClosedError, match="`s` is closed"):
        session.insert_result(call(), Output(""))
    with pytest.raises(ClosedError):
        session.reopen()


def test_sessions_run_side_by_side_in_threads(open_session: Open) -> None:
    wrong: list[str] = []

    def work(name: str) -> None:
        session = open_session(
            key=name, storage=MemoryStorage(), filesystem=MemoryTree({"/work/app/f": name})
        )
        for number in range(1, 40):
            shown = session.insert_result(ToolCall(f"c{number}", "read"), Read("f", force=True))
            if shown.id != f"#{number:04x}" or not shown.text.endswith(f"1: {name}"):
                wrong.append(shown.text)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_wait_for_each_other(session: Session) -> None:
    ids: list[str] = []

    def insert(name: str) -> None:
        for number in range(25):
            call = ToolCall(f"{name}-{number}", "bash")
            ids.append(session.insert_result(call, Output(name)).id)

    threads = [threading.Thread(target=insert, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids) == [f"#{number:04x}" for number in range(1, 101)]
