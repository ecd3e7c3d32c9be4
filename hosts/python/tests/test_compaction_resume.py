"""A compaction whatever ends the session before, in the middle and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, call, reply, talking

from waybread import (
    Compacted,
    Compaction,
    ConflictError,
    Denied,
    MemoryStorage,
    MemoryTree,
    OutOfOrderError,
    Output,
    Session,
    SqliteStorage,
    StorageError,
    SummaryReply,
    SummaryRequest,
    TrappedError,
    UserMessage,
    WaybreadError,
)
from waybread._component import Instance

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Open

    from waybread import Storage

GIVEN = Compaction(PARAMETERS)
SUMMARY = SummaryReply(reply("All is well.").json)


def opened(storage: Storage, **limits: Any) -> Session:
    return Session.open("s", talking(), storage=storage, filesystem=MemoryTree(), **limits)


def talked(session: Session) -> None:
    """A turn with a call, a request before each reply, and one that was sent last."""
    session.add_message(UserMessage("begin"))
    session.build_request(PARAMETERS)
    (asked,) = session.add_message(reply(None, call("c1"))).calls
    session.insert_result(asked.call, Output("word " * 900))
    session.build_request(PARAMETERS)
    session.add_message(reply("done"))


def expected() -> str:
    """The body after a compaction that nothing disturbed."""
    with opened(MemoryStorage()) as session:
        talked(session)
        session.compact_begin(GIVEN)
        session.compact_finish(SUMMARY)
        return str(session.build_request(PARAMETERS).body)


def test_carried_on_from_a_file(tmp_path: Path) -> None:
    with SqliteStorage(tmp_path / "s.db") as storage:
        with opened(storage) as session:
            talked(session)
        # No body was handed out here: the request for a summary is a whole one.
        with opened(storage) as session:
            asked = session.compact_begin(GIVEN)
            assert isinstance(asked, SummaryRequest)
            assert (asked.keep, asked.tail) == (0, str(asked.body))
            session.compact_finish(SUMMARY)
            lineage = session.lineage()
        with opened(storage) as session:
            assert session.lineage() == lineage
            assert str(session.build_request(PARAMETERS).body) == expected()


def test_a_session_that_was_opened_again_has_begun_nothing(open_session: Open) -> None:
    session = open_session(settings=talking())
    talked(session)
    session.compact_begin(GIVEN)
    session.reopen()
    with pytest.raises(OutOfOrderError):
        session.compact_finish(SUMMARY)
    session.compact_begin(GIVEN)
    session.compact_finish(SUMMARY)
    assert str(session.build_request(PARAMETERS).body) == expected()


def test_a_trap_before_the_reply(storage: MemoryStorage) -> None:
    with opened(storage, memory_limit=8 * 2**20) as session:
        talked(session)
        session.compact_begin(GIVEN)
        with pytest.raises(TrappedError):
            session.compact_finish(SummaryReply(reply("x" * 9 * 2**20).json))
        with pytest.raises(OutOfOrderError):
            session.compact_finish(SUMMARY)
        session.compact_begin(GIVEN)
        assert isinstance(session.compact_finish(SUMMARY), Compacted)
        assert str(session.build_request(PARAMETERS).body) == expected()


def test_a_storage_that_failed_is_tried_again(
    storage: MemoryStorage, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(settings=talking())
    talked(session)
    session.compact_begin(GIVEN)

    def denied(*_: object) -> None:
        raise Denied

    with monkeypatch.context() as patch:
        patch.setattr(storage, "append", denied)
        with pytest.raises(StorageError):
            session.compact_finish(SUMMARY)
    assert isinstance(session.compact_finish(SUMMARY), Compacted)
    assert str(session.build_request(PARAMETERS).body) == expected()


def test_another_writer_was_faster(open_session: Open) -> None:
    session, other = (open_session(settings=talking()) for _ in range(2))
    talked(session)
    other.reopen()
    session.compact_begin(GIVEN)
    other.add_message(UserMessage("me too"))
    with pytest.raises(ConflictError):
        session.compact_finish(SUMMARY)
    session.reopen()
    assert len(session.lineage()) == 1
    assert session.conversation()[-1].text == "me too"


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"keep": 10**6}, r"does not follow the one before it: 1000000 bytes are to stand"),
        ({"tail": "]"}, r"the request has \d+ bytes, and should have \d+: it does not follow"),
    ],
)
def test_a_component_of_another_version(
    open_session: Open, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], problem: str
) -> None:
    session = open_session(settings=talking())
    talked(session)
    last = session.build_request(PARAMETERS)
    real = Instance.call

    def changed(self: Instance, name: str, *arguments: object) -> Any:
        case, answer = real(self, name, *arguments)
        if name.endswith("compact-begin"):
            start, request = answer
            return case, (start, {**request, **wrong})
        return case, answer

    with monkeypatch.context() as patch:
        patch.setattr(Instance, "call", changed)
        with pytest.raises(WaybreadError, match=problem):
            session.compact_begin(GIVEN)
    session.add_message(UserMessage("go on"))
    following = session.build_request(PARAMETERS)
    assert following.keep > len(last.body) * 0.9
    assert bytes(following.body).startswith(bytes(last.body)[: following.keep])
