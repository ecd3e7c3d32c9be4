"""What no server takes back of a reply is put right (requests: Replies that can be sent back)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from . import written
from .casefile import Json
from .foreign import ANTHROPIC, CHAT, RESPONSES
from .rules import Rules
from .spelling import compact, is_text, parse
from .thinking import is_blank

IDS = {CHAT: "id", ANTHROPIC: "id", RESPONSES: "call_id"}
LIMITS = {
    ANTHROPIC: ("stop_reason", ("max_tokens", "model_context_window_exceeded")),
    RESPONSES: ("status", ("incomplete",)),
}
"""Where a response says that it ended at its limit, and how."""
CHAT_BLOCKS = ("text", "refusal", "image_url", "input_audio", "file")
CHAT_THOUGHTS = ("thinking", "redacted_thinking")
LIBRARY = ("parsed", "parsed_arguments")
"""What client libraries add to what the model wrote."""


@dataclass(frozen=True)
class Around:
    """What is known where a reply comes in.

    `number` is the message's, `known` are the ids of earlier calls; `unstored`: the request that it
    answers told the provider to store nothing.
    """

    number: int = 0
    known: Collection[str] = ()
    unstored: bool = False


@dataclass
class Repaired:
    """A reply's JSON put right; of each call, why it is not run."""

    given: Json
    incomplete: bool
    problems: list[str | None] = field(default_factory=list)


@dataclass
class Call:
    """A call, with the object that holds its arguments; none of a custom tool."""

    whole: Json
    holder: Json
    key: str
    is_last: bool


def repaired(given: Json, dialect: str, rules: Rules, around: Around, *, cut: bool) -> Repaired:
    """A reply as it can be sent back. `cut`: its stream broke off. What is given is changed."""
    parts = _parts(given, dialect)
    if not isinstance(parts, list):
        return Repaired(given, cut)
    for place, part in enumerate(parts):
        if isinstance(part, dict):
            parts[place] = WITHOUT[dialect](part)
    if dialect == RESPONSES:
        _without_ids(parts)
    calls = [
        _call(part, dialect, is_last=part is parts[-1])
        for part in parts
        if isinstance(part, dict) and _is_call(part, dialect)
    ]
    if cut or (_is_limited(given, dialect) and any(_is_cut(call, dialect) for call in calls)):
        return Repaired(given, incomplete=True)
    _name(calls, IDS[dialect], rules, around)
    problems = [_put(call, dialect, rules) for call in calls]
    return Repaired(given, incomplete=False, problems=problems)


