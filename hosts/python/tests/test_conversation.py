"""Messages in: what the typed interface takes and gives."""

from __future__ import annotations

import base64
import datetime as dt
import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

import pytest
from turns import built, call, messages, reply, turn

from waybread import (
    Block,
    CallAnsweredError,
    Delivery,
    Image,
    ImageUrl,
    InvalidArgumentError,
    OutOfOrderError,
    Output,
    Part,
    Reply,
    Sender,
    Session,
    Speaker,
    ToolCall,
    Treatment,
    UnknownCallError,
    UnknownMessageError,
    UnknownRequestError,
    UserMessage,
    WaybreadError,
    WrapUp,
)

if TYPE_CHECKING:
    from collections.abc import Callable


TODAY = dt.date(2026, 11, 30)


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
            {"argument": "reply.json.tool_calls[0].function.name"},
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
