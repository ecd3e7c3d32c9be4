"""Messages as `add-message` is given them (requests: Messages)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .casefile import Json, expand
from .conversation import ReplyCall
from .dialects import BadReplyError, Dialect, is_blank_part
from .errors import SessionError, invalid_argument
from .foreign import is_foreign
from .repair import Around, Repaired, repaired
from .spelling import parse, parse_object, passed
from .thinking import is_blank

DATA_URL = re.compile(r"\s*data:", re.IGNORECASE)
BASE64 = re.compile("[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True)
class UserMessage:
    """A message of the person's or of a machine's."""

    sender: str
    starts_turn: bool
    text: str
    parts: tuple[Json, ...]
    date: str | None


@dataclass(frozen=True)
class GivenReply:
    """A reply, with what of it is sent and the calls that are to be run."""

    json: str
    taken: Json
    incomplete: bool
    calls: list[ReplyCall]
    problems: list[str | None]
    unstored: bool


def user_message(given: Json, dialect: str | None) -> UserMessage:
    """A user message in the cases' form. Raises `SessionError`."""
    text = expand(given.get("text", ""))
    date = given.get("date")
    if date is not None and (is_blank(date) or "\n" in date):
        raise invalid_argument("user.date")
    parts = tuple(
        _part(part, f"user.parts[{position}]", dialect)
        for position, part in enumerate(given.get("parts", []))
    )
    if is_blank(text) and all(map(is_blank_part, parts)):
        raise invalid_argument("user.text")
    starts = given.get("delivery", "starts-turn") == "starts-turn"
    return UserMessage(given.get("sender", "person"), starts, text, parts, date)


def reply(
    json: str, *, incomplete: bool, dialect: Dialect, around: Around | None = None
) -> GivenReply:
    """A reply in the dialect. Raises `SessionError`; which place is at fault is left open."""
    around = around or Around()
    repairs = dialect.rules.value("replies.repair") == "on"
    try:
        put = Repaired(parse(json), incomplete)
        if repairs and is_foreign(put.given, dialect.name):
            raise _bad_reply()
        if repairs:
            put = repaired(put.given, dialect.name, dialect.rules, around, cut=incomplete)
        taken = dialect.taken(put.given)
        calls = [] if put.incomplete else dialect.calls(taken)
    except (ValueError, BadReplyError):
        raise _bad_reply() from None
    if len({call.id for call in calls}) < len(calls):
        raise _bad_reply()
    problems = put.problems or [None] * len(calls)
    unstored = repairs and around.unstored
    return GivenReply(json, taken, put.incomplete, calls, problems, unstored)


def _is_base64(text: str) -> bool:
    return len(text) % 4 == 0 and BASE64.fullmatch(text) is not None


def _bad_reply() -> SessionError:
    return SessionError("invalid-argument", {"argument": None, "problem": None})


def _part(part: Json, place: str, dialect: str | None) -> Json:
    """A part with its text put together or its block read. Raises `SessionError`."""
    if "text" in part:
        return {"text": expand(part["text"])}
    if "image-url" in part and is_blank(part["image-url"]):
        raise invalid_argument(f"{place}.image-url")
    if dialect == "anthropic-messages" and DATA_URL.match(part.get("image-url", "")):
        raise invalid_argument(f"{place}.image-url")
    for name, value in part.get("image", {}).items():
        if is_blank(value):
            raise invalid_argument(f"{place}.image.{name}")
    if "image" in part and not _is_base64(part["image"]["base64"]):
        raise invalid_argument(f"{place}.image.base64")
    if "block" not in part:
        return part
    try:
        return {"block": parse_object(passed(part["block"]))}
    except ValueError:
        raise invalid_argument(f"{place}.block") from None
