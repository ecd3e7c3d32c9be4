"""OpenAI chat completions: what the schema cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from reference.casefile import Json

from .pairing import answered, known_choice, no_object, twice


def problems(body: Json) -> Iterator[str]:
    """Of a body that fits the schema."""
    messages = body["messages"]
    yield from _instructions(messages)
    yield from _calls(messages)
    yield from _reasoning(messages)
    tools = [
        (f"$.tools[{index}]", tool[tool["type"]]["name"])
        for index, tool in enumerate(body.get("tools", []))
    ]
    yield from twice(tools, "a tool named")
    yield from known_choice(_chosen(body.get("tool_choice")), tools)


def _instructions(messages: Json) -> Iterator[str]:
    """The templates of several models refuse a system message that others come before.

    A summary in the system's role follows the system prompt, where a session asks for that.
    """
    others = False
    for index, message in enumerate(messages):
        if message["role"] not in ("system", "developer"):
            others = True
        elif others:
            yield f"$.messages[{index}]: a {message['role']} message that is not the first"


def _calls(messages: Json) -> Iterator[str]:
    """The tool messages follow their assistant message immediately, before anything else."""
    index = 0
    while index < len(messages):
        place, message = f"$.messages[{index}]", messages[index]
        index += 1
        if message["role"] == "tool":
            yield f"{place}: a tool message that follows no assistant message with tool calls"
        calls = [call["id"] for call in message.get("tool_calls", [])]
        yield from twice([(place, call) for call in calls], "the call")
        for call in message.get("tool_calls", []):
            if "function" in call:
                yield from no_object(call["function"]["arguments"], place)
        if not calls:
            continue
        results = []
        while index < len(messages) and messages[index]["role"] == "tool":
            results.append((f"$.messages[{index}]", messages[index]["tool_call_id"]))
            index += 1
        yield from answered(calls, results, place)


def _reasoning(messages: Json) -> Iterator[str]:
    """A message without reasoning has no such field; some models ask for it beside calls."""
    for index, message in enumerate(messages):
        if message.get("reasoning_content") == "" and not message.get("tool_calls"):
            yield f"$.messages[{index}].reasoning_content: is empty, beside no call"


def _chosen(choice: Json) -> str | None:
    if isinstance(choice, dict) and choice["type"] in ("function", "custom"):
        return str(choice[choice["type"]]["name"])
    return None
