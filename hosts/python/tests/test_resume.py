"""A conversation is carried on whatever ended the session before: nothing that was sent is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, call, reply, talking, turn

from waybread import (
    ConflictError,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    Output,
    Request,
    Session,
    SqliteStorage,
    ToolCall,
    TrappedError,
    UserMessage,
    WaybreadError,
    _handle,
)
from waybread._component import Instance

if TYPE_CHECKING:
    from conftest import Open

    from waybread import Storage

LIMIT = 6 * 2**20
TOO_MUCH = "x" * (7 * 2**20)


def opened(storage: Storage) -> Session:
    return Session.open("s", talking(), storage=storage, filesystem=MemoryTree())


def step(session: Session, number: int) -> Request:
    """A step of a turn: a reply with one call, its result, and the next request."""
    answer = session.add_message(reply(None, call(f"c{number}"), reasoning_content=f"{number}"))
    session.insert_result(answer.calls[0].call, Output(f"text of {number} " * 50))
    return session.build_request(PARAMETERS)


def body_of(steps: int) -> str:
    """The body after so many steps of a session that nothing ended."""
    with opened(MemoryStorage()) as session:
        session.add_message(UserMessage("begin"))
        for number in range(1, steps + 1):
            step(session, number)
        return str(session.build_request(PARAMETERS).body)


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with SqliteStorage(path) as storage, opened(storage) as session:
        session.add_message(UserMessage("begin"))
        before = step(session, 1)
    with SqliteStorage(path) as storage, opened(storage) as session:
        after = step(session, 2)
        assert (after.number, after.keep, after.difference) == (before.number + 1, 0, None)
        assert 0 < after.shared < before.length
        assert str(after.body) == body_of(2)
        assert step(session, 3).keep > 0


# Takes steps for ever and says the hash of each request once it has it.
WRITER = """
import sys
from test_resume import opened, step
from waybread import SqliteStorage, UserMessage

session = opened(SqliteStorage(sys.argv[1]))
session.add_message(UserMessage("begin"))
number = 0
while True:
    number += 1
    print(step(session, number).sha256, flush=True)
"""


@pytest.mark.parametrize("killed_after", [1, 7, 20])
def test_a_killed_writer(tmp_path: Path, killed_after: int) -> None:
    path = tmp_path / "sessions.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    here = Path(__file__).parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline().strip() for _ in range(killed_after)]
        writer.kill()
        said += writer.stdout.read().split()
    with SqliteStorage(path) as storage, opened(storage) as session:
        requests = session.cache_report()
        assert len(said) <= len(requests) <= len(said) + 1
        carried = session.build_request(PARAMETERS)
        messages = carried.body.json()["messages"]
        calls = [made["id"] for message in messages for made in message.get("tool_calls", ())]
        results = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
        assert calls == results == [f"c{number}" for number in range(1, len(calls) + 1)]
        assert len(requests) <= len(calls) + 1
        if not carried.closed:
            assert str(carried.body) == body_of(len(calls))
        assert step(session, len(calls) + 1).difference is None


def test_of_two_writers_one_conflicts_and_carries_on(open_session: Open) -> None:
    one, two = open_session(settings=talking()), open_session(settings=talking())
    one.add_message(UserMessage("begin"))
    with pytest.raises(ConflictError):
        two.add_message(UserMessage("I too"))
    two.reopen()
    assert [message.text for message in two.conversation()] == ["begin"]
    assert str(step(two, 1).body) == body_of(1)
    with pytest.raises(ConflictError):
        one.build_request(PARAMETERS)
    one.reopen()
    assert str(one.build_request(PARAMETERS).body) == body_of(1)


def test_a_fork_needs_a_key_of_its_own(open_session: Open) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("begin"))
    session.fork("taken")
    with pytest.raises(InvalidArgumentError, match="taken"):
        session.fork("taken")
    assert str(session.build_request(PARAMETERS).body) == body_of(0)


def test_a_trap_loses_no_message(open_session: Open) -> None:
    session = open_session(settings=talking(), memory_limit=LIMIT)
    session.add_message(UserMessage("begin"))
    before = step(session, 1)
    for message in UserMessage(TOO_MUCH), reply(TOO_MUCH):
        with pytest.raises(TrappedError):
            session.add_message(message)
        again = session.build_request(PARAMETERS)
        assert (again.keep, again.shared, again.difference) == (0, before.length, None)
        assert again.body == before.body
    assert str(step(session, 2).body) == body_of(2)


def test_a_result_that_traps_leaves_its_call_open(open_session: Open) -> None:
    session = open_session(settings=talking(), memory_limit=LIMIT)
    (asked,) = turn(session, call("c1")).calls
    with pytest.raises(TrappedError):
        session.insert_result(asked.call, Output(TOO_MUCH))
    assert session.insert_result(asked.call, Output("less")).id == "#0001"


def test_a_body_that_may_have_fallen_behind_is_built_again(
    open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("begin"))
    step(session, 1)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_handle, "_following", interrupted)
        with pytest.raises(KeyboardInterrupt):
            step(session, 2)
    request = session.build_request(PARAMETERS)
    assert (request.keep, str(request.body)) == (0, body_of(2))


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
    session.add_message(UserMessage("begin"))
    real = Instance.call

    def changed(self: Instance, name: str, *arguments: object) -> Any:
        case, answer = real(self, name, *arguments)
        return (case, {**answer, **wrong}) if name.endswith("build-request") else (case, answer)

    with monkeypatch.context() as patch:
        patch.setattr(Instance, "call", changed)
        with pytest.raises(WaybreadError, match=problem):
            session.build_request(PARAMETERS)
    assert str(session.build_request(PARAMETERS).body) == body_of(0)


def test_a_request_that_was_refused_leaves_the_body(open_session: Open) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("begin"))
    step(session, 1)
    with pytest.raises(WaybreadError):
        session.build_request("[]")
    request = step(session, 2)
    assert request.keep > 0
    assert str(request.body) == body_of(2)


def test_a_reply_is_kept_as_it_was_given(tmp_path: Path) -> None:
    given = '{"role": "assistant",\n "content": "\\u00e9 \\u0000", "x": 1.0}'
    with SqliteStorage(tmp_path / "s.db") as storage:
        with opened(storage) as session:
            session.add_message(UserMessage("NUL \0"))
            session.add_message(reply("").__class__(given))
        with opened(storage) as session:
            person, model = session.conversation()
            assert (person.text, model.given) == ("NUL \0", given)
            assert model.text == "é \0"
            assert "\\u0000" not in str(session.build_request(PARAMETERS).body)
    assert ToolCall("c", "t").arguments == json.dumps({})
