"""Messages in, requests out: what the typed interface takes and gives."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, ROOT, SYSTEM, call, reply, talking, turn

from waybread import (
    Added,
    Block,
    CallAnsweredError,
    Delivery,
    Dialect,
    Difference,
    DifferenceCause,
    Failure,
    Image,
    ImageUrl,
    InvalidArgumentError,
    OutOfOrderError,
    Output,
    Part,
    Reply,
    ReplyCall,
    Request,
    RequestPart,
    RequestReport,
    Sender,
    Session,
    SettingsDifferError,
    Speaker,
    ToolCall,
    Treatment,
    UnknownCallError,
    UnknownMessageError,
    UnknownRequestError,
    Usage,
    UserMessage,
    WaybreadError,
    WrapUp,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Open

TODAY = dt.date(2026, 11, 30)


@pytest.fixture
def talk(open_session: Open) -> Session:
    """A session that builds OpenAI chat requests."""
    return open_session(settings=talking())


def built(session: Session, parameters: Any = PARAMETERS) -> Request:
    """The next request, whose hash is checked."""
    request = session.build_request(parameters)
    assert hashlib.sha256(bytes(request.body)).hexdigest() == request.sha256
    assert len(request.body) == request.length
    return request


def messages(request: Request) -> list[Any]:
    """The messages after the system prompt."""
    sent: list[Any] = request.body.json()["messages"]
    assert sent[0] == {"role": "system", "content": SYSTEM}
    return sent[1:]


def test_a_turn(talk: Session) -> None:
    assert talk.add_message(UserMessage("what is here?")) == Added(1, None, (), ())
    first = built(talk, {"model": "m", "temperature": 0.5, "stream": True})
    assert str(first.body) == (
        '{"model":"m","messages":[{"role":"system","content":"' + SYSTEM + '"},'
        '{"role":"user","content":"what is here?"}],"temperature":0.5,"stream":true}'
    )
    assert (first.number, first.keep, first.shared, first.difference) == (1, 0, 0, None)
    asked = talk.add_message(reply(None, call("c1", "ls", '{"all": 1}'), reasoning_content="hm"))
    made = ToolCall("c1", "ls", '{"all": 1}')
    assert asked == Added(2, None, (ReplyCall(made, None),), ())
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


def test_parts(talk: Session) -> None:
    block = {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}
    parts: list[Part] = [
        "more",
        Image("image/png", b"\x89PNG"),
        Image("image/gif", "R0lG"),
        Block(block),
    ]
    talk.add_message(UserMessage("see", parts=[*parts, ImageUrl("https://example.org/a.png")]))
    encoded = base64.b64encode(b"\x89PNG").decode()
    urls = [f"data:image/png;base64,{encoded}", "data:image/gif;base64,R0lG"]
    (message,) = messages(built(talk))
    assert message["content"] == [
        {"type": "text", "text": "see"},
        {"type": "text", "text": "more"},
        *[{"type": "image_url", "image_url": {"url": url}} for url in urls],
        block,
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    ]


@pytest.mark.parametrize(
    "date", [TODAY, "2026-11-30", dt.datetime(2026, 11, 30, 9, tzinfo=dt.timezone.utc)]
)
def test_the_date_goes_with_the_first_message(talk: Session, date: dt.date | str) -> None:
    note = "<session-note>\nThe date is 2026-11-30.\n</session-note>"
    assert talk.add_message(UserMessage("hi", date=date)).note == note
    talk.add_message(reply("hello"))
    assert talk.add_message(UserMessage("again", date=TODAY)).note is None
    assert messages(built(talk))[0]["content"] == f"hi\n\n{note}"


def test_machine_messages_and_step_boundaries(talk: Session) -> None:
    with pytest.raises(OutOfOrderError):
        talk.add_message(UserMessage("early", delivery=Delivery.STEP_BOUNDARY))
    turn(talk, call("c1"))
    talk.insert_result(ToolCall("c1", "bash"), Output("x"))
    talk.add_message(UserMessage("job done", Sender.MACHINE, Delivery.STEP_BOUNDARY))
    talk.add_message(reply("good", reasoning="thought"))
    assert [astuple(message) for message in talk.conversation()] == [
        (1, Speaker.PERSON, True, "go on", "go on", None, False, ()),
        (
            2,
            Speaker.MODEL,
            False,
            "",
            json.dumps({"role": "assistant", "content": None, "tool_calls": [call("c1")]}),
            None,
            False,
            ("#0001",),
        ),
        (3, Speaker.MACHINE, False, "job done", "job done", None, False, ()),
        (
            4,
            Speaker.MODEL,
            False,
            "good",
            json.dumps({"role": "assistant", "content": "good", "reasoning": "thought"}),
            None,
            False,
            (),
        ),
    ]
    assert messages(built(talk))[-1] == {
        "role": "assistant",
        "content": "good",
        "reasoning_content": "thought",
    }


def test_a_reply_that_broke_off(talk: Session) -> None:
    talk.add_message(UserMessage("hi"))
    given = reply("half a", call("c1"))
    assert talk.add_message(Reply(given.json, incomplete=True)).calls == ()
    assert talk.conversation()[-1].incomplete
    sent = "half a\n\n[This reply was cut off before it ended.]"
    assert messages(built(talk))[-1] == {"role": "assistant", "content": sent}


def test_calls_that_nobody_answered(talk: Session) -> None:
    turn(talk, call("c1"), call("c2"))
    talk.insert_result(ToolCall("c2", "bash"), Output("two"))
    (closed,) = built(talk).closed
    assert (closed.id, closed.treatment) == ("#0002", Treatment.FAILED)
    assert closed.text.startswith("[#0002] No result")
    assert talk.conversation()[-1].results == ("#0002", "#0001")
    talk.add_message(reply(None, call("c3")))
    assert [one.id for one in talk.add_message(UserMessage("next")).closed] == ["#0003"]


def test_the_wrap_up(talk: Session) -> None:
    talk.add_message(UserMessage("hi"))
    talk.add_message(WrapUp())
    (refused,) = talk.add_message(reply("done", call("c1"))).calls
    assert refused.refused is not None
    assert refused.refused.text.startswith("[#0001] Not run: the tools are withdrawn.")
    assert talk.conversation()[1].speaker is Speaker.MACHINE


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


@pytest.mark.parametrize(
    ("act", "error", "fields"),
    [
        (
            lambda s: s.insert_result(ToolCall("c9", "bash"), Output("")),
            UnknownCallError,
            {"call": "c9", "open": ("c2", "c3")},
        ),
        (
            lambda s: s.insert_result(ToolCall("c1", "bash"), Output("")),
            CallAnsweredError,
            {"call": "c1", "id": "#0001"},
        ),
        (lambda s: s.rewind(7), UnknownMessageError, {"number": 7}),
        (lambda s: s.rewind(2, 1), InvalidArgumentError, {"argument": "last"}),
        (lambda s: s.fork("x", 9), UnknownMessageError, {"number": 9}),
        (lambda s: s.fork("s"), InvalidArgumentError, {"argument": "key"}),
        (lambda s: s.record_usage(4, "{}"), UnknownRequestError, {"number": 4}),
        (lambda s: s.build_request("[]"), InvalidArgumentError, {"argument": "parameters"}),
        (
            lambda s: s.build_request({"messages": []}),
            InvalidArgumentError,
            {"argument": "parameters"},
        ),
        (
            lambda s: s.add_message(UserMessage(" ")),
            InvalidArgumentError,
            {"argument": "user.text"},
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=[Block("[]")])),
            InvalidArgumentError,
            {"argument": "user.parts[0].block"},
        ),
        (lambda s: s.add_message(Reply("no")), InvalidArgumentError, {"argument": "reply.json"}),
        (
            lambda s: s.add_message(Reply({"tool_calls": [{"type": "function", "function": {}}]})),
            InvalidArgumentError,
            {"argument": "reply.json.tool_calls[0].id"},
        ),
    ],
)
def test_errors_change_nothing(
    talk: Session, act: Callable[[Session], object], error: type[WaybreadError], fields: Any
) -> None:
    turn(talk, call("c1"), call("c2"), call("c3"))
    talk.insert_result(ToolCall("c1", "bash"), Output("one"))
    before = talk.conversation()
    with pytest.raises(error) as caught:
        act(talk)
    assert vars(caught.value).items() >= fields.items()
    assert str(caught.value)
    assert talk.conversation() == before


def test_another_dialect_is_refused(talk: Session, open_session: Open) -> None:
    talk.add_message(UserMessage("hi"))
    with pytest.raises(SettingsDifferError) as caught:
        open_session(settings=talking(dialect=Dialect.ANTHROPIC_MESSAGES))
    differ = caught.value
    kept_and_given = (differ.name, differ.kept, differ.given)
    assert kept_and_given == ("dialect", "openai-chat", "anthropic-messages")


def test_a_call_that_several_took(open_session: Open) -> None:
    """Interleaved sessions share one component and nothing else."""
    sessions = [open_session(key=key, settings=talking(root=f"{ROOT}/{key}")) for key in "ab"]
    for session in sessions:
        session.add_message(UserMessage("hi"))
    bodies = [built(session).body for session in sessions]
    assert [str(body).count("Project: ") for body in bodies] == [1, 1]
    assert str(bodies[0]).replace("Project: a ", "Project: b ") == str(bodies[1])
