"""Results that are shown shorter, where nothing else makes room (compaction: Shown shorter)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .casefile import Json
from .conversation import Message, Result, current_turn
from .lines import capped
from .session import Session, number_of
from .unfolding import unfolded


@dataclass(frozen=True)
class Room:
    """What made a request fit: how many results, in how many characters, whether one was sent."""

    count: int
    most: int
    sent: bool


def lengths(session: Session) -> Iterator[int]:
    """How short a result may be shown, longest first."""
    most, least = (int(session.rules.value(f"budget.shorten_{name}")) for name in ("most", "least"))
    while most > least:
        yield most
        most //= 2
    yield least


def candidates(session: Session, messages: list[Message], sent: int) -> list[set[str]]:
    """The results that are tried: those that no request has held, then all that are sent."""
    turn = current_turn(messages) if session.settings.kind == "chat" else messages
    every = {one.id for message in turn for one in message.answers()}
    new = {id_ for id_ in every if (number_of(id_) or 0) > sent}
    return [new, every]


def shortened(session: Session, messages: list[Message], pool: set[str], most: int) -> Json:
    """The messages with what is longer shown shorter, and its ids; None if there is none."""
    full = {one.id for message in messages for one in message.answers() if one.refers_to is None}
    longer = {id_ for id_ in pool & full if _length(session, messages, id_) > most}
    if not longer:
        return None
    # Stubs of what is not shown in full any more name a result that is gone, so to speak.
    whole = unfolded(session, messages, longer)
    stubs = {
        new.id
        for old_message, new_message in zip(messages, whole, strict=True)
        for old, new in zip(old_message.answers(), new_message.answers(), strict=True)
        if old.refers_to != new.refers_to
    }
    held = longer | {id_ for id_ in stubs if _length(session, whole, id_) > most}
    made = [
        replace(
            message,
            results=[
                _held(session, one, most) if one is not None and one.id in held else one
                for one in message.results
            ],
        )
        for message in whole
    ]
    session.reads = [read for read in session.reads if read.id not in held]
    session.searches = [one for one in session.searches if one.id not in held]
    return made, longer | stubs


def _length(session: Session, messages: list[Message], id_: str) -> int:
    """How many characters are shown of a result below its first line."""
    if id_ not in session.bodies:
        return 0
    shown = next(one for message in messages for one in message.answers() if one.id == id_)
    after = shown.text[len(session.shown(session.bodies[id_].head)) :]
    return len(after.partition("\n")[2])


def _held(session: Session, result: Result, most: int) -> Result:
    """A result of which so many characters are shown: half at the head, a quarter at the end."""
    body = session.bodies[result.id]
    limits = {"max_chars": most, "head_chars": most // 2, "tail_chars": most // 4}
    own = body.cap or {"cut": session.rules.section("cap")["cut"]}
    cap = own | {name: min(most, own.get(name, most)) for name, most in limits.items()}
    text = session.shown(body.text)
    short = capped(text, result.id, session.rules, cap)
    head = session.shown(body.head)
    whole = f"{head}\n{text}{body.mark}"
    return replace(result, text=whole if short is None else short.below(head))
