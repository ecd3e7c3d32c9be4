"""Requests out: what the typed interface takes and gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from turns import PARAMETERS, ROOT, SYSTEM, built, call, messages, reply, talking, turn

from waybread import (
    Added,
    Dialect,
    Difference,
    DifferenceCause,
    Failure,
    OutOfOrderError,
    Output,
    Reply,
    ReplyCall,
    RequestPart,
    RequestReport,
    Session,
    SettingsDifferError,
    ToolCall,
    Usage,
    UserMessage,
)

if TYPE_CHECKING:
    from conftest import Open


def test_a_turn(talk: Session) -> None:
    assert talk.add_message(UserMessage("what is here?")) == Added(1, None, (), (), ())
    first = built(talk, {"model": "m", "temperature": 0.5, "stream": True})
    assert str(first.body) == (
        '{"model":"m","messages":[{"role":"system","content":"' + SYSTEM + '"},'
        '{"role":"user","content":"what is here?"}],"temperature":0.5,"stream":true}'
    )
    assert (first.number, first.keep, first.shared, first.difference) == (1, 0, 0, None)
    asked = talk.add_message(reply(None, call("c1", "ls", '{"all": 1}'), reasoning_content="hm"))
    made = ToolCall("c1", "ls", '{"all": 1}')
    assert asked == Added(2, None, (), (ReplyCall(made, None),), ())
    talk.insert_result(made, Output("a.ts\0"))
    second = built(talk, {"model": "m", "temperature": 0.5, "stream": True})
    assert messages(second)[1:] == [
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [call("c1", "ls", '{"all": 1}')],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "[#0001]\na.ts␀"},
    ]
    assert (second.number, second.difference, second.closed) == (2, None, ())
    assert 0 < second.keep <= second.shared < first.length
    assert bytes(second.body) == bytes(first.body)[: second.keep] + second.tail.encode()


def test_what_json_is_carried_and_what_is_written(talk: Session) -> None:
    talk.add_message(UserMessage("é"))
    spelled = built(talk, '{"top_p": 1.0, "model": "m", "seed": 1e3, "stop": ["\\u00e9"]}')
    assert str(spelled.body).endswith('"top_p":1.0,"seed":1e3,"stop":["é"]}')
    written = built(talk, {"stop": ["é"], "a": 1.0, "model": "m"})
    assert str(written.body).endswith('"stop":["é"],"a":1.0}')
    none = built(talk, "")
    assert "model" not in none.body.json()
    assert built(talk, {}).body == none.body


@pytest.mark.parametrize(
    ("dialect", "place", "given", "expected"),
    [
        (
            Dialect.ANTHROPIC_MESSAGES,
            "messages",
            [{"type": "tool_use", "id": "c1", "name": "ls", "input": {"b": 1, "a": 1.0}}],
            [
                {"role": "user", "content": [{"type": "text", "text": "hi"}]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "tool_use", "id": "c1", "name": "ls", "input": {"b": 1, "a": 1.0}}
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "c1",
                            "content": "[#0001]\nno",
                            "is_error": True,
                        }
                    ],
                },
            ],
        ),
        (
            Dialect.OPENAI_RESPONSES,
            "input",
            [{"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"}],
            [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "hi"}],
                },
                {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "[#0001]\nno"},
            ],
        ),
    ],
)
def test_the_other_dialects(
    open_session: Open, dialect: Dialect, place: str, given: list[object], expected: list[object]
) -> None:
    session = open_session(settings=talking(dialect=dialect))
    session.add_message(UserMessage("hi"))
    (asked,) = session.add_message(Reply(given)).calls
    session.insert_result(asked.call, Failure("no"))
    assert built(session).body.json()[place] == expected


def test_rewind(talk: Session) -> None:
    turn(talk, call("c1"))
    talk.insert_result(ToolCall("c1", "bash"), Output("x"))
    before = built(talk)
    talk.rewind(2)
    assert [message.number for message in talk.conversation()] == [1]
    after = built(talk)
    assert after.difference == Difference(RequestPart.MESSAGES, 2, DifferenceCause.REWIND)
    assert after.shared < before.length
    assert messages(after) == [{"role": "user", "content": "go on"}]
    assert talk.add_message(reply("again")).number == 3
    assert talk.stored_text("#0001") == "x"
    talk.rewind(1, 3)
    assert talk.conversation() == []


def test_fork(talk: Session, open_session: Open) -> None:
    turn(talk, call("c1"))
    talk.insert_result(ToolCall("c1", "bash"), Output("x"))
    expected = built(talk).body
    talk.add_message(reply("never mind"))
    talk.fork("at-2", 2)
    talk.fork("all")
    at_2, all_ = (open_session(key=key, settings=talking()) for key in ("at-2", "all"))
    assert built(at_2).body == expected
    assert built(all_).body == built(talk).body
    assert at_2.add_message(reply("go")).number == 3


def test_usage_and_the_cache_report(talk: Session) -> None:
    talk.add_message(UserMessage("hi"))
    one = built(talk)
    usage = {"prompt_tokens": 10, "completion_tokens": 3}
    assert talk.record_usage(1, json.dumps(usage)) == Usage(10, None, None, 3)
    cached = {**usage, "prompt_tokens_details": {"cached_tokens": 8}}
    assert talk.record_usage(1, {"usage": cached}) == Usage(10, 8, None, 3)
    two = built(talk, {"model": "other"})
    other_model = Difference(RequestPart.MODEL, None, DifferenceCause.MODEL)
    assert talk.cache_report() == [
        RequestReport(1, one.length, 0, None, Usage(10, 8, None, 3)),
        RequestReport(2, two.length, two.shared, other_model, None),
    ]


def test_a_session_of_results_only(session: Session) -> None:
    for act in (
        lambda: session.add_message(UserMessage("hi")),
        lambda: session.build_request(PARAMETERS),
        lambda: session.withdraw_tool("bash", "no"),
    ):
        with pytest.raises(OutOfOrderError) as caught:
            act()
        assert caught.value.problem
    assert (session.conversation(), session.cache_report()) == ([], [])
    assert (session.prefix().system, session.prefix().tools) == ("", "")


def test_another_dialect_is_refused(talk: Session, open_session: Open) -> None:
    talk.add_message(UserMessage("hi"))
    with pytest.raises(SettingsDifferError) as caught:
        open_session(settings=talking(dialect=Dialect.ANTHROPIC_MESSAGES))
    differ = caught.value
    kept_and_given = (differ.name, differ.kept, differ.given)
    assert kept_and_given == ("dialect", "openai-chat", "anthropic-messages")


def test_sessions_side_by_side(open_session: Open) -> None:
    sessions = [open_session(key=key, settings=talking(root=f"{ROOT}/{key}")) for key in "ab"]
    for session in sessions:
        session.add_message(UserMessage("hi"))
    bodies = [built(session).body for session in sessions]
    assert [str(body).count("Project: ") for body in bodies] == [1, 1]
    assert str(bodies[0]).replace("Project: a ", "Project: b ") == str(bodies[1])
