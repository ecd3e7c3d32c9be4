"""Replies as each provider spells them: whole, and as the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from model_server.script import Reply

PATHS = {
    "/chat/completions": "openai-chat",
    "/messages": "anthropic-messages",
    "/responses": "openai-responses",
}
"""Which dialect a path speaks; `/v1` may stand before it."""

CHUNK = 12
"""So many characters a stream's event carries."""

Event = tuple[str, Any]
"""Its name, empty where the dialect has none, and its data."""


def error(dialect: str, kind: str, message: str) -> dict[str, Any]:
    """An error as the provider spells it."""
    if dialect == "anthropic-messages":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "code": kind}}


def whole(
    dialect: str, reply: Reply, model: str, name: str, usage: dict[str, Any], signature: str
) -> dict[str, Any]:
    """A reply in one piece. `name` tells it from others, and is in its ids."""
    if dialect == "openai-chat":
        return _chat(reply, model, name, usage)
    if dialect == "anthropic-messages":
        return _anthropic(reply, model, name, usage, signature)
    return _responses(reply, model, name, usage)


def events(dialect: str, answer: dict[str, Any]) -> Iterator[Event]:
    """The same reply as a stream."""
    if dialect == "openai-chat":
        return _chat_events(answer)
    if dialect == "anthropic-messages":
        return _anthropic_events(answer)
    return _responses_events(answer)


def _chat(reply: Reply, model: str, name: str, usage: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{name}_{at}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for at, call in enumerate(reply.calls)
        ]
    finish = "tool_calls" if reply.calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    kind = "chat.completion"
    return {"id": name, "object": kind, "model": model, "choices": [choice], "usage": usage}


def _anthropic(
    reply: Reply, model: str, name: str, usage: dict[str, Any], signature: str
) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.thinking:
        content.append({"type": "thinking", "thinking": reply.thinking, "signature": signature})
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    for at, call in enumerate(reply.calls):
        made = {"type": "tool_use", "id": f"toolu_{name}_{at}", "name": call.name}
        made["input"] = _input(call.arguments)
        content.append(made)
    return {
        "id": name,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if reply.calls else "end_turn",
        "usage": usage,
    }


def _input(arguments: str) -> Any:
    """A call's arguments; as a text what a model spelled wrong."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _responses(reply: Reply, model: str, name: str, usage: dict[str, Any]) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if reply.thinking:
        thought = {"type": "reasoning", "id": f"rs_{name}", "summary": []}
        output.append({**thought, "encrypted_content": reply.thinking})
    if reply.text:
        said = {"type": "output_text", "text": reply.text, "annotations": []}
        message = {"type": "message", "id": f"msg_{name}", "status": "completed"}
        output.append({**message, "role": "assistant", "content": [said]})
    for at, call in enumerate(reply.calls):
        ids = {"id": f"fc_{name}_{at}", "call_id": f"call_{name}_{at}", "status": "completed"}
        made = {"type": "function_call", **ids, "name": call.name, "arguments": call.arguments}
        output.append(made)
    fixed = {"id": name, "object": "response", "status": "completed", "model": model}
    return {**fixed, "output": output, "usage": usage}


def _pieces(text: str) -> Iterator[str]:
    for at in range(0, len(text), CHUNK):
        yield text[at : at + CHUNK]


def _chat_events(answer: dict[str, Any]) -> Iterator[Event]:
    choice = answer["choices"][0]
    message = choice["message"]
    frame = {"id": answer["id"], "object": "chat.completion.chunk", "model": answer["model"]}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> Event:
        made = {"index": 0, "delta": delta, "finish_reason": finish}
        return ("", {**frame, "choices": [made]})

    yield chunk({"role": "assistant"})
    for field in ("reasoning_content", "content"):
        for piece in _pieces(message.get(field) or ""):
            yield chunk({field: piece})
    for at, call in enumerate(message.get("tool_calls", [])):
        function = call["function"]
        begun = {"name": function["name"], "arguments": ""}
        yield chunk({"tool_calls": [{**call, "index": at, "function": begun}]})
        for piece in _pieces(function["arguments"]):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield chunk({}, choice["finish_reason"])
    yield ("", {**frame, "choices": [], "usage": answer["usage"]})
    yield ("", "[DONE]")


def _anthropic_events(answer: dict[str, Any]) -> Iterator[Event]:
    begun = {**answer, "content": [], "stop_reason": None}
    yield ("message_start", {"type": "message_start", "message": begun})
    for at, block in enumerate(answer["content"]):
        empty, deltas = _anthropic_deltas(block)
        start = {"type": "content_block_start", "index": at, "content_block": empty}
        yield ("content_block_start", start)
        for delta in deltas:
            made = {"type": "content_block_delta", "index": at, "delta": delta}
            yield ("content_block_delta", made)
        yield ("content_block_stop", {"type": "content_block_stop", "index": at})
    ended = {"stop_reason": answer["stop_reason"]}
    yield ("message_delta", {"type": "message_delta", "delta": ended, "usage": answer["usage"]})
    yield ("message_stop", {"type": "message_stop"})


def _anthropic_deltas(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what comes after."""
    if block["type"] == "text":
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
        return {**block, "text": ""}, deltas
    if block["type"] == "thinking":
        pieces = _pieces(block["thinking"])
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [*deltas, signed]
    pieces = _pieces(json.dumps(block["input"]))
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return {**block, "input": {}}, deltas


def _responses_events(answer: dict[str, Any]) -> Iterator[Event]:
    number = 0

    def event(kind: str, **more: Any) -> Event:
        nonlocal number
        number += 1
        return (kind, {"type": kind, "sequence_number": number - 1, **more})

    yield event("response.created", response={**answer, "status": "in_progress", "output": []})
    for at, item in enumerate(answer["output"]):
        yield event("response.output_item.added", output_index=at, item=item)
        if item["type"] == "message":
            place = {"item_id": item["id"], "output_index": at, "content_index": 0}
            for piece in _pieces(item["content"][0]["text"]):
                yield event("response.output_text.delta", **place, delta=piece)
        if item["type"] == "function_call":
            place = {"item_id": item["id"], "output_index": at}
            for piece in _pieces(item["arguments"]):
                yield event("response.function_call_arguments.delta", **place, delta=piece)
        yield event("response.output_item.done", output_index=at, item=item)
    yield event("response.completed", response=answer)
