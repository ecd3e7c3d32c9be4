"""Snapshots, their diagnosis, and what fills the window."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turns import PARAMETERS, built, call, reply, spoken, talking, turn

from waybread import (
    BigResult,
    ContextKind,
    Diagnosis,
    Dialect,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    MessageHash,
    OutOfOrderError,
    Output,
    Session,
    Snapshot,
    Tool,
    ToolCall,
    UserMessage,
    diagnose,
)

if TYPE_CHECKING:
    from conftest import Open

    from waybread import ContextReport

NUMBER: Any = 1


def test_a_snapshot_is_of_the_newest_request(talk: Session) -> None:
    talk.add_message(UserMessage("hi"))
    with pytest.raises(OutOfOrderError):
        talk.snapshot()
    built(talk, {"model": "m", "max_tokens": 100})
    first = talk.snapshot()
    assert (first.request, first.tools_bytes, first.max_tokens) == (1, 0, 100)
    assert [(one.message, one.role) for one in first.messages] == [(None, "system"), (1, "user")]
    assert all(len(one.hash) == 8 for one in first.messages)
    talk.add_message(reply("hello"))
    assert talk.snapshot() == first
    talk.rewind(1)
    with pytest.raises(OutOfOrderError):
        talk.snapshot()


def test_a_snapshot_cannot_be_changed(talk: Session) -> None:
    talk.add_message(UserMessage("hi"))
    built(talk)
    snapshot: Any = talk.snapshot()
    with pytest.raises(FrozenInstanceError):
        snapshot.request = 2
    with pytest.raises(FrozenInstanceError):
        snapshot.messages[0].hash = ""


def test_a_diagnosis(talk: Session) -> None:
    talk.add_message(UserMessage("one"))
    built(talk)
    first = talk.snapshot()
    talk.add_message(reply("1"))
    talk.add_message(UserMessage("two"))
    built(talk)
    second = talk.snapshot()
    stands = diagnose(first, second)
    assert stands == Diagnosis(
        predecessor_known=True, shared=2, earlier=2, differs_at=None, prefix=stands.prefix
    )
    talk.rewind(1, 3)
    talk.add_message(UserMessage("three"))
    built(talk)
    parted = diagnose(second, talk.snapshot())
    assert (parted.shared, parted.earlier, parted.differs_at) == (1, 4, 4)
    assert diagnose(None, second) == Diagnosis(
        predecessor_known=False, shared=0, earlier=0, differs_at=None, prefix=""
    )


def test_snapshots_of_a_programs_own() -> None:
    made = Snapshot(1, (MessageHash(None, "system", "\ud800"),), 0, 0, 0, None)
    assert diagnose(made, made).shared == 1
    with pytest.raises(TypeError, match="`later` must be a Snapshot, not int"):
        diagnose(None, NUMBER)
    with pytest.raises(TypeError, match=r"`earlier\.messages\[0\]` must be a MessageHash, not int"):
        diagnose(replace(made, messages=(NUMBER,)), made)
    with pytest.raises(InvalidArgumentError) as raised:
        diagnose(made, replace(made, prompt_bytes=-1))
    assert raised.value.argument == "later.prompt-bytes"


def adds_up(report: ContextReport) -> None:
    assert sum(part.bytes for part in report.parts) == report.bytes


def test_what_fills_the_window(open_session: Open) -> None:
    session = open_session(settings=talking(tools=[Tool("bash")]))
    turn(session, call("c1"), call("c2"))
    session.insert_result(ToolCall("c1", "bash"), Output("ä\n" * 50))
    session.insert_result(ToolCall("c2", "bash"), Output("x" * 500))
    report = session.context_report(PARAMETERS)
    assert report.bytes == built(session).length
    adds_up(report)
    parts = {(part.kind, part.name): part for part in report.parts}
    assert list(parts) == [
        (ContextKind.SYSTEM, "environment"),
        (ContextKind.TOOLS, "bash"),
        (ContextKind.PERSON, ""),
        (ContextKind.CALLS, "bash"),
        (ContextKind.RESULTS, "bash"),
        (ContextKind.FRAMING, ""),
    ]
    assert parts[ContextKind.CALLS, "bash"].count == 2
    assert parts[ContextKind.PERSON, ""].bytes == len("go on")
    assert [one.id for one in report.biggest] == ["#0002", "#0001"]
    assert report.biggest[0] == BigResult("#0002", "bash", 509, report.biggest[0].tokens)
    assert report.pressure == session.pressure(PARAMETERS)


def test_what_is_no_report(talk: Session) -> None:
    with pytest.raises(OutOfOrderError):
        talk.context_report()
    talk.add_message(UserMessage("hi"))
    with pytest.raises(InvalidArgumentError):
        talk.context_report({"messages": []})
    with pytest.raises(TypeError):
        talk.context_report(NUMBER)


@settings(max_examples=25)
@given(
    st.sampled_from(list(Dialect)),
    st.lists(st.tuples(st.text(min_size=1), st.text(), st.text()), min_size=1, max_size=4),
)
def test_the_parts_are_the_whole_request(
    dialect: Dialect, turns: list[tuple[str, str, str]]
) -> None:
    with Session.open(
        "s",
        talking(dialect=dialect, tools=[Tool("bash")], prompt="You write code."),
        storage=MemoryStorage(),
        filesystem=MemoryTree(),
    ) as session:
        for number, (asked, thought, output) in enumerate(turns):
            session.enable_skill("s", f"skill {number}")
            session.add_message(UserMessage(f"{asked}?"))
            session.add_message(spoken(dialect, "so", thought, [f"c{number}"]))
            session.insert_result(ToolCall(f"c{number}", "bash"), Output(output))
            report = session.context_report(PARAMETERS)
            adds_up(report)
            assert report.bytes == built(session).length
