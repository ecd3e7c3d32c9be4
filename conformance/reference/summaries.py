"""What a model answers when it is asked for a summary (compaction: The reply)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .anthropic import Anthropic
from .casefile import Json
from .chat import Chat
from .conversation import ReplyCall
from .dialects import Dialect
from .errors import SessionError
from .incoming import reply
from .responses import CALLS, Responses
from .rules import Rules
from .spelling import is_text, parse
from .thinking import WHITE, is_blank

CUT_OFF = ("max_tokens", "model_context_window_exceeded", "pause_turn")
"""How Anthropic says that a reply ended before its end."""
UNFINISHED = ("incomplete", "in_progress", "queued")
"""The status of a response, or of an item of one, that was not written to its end."""


@dataclass(frozen=True)
class Answer:
    """A summary, or the reason why there is none."""

    summary: str
    reason: str | None = None


def answer(json: str, dialect: Dialect) -> Answer:
    """What a reply says; whether it is too long is not looked at."""
    whole = _parsed(json)
    if isinstance(whole, dict) and _has_failed(whole, dialect):
        return Answer("", "failed")
    try:
        given = reply(json, incomplete=False, dialect=dialect)
    except SessionError:
        return Answer("", "unreadable")
    ending = ENDINGS[type(dialect)](whole, given.taken)
    if ending is not None:
        return Answer("", ending)
    before = BEFORE_CALLS[type(dialect)](given.taken)
    summary = _without_marked(dialect.text(before), dialect.rules)
    return Answer(summary, None if summary else _without_words(given.calls))


def _parsed(json: str) -> Json:
    """JSON; None for what is none, which has not said what went wrong."""
    try:
        return parse(json)
    except ValueError:
        return None


def _has_failed(given: Json, dialect: Dialect) -> bool:
    """Whether a provider says that something went wrong."""
    if _is_error(given.get("error")):
        return True
    if isinstance(dialect, Chat):
        choice = _first_choice(given)
        return _is_error(choice.get("error")) or choice.get("finish_reason") == "error"
    return isinstance(dialect, Responses) and given.get("status") in ("failed", "cancelled")


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) or (is_text(error) and not is_blank(error))


def _first_choice(given: Json) -> Json:
    """The first choice; an empty one if there is none."""
    choices = given.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _without_words(calls: list[ReplyCall]) -> str:
    return "only-calls" if calls else "empty"


def _without_marked(text: str, rules: Rules) -> str:
    """A text without the lines that note where an archive is."""
    marker = rules.value("archive.marker")
    lines = text.strip(WHITE).split("\n")
    return "\n".join(line for line in lines if not line.startswith(marker)).strip(WHITE)


def _chat_ending(given: Json, message: Json) -> str | None:
    finish = _first_choice(given).get("finish_reason")
    refusal = message.get("refusal")
    if (is_text(refusal) and refusal != "") or finish == "content_filter":
        return "refused"
    return "cut-off" if finish == "length" else None


def _anthropic_ending(given: Json, _: Json) -> str | None:
    stop = given.get("stop_reason") if isinstance(given, dict) else None
    if stop == "refusal":
        return "refused"
    return "cut-off" if stop in CUT_OFF else None


def _responses_ending(given: Json, items: Json) -> str | None:
    details = given.get("incomplete_details") if isinstance(given, dict) else None
    reason = details.get("reason") if isinstance(details, dict) else None
    messages = [item.get("content") for item in items if item.get("type") == "message"]
    parts = [part for parts in messages if isinstance(parts, list) for part in parts]
    refuses = any(isinstance(part, dict) and part.get("type") == "refusal" for part in parts)
    if refuses or reason == "content_filter":
        return "refused"
    statuses = [item.get("status") for item in items]
    if isinstance(given, dict):
        statuses.append(given.get("status"))
    is_cut = reason == "max_output_tokens" or any(status in UNFINISHED for status in statuses)
    return "cut-off" if is_cut else None


def _before(items: Json, kinds: tuple[str, ...]) -> Json:
    places = [place for place, item in enumerate(items) if item.get("type") in kinds]
    return items[: places[0]] if places else items


ENDINGS: dict[type[Dialect], Callable[[Json, Json], str | None]] = {
    Chat: _chat_ending,
    Anthropic: _anthropic_ending,
    Responses: _responses_ending,
}
"""Whether a reply refuses or was cut off."""

BEFORE_CALLS: dict[type[Dialect], Callable[[Json], Json]] = {
    Chat: lambda taken: taken,
    Anthropic: lambda taken: _before(taken, ("tool_use",)),
    Responses: lambda taken: _before(taken, tuple(CALLS)),
}
"""What of a reply comes before its first call."""