def _parts(given: Json, dialect: str) -> Json:
    """The calls of a message, or the blocks or items among which they stand."""
    if dialect == CHAT:
        choices = given.get("choices") if isinstance(given, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else given
        if not isinstance(message, dict):
            return None
        message.pop("parsed", None)
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") in (*CHAT_BLOCKS, *CHAT_THOUGHTS):
                _strip(block)
        return message.get("tool_calls")
    if isinstance(given, dict):
        return given.get("content" if dialect == ANTHROPIC else "output")
    return given


def _strip(value: Json, *kept: str) -> None:
    """Takes out of an object what a client library adds."""
    for name in list(value):
        if name in LIBRARY or (value[name] is None and name not in kept):
            del value[name]


def _chat_without(call: Json) -> Json:
    call = {name: value for name, value in call.items() if value is not None}
    for name in ("function", "custom"):
        if isinstance(call.get(name), dict):
            _strip(call[name], "arguments", "input")
    return call


def _anthropic_without(block: Json) -> Json:
    kind = block.get("type")
    kind = kind if is_text(kind) else ""
    known = kind in ("text", "thinking", "redacted_thinking")
    if not known and not kind.endswith(("tool_use", "tool_result")):
        return block
    return {name: value for name, value in block.items() if value is not None or name == "input"}


def _responses_without(item: Json) -> Json:
    if item.get("type") == "function_call":
        item.pop("parsed_arguments", None)
    content = item.get("content") if item.get("type") == "message" else None
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            _strip(part)
    return item


WITHOUT = {CHAT: _chat_without, ANTHROPIC: _anthropic_without, RESPONSES: _responses_without}
"""An object without the nulls that a client library adds."""


def _without_ids(items: Json) -> None:
    """Takes the ids of messages and calls that are empty or another item's."""
    seen = set()
    for item in items:
        id_ = item.get("id") if isinstance(item, dict) else None
        if not is_text(id_):
            continue
        does_without = item.get("type") in ("message", "function_call", "custom_tool_call")
        if does_without and (id_ == "" or id_ in seen):
            del item["id"]
        seen.add(id_)


def _is_call(part: Json, dialect: str) -> bool:
    kinds = {ANTHROPIC: ("tool_use",), RESPONSES: ("function_call", "custom_tool_call")}
    return dialect == CHAT or part.get("type") in kinds[dialect]


def _call(part: Json, dialect: str, *, is_last: bool) -> Call:
    holder, key = part, "input"
    if dialect == CHAT:
        function = part.get("function") if part.get("type") != "custom" else None
        holder, key = (function if isinstance(function, dict) else None), "arguments"
    elif dialect == RESPONSES:
        holder, key = (part if part["type"] == "function_call" else None), "arguments"
    return Call(part, holder, key, is_last)


def _is_limited(given: Json, dialect: str) -> bool:
    """Whether a response ended at its limit."""
    if not isinstance(given, dict):
        return False
    if dialect == CHAT:
        choices = given.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        return isinstance(first, dict) and bool(first.get("finish_reason") == "length")
    key, words = LIMITS[dialect]
    return given.get(key) in words


def _is_cut(call: Call, dialect: str) -> bool:
    """Whether a call of a reply that ended at its limit is not whole, as far as can be told."""
    if call.holder is None:
        return call.is_last
    arguments = call.holder.get(call.key)
    try:
        found = _object_of(arguments)
    except written.FlawError:
        return True
    return found is not None and call.is_last and dialect == ANTHROPIC


def _object_of(arguments: Json) -> Json:
    """Arguments that are an object, as it is or as a text; None if nothing is said.

    Raises `FlawError` for anything else.
    """
    if arguments is None or isinstance(arguments, dict):
        return arguments
    if not is_text(arguments):
        raise written.FlawError("other")
    if written.is_blank_or_null(arguments):
        return None
    text = written.without_halves(arguments)
    written.check(text)
    return text


def _put(call: Call, dialect: str, rules: Rules) -> str | None:
    """Puts a call's arguments right; why it is not run, if it is not."""
    if call.holder is None:
        return None
    given, problem = call.holder.get(call.key), None
    try:
        found = _object_of(given)
        found = {} if found is None else found
    except written.FlawError as flaw:
        key = rules.value("replies.arguments.key")
        found = {key: str(given) if is_text(given) else compact(given)}
        words = rules.filled(f"replies.arguments.{flaw.name}", at=flaw.at)
        problem = rules.filled("replies.arguments.refused", problem=words, key=key)
    if dialect == ANTHROPIC:
        found = parse(found) if is_text(found) else found
    elif found is not given:
        found = found if is_text(found) else compact(found)
    call.holder[call.key] = found
    return problem


def _name(calls: list[Call], key: str, rules: Rules, around: Around) -> None:
    """Gives an id to calls that have none, or one that a call before them has."""
    prefix, count, borne = rules.value("replies.call_id"), 0, set()
    given = {_id(call, key, rules) for call in calls}
    for call in calls:
        id_ = _id(call, key, rules)
        if id_ is not None and id_ not in borne:
            borne.add(id_)
            continue
        made = None
        while made is None or made in given or made in around.known:
            count += 1
            made = f"{prefix}{around.number:03x}{count:02x}"
        call.whole[key] = made


def _id(call: Call, key: str, rules: Rules) -> str | None:
    """A call's id as it is sent; None if it has none."""
    id_ = call.whole.get(key)
    if not is_text(id_) or is_blank(id_):
        return None
    return str(id_).replace("\0", rules.nul)
