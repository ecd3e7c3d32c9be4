"""Anthropic messages: what the schema cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from reference.casefile import Json

from .pairing import answered, known_choice, twice

BREAKPOINTS = 4
THINKING = ("thinking", "redacted_thinking")


def problems(body: Json) -> Iterator[str]:
    """Of a body that fits the schema."""
    messages = body["messages"]
    yield from _roles(messages)
    yield from _pairs(messages)
    yield from _run_by_the_provider(messages)
    yield from _endings(messages)
    yield from _breakpoints(body)
    yield from _thinking(body)
    yield from _starts_with_thinking(body)
    tools = [
        (f"$.tools[{index}]", tool["name"]) for index, tool in enumerate(body.get("tools", []))
    ]
    yield from twice(tools, "a tool named")
    yield from _deferred(body)
    yield from known_choice(body.get("tool_choice", {}).get("name"), tools)


def own_problems(body: Json) -> Iterator[str]:
    """What the provider's newer models refuse, and other servers and models do not."""
    messages = body["messages"]
    if messages[-1]["role"] == "assistant":
        yield f"$.messages[{len(messages) - 1}]: the last message must be the user's"


def _roles(messages: Json) -> Iterator[str]:
    """The first message is the user's; after it, roles alternate."""
    if messages[0]["role"] != "user":
        yield "$.messages[0]: the first message must be the user's"
    for index, (one, next_one) in enumerate(pairwise(messages), 1):
        if one["role"] == next_one["role"]:
            yield f"$.messages[{index}]: a second {one['role']} message in a row"


def _pairs(messages: Json) -> Iterator[str]:
    """The results come first in the very next message, which is the user's."""
    uses = []
    calls: list[str] = []
    caller = "the message before"
    for index, message in enumerate(messages):
        place, blocks = f"$.messages[{index}]", _blocks(message)
        yield from _results_first(blocks, place)
        results = [
            (f"{place}.content[{at}]", block["tool_use_id"])
            for at, block in enumerate(blocks)
            if block["type"] == "tool_result"
        ]
        yield from answered(calls, results, caller)
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        uses += [(place, call) for call in calls]
        caller = place
    yield from answered(calls, [], caller)
    yield from twice(uses, "the call")


def _results_first(blocks: list[Json], place: str) -> Iterator[str]:
    other = False
    for at, block in enumerate(blocks):
        if block["type"] != "tool_result":
            other = True
        elif other:
            yield f"{place}.content[{at}]: a tool_result after another block; results come first"


def _run_by_the_provider(messages: Json) -> Iterator[str]:
    """A server_tool_use has its result in the same message, unless the provider is to carry on."""
    for index, message in enumerate(messages[:-1]):
        blocks = _blocks(message) if message["role"] == "assistant" else []
        results = {block.get("tool_use_id") for block in blocks}
        for at, block in enumerate(blocks):
            if block["type"] == "server_tool_use" and block.get("id") not in results:
                yield f"$.messages[{index}].content[{at}]: a server_tool_use without its result"


def _endings(messages: Json) -> Iterator[str]:
    for index, message in enumerate(messages):
        blocks = _blocks(message)
        if blocks and blocks[-1]["type"] in THINKING:
            yield f"$.messages[{index}]: a message cannot end with {blocks[-1]['type']}"
    if messages[-1]["role"] == "assistant" and _last_text(messages[-1])[-1:].isspace():
        yield f"$.messages[{len(messages) - 1}]: the last reply cannot end with white space"


def _last_text(message: Json) -> str:
    if isinstance(message["content"], str):
        return str(message["content"])
    last = message["content"][-1]
    return str(last["text"]) if last["type"] == "text" else ""


def _breakpoints(body: Json) -> Iterator[str]:
    """At most four in the order tools, system, messages, and none of an hour after one of less."""
    found = list(_controls(body))
    if len(found) > BREAKPOINTS:
        yield f"{found[BREAKPOINTS][0]}: {len(found)} cache breakpoints; {BREAKPOINTS} at most"
    short = None
    for path, control in found:
        if control.get("ttl", "5m") == "5m":
            short = short or path
        elif short:
            yield f"{path}: a cache breakpoint of 1h after one of 5m at {short}"


def _deferred(body: Json) -> Iterator[str]:
    """A tool that is loaded later stands in no prefix that is cached."""
    for index, tool in enumerate(body.get("tools", [])):
        if tool.get("defer_loading") and tool.get("cache_control"):
            yield f"$.tools[{index}]: a cache breakpoint on a tool with defer_loading"


def _controls(body: Json) -> Iterator[tuple[str, Json]]:
    """The breakpoints with their paths. One on the body as a whole stands for its last block."""
    for part in ("tools", "system"):
        if isinstance(body.get(part), list):
            yield from _controls_of(body[part], f"$.{part}")
    for index, message in enumerate(body["messages"]):
        path = f"$.messages[{index}].content"
        for at, block in enumerate(_blocks(message)):
            if isinstance(block.get("content"), list):
                yield from _controls_of(block["content"], f"{path}[{at}].content")
            yield from _controls_of([block], path, at)
    if body.get("cache_control"):
        yield "$.cache_control", body["cache_control"]


def _controls_of(blocks: list[Json], path: str, start: int = 0) -> Iterator[tuple[str, Json]]:
    for at, block in enumerate(blocks, start):
        if isinstance(block, dict) and block.get("cache_control"):
            yield f"{path}[{at}]", block["cache_control"]


def _thinking(body: Json) -> Iterator[str]:
    """Parameters that cannot stand beside thinking that is switched on."""
    setting = body.get("thinking", {"type": "disabled"})
    if setting["type"] == "disabled":
        return
    if setting.get("budget_tokens", 0) >= body["max_tokens"]:
        yield "$.thinking.budget_tokens: must be less than max_tokens"
    if body.get("temperature", 1) != 1:
        yield "$.temperature: must be 1, or left out, with thinking"
    if "top_k" in body:
        yield "$.top_k: must be left out with thinking"
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        yield "$.tool_choice: thinking takes only auto and none"


def _starts_with_thinking(body: Json) -> Iterator[str]:
    """With a thinking budget, the last reply that called tools begins with what it thought.

    Also where the person wrote between its results and the next reply.
    """
    if body.get("thinking", {}).get("type") != "enabled":
        return
    replies = [at for at, message in enumerate(body["messages"]) if message["role"] == "assistant"]
    blocks = _blocks(body["messages"][replies[-1]]) if replies else []
    kinds = [block["type"] for block in blocks]
    if "tool_use" in kinds and kinds[0] not in THINKING:
        yield f"$.messages[{replies[-1]}]: the last reply must begin with thinking, not {kinds[0]}"


def _blocks(message: Json) -> list[Json]:
    return message["content"] if isinstance(message["content"], list) else []
