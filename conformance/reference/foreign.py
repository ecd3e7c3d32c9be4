"""What is plainly no reply of a session's dialect (requests: Replies that can be sent back)."""

from __future__ import annotations

from .casefile import Json
from .spelling import is_text
from .thinking import is_blank

CHAT, ANTHROPIC, RESPONSES = "openai-chat", "anthropic-messages", "openai-responses"
EVENTS = ("message_start", "message_delta", "message_stop")
OF_BLOCK = {
    "tool_use": ANTHROPIC,
    "server_tool_use": ANTHROPIC,
    "output_text": RESPONSES,
    "function_call": RESPONSES,
    "custom_tool_call": RESPONSES,
}
"""The blocks that one dialect alone has."""


def is_foreign(given: Json, dialect: str) -> bool:
    """Whether JSON is an error, a piece of a stream, or what another API answers."""
    if _is_error(given):
        return True
    if isinstance(given, list):
        found = _of_list(given, dialect)
    else:
        found = _of_object(given) if isinstance(given, dict) else None
    return found not in (None, dialect)


def _is_error(given: Json) -> bool:
    if isinstance(given, list):
        given = given[0] if given else None
    if not isinstance(given, dict):
        return False
    said = (given.get(key) for key in ("choices", "content", "output", "tool_calls"))
    if any(one for one in said if isinstance(one, list) or is_text(one)):
        return False
    error = given.get("error")
    if isinstance(error, dict) or (is_text(error) and not is_blank(str(error))):
        return True
    return bool(given.get("object") == "error")


def _of_object(given: Json) -> str | None:
    """Whose reply an object is, as far as it can be told."""
    output = given.get("output")
    marks = [
        (_is_event(given), "stream"),
        (isinstance(given.get("choices"), list), CHAT),
        (isinstance(given.get("candidates"), list) or given.get("role") == "model", "gemini"),
        (isinstance(output, dict) and "message" in output, "bedrock"),
        (isinstance(output, list) or given.get("object") == "response", RESPONSES),
        (given.get("tool_calls") is not None or given.get("function_call") is not None, CHAT),
        (isinstance(given.get("message"), dict) and "done" in given, "ollama"),
        ("stop_reason" in given, ANTHROPIC),
    ]
    found = next((name for is_so, name in marks if is_so), None)
    content = given.get("content")
    if found is None and isinstance(content, list):
        found = _first_told(content)
    return ANTHROPIC if found is None and given.get("type") == "message" else found


def _first_told(blocks: list[Json]) -> str | None:
    told = (OF_BLOCK.get(_kind(block)) for block in blocks)
    return next((name for name in told if name is not None), None)


def _is_event(given: Json) -> bool:
    choices = given.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    is_delta = isinstance(first, dict) and "delta" in first and "message" not in first
    kind = _kind(given)
    return (
        is_delta
        or given.get("object") == "chat.completion.chunk"
        or kind in EVENTS
        or kind.startswith(("content_block_", "response."))
    )


def _of_list(items: list[Json], dialect: str) -> str | None:
    first = items[0] if items else None
    if not isinstance(first, dict):
        return None if first is None or not items else _first_of(items, dialect)
    if _kind(first) == "":
        if "role" in first and "parts" not in first:
            return "messages"
        found = _of_object(first)
        return "messages" if found in OF_ANY else found
    return "stream" if _is_event(first) else _first_of(items, dialect)


OF_ANY = (CHAT, ANTHROPIC, RESPONSES)


def _first_of(items: list[Json], dialect: str) -> str | None:
    for kind in map(_kind, items):
        found = OF_BLOCK.get(kind)
        if kind == "message" and dialect != RESPONSES:
            found = RESPONSES
        is_said = kind in ("text", "thinking") and dialect != ANTHROPIC
        if is_said or (kind == "redacted_thinking" and dialect == RESPONSES):
            found = ANTHROPIC
        if found is not None:
            return found
    return None


def _kind(value: Json) -> str:
    """The `type` of an object; empty if it has none."""
    kind = value.get("type") if isinstance(value, dict) else None
    return str(kind) if is_text(kind) else ""
