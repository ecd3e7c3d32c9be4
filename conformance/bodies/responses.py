"""OpenAI responses: what the schema cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from reference.casefile import Json

from .pairing import known_choice, no_object, twice

OUTPUTS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
"""The calls that the caller answers, and the type of the answer."""


def problems(body: Json) -> Iterator[str]:
    """Of a body that fits the schema."""
    items = body["input"] if isinstance(body["input"], list) else []
    yield from _pairs(items)
    yield from _reasoning(items, stored=body.get("store") is not False)
    ids = [(f"$.input[{index}]", item["id"]) for index, item in enumerate(items) if item.get("id")]
    yield from twice(ids, "an item with the id")
    tools = [
        (f"$.tools[{index}]", tool["name"])
        for index, tool in enumerate(body.get("tools", []))
        if tool["type"] in ("function", "custom")
    ]
    yield from twice(tools, "a tool named")
    choice = body.get("tool_choice")
    yield from known_choice(choice.get("name") if isinstance(choice, dict) else None, tools)


def _pairs(items: list[Json]) -> Iterator[str]:
    """Each call has one output, of its own kind, after it; outputs stand in the calls' order."""
    open_calls: dict[str, tuple[str, str]] = {}
    for index, item in enumerate(items):
        path, kind, call = f"$.input[{index}]", item.get("type", "message"), item.get("call_id")
        if kind == "function_call":
            yield from no_object(item["arguments"], path)
        if kind in OUTPUTS:
            if call in open_calls:
                yield f"{path}: the call {call!r} stands at {open_calls[call][0]} already"
            open_calls[call] = (path, OUTPUTS[kind])
        elif kind in OUTPUTS.values():
            yield from _output(path, item, open_calls)
            open_calls.pop(call, None)
    for call, (path, _) in open_calls.items():
        yield f"{path}: the call {call!r} has no output after it"


def _output(path: str, item: Json, open_calls: dict[str, tuple[str, str]]) -> Iterator[str]:
    call, kind = item["call_id"], item["type"]
    if call not in open_calls:
        yield f"{path}: an output for {call!r}, which is no open call"
        return
    if open_calls[call][1] != kind:
        yield f"{path}: a {kind} for {call!r}, whose call takes a {open_calls[call][1]}"
    first = next(iter(open_calls))
    if call != first:
        yield f"{path}: the output for {call!r} stands before that for {first!r}, called earlier"


def _reasoning(items: list[Json], *, stored: bool) -> Iterator[str]:
    """Reasoning is followed by what the model made of it: by a message or a call of the reply.

    Where the provider stores nothing, it is told whole.
    """
    for index, item in enumerate(items):
        if item.get("type") != "reasoning":
            continue
        if not stored and not item.get("encrypted_content"):
            yield f"$.input[{index}]: reasoning without encrypted_content, and store is false"
        rest = (later for later in items[index + 1 :] if later.get("type") != "reasoning")
        follower = next(rest, None)
        if follower is None or not _of_the_model(follower):
            yield f"$.input[{index}]: reasoning that no item of the same reply follows"


def _of_the_model(item: Json) -> bool:
    kind = item.get("type", "message")
    if kind == "message":
        return bool(item["role"] == "assistant")
    return not kind.endswith("_output")
