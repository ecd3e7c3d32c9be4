"""Replies and settings that the tests of conversations share."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from waybread import Dialect, Reply, Settings, UserMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from waybread import Added, Request, Session

ROOT = "/work/app"
SYSTEM = "Project: app (paths are relative to its root)"
PARAMETERS = {"model": "m"}


def talking(**changed: Any) -> Settings:
    """Settings of a session that builds OpenAI chat requests and tells the model little."""
    return Settings(**{"root": ROOT, "dialect": Dialect.OPENAI_CHAT, "recall": False, **changed})


def call(id: str, name: str = "bash", arguments: str = "{}") -> dict[str, Any]:
    """A call as OpenAI chat spells it."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def reply(content: str | None, *calls: dict[str, Any], **more: Any) -> Reply:
    """A reply in OpenAI chat, as JSON."""
    message = {"role": "assistant", "content": content, **more}
    return Reply(json.dumps({**message, "tool_calls": calls} if calls else message))


def spoken(dialect: Dialect, text: str, thought: str, calls: Sequence[str]) -> Reply:
    """A reply of any dialect: what was thought, what was said, and the ids of its calls."""
    match dialect:
        case Dialect.OPENAI_CHAT:
            return reply(text, *map(call, calls), reasoning_content=thought)
        case Dialect.ANTHROPIC_MESSAGES:
            thinking = {"type": "thinking", "thinking": thought, "signature": "s"}
            made = [{"type": "tool_use", "id": id, "name": "bash", "input": {}} for id in calls]
            return Reply([thinking, {"type": "text", "text": text}, *made])
    reasoning = {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": thought}
    said = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "m", "role": "assistant", "content": [said]}
    named = {"type": "function_call", "name": "bash", "arguments": "{}"}
    return Reply([reasoning, message, *({**named, "id": f"f{id}", "call_id": id} for id in calls)])


def turn(session: Session, *calls: dict[str, Any]) -> Added:
    """A turn begun: what the person asks, and a reply with calls."""
    session.add_message(UserMessage("go on"))
    return session.add_message(reply(None, *calls))


def built(session: Session, parameters: Mapping[str, object] | str = PARAMETERS) -> Request:
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
