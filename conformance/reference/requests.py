"""The requests of a session, and what each says of itself."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field

from . import body
from .blocks import Made
from .body import Body, Front
from .casefile import Json
from .conversation import Message, Reply, Standing, current_turn, last_reply
from .dialects import Dialect, Item
from .spelling import compact
from .thinking import is_blank


@dataclass
class Request:
    """A request that was built. `messages` are those it was made of.

    `model` and `raw` are the model's name and the request's tokens as estimated for it.
    """

    number: int
    body: Body
    messages: list[Message]
    shared: int
    difference: Json
    usage: Json = None
    pressure: Json = None
    model: str = ""
    raw: int = 0
    parameters: Json = None
    made: Made = field(default_factory=Made)

    def report(self) -> Json:
        """The request in the cache report."""
        return {
            "number": self.number,
            "length": len(self.body.data),
            "shared": self.shared,
            "difference": self.difference,
            "usage": self.usage,
        }

    def as_json(self, keep: int, closed: list[Json]) -> Json:
        """The request as a transcript writes it."""
        data = self.body.data
        return {
            "number": self.number,
            "keep": keep,
            "length": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "shared": self.shared,
            "difference": self.difference,
            "closed": closed,
            "pressure": self.pressure,
            "body": self.body.text,
        }


@dataclass
class Requests:
    """All requests, oldest first.

    `fresh`: none was built since the session was opened. `compacted`: since the last one, a summary
    took the place of messages.
    """

    dialect: Dialect
    kind: str
    built: list[Request] = field(default_factory=list)
    fresh: bool = True
    compacted: bool = False

    def build(
        self, parameters: Json, front: Front, messages: list[Message]
    ) -> tuple[Request, Kept]:
        """The next request, and how much it keeps of the body before."""
        made = body.body(self.dialect, parameters, front, self.items(messages))
        before = self.built[-1] if self.built else None
        shared = 0 if before is None else body.shared(before.body.data, made.data)
        difference = None if before is None else self._difference(before, made, shared, messages)
        request = Request(len(self.built) + 1, made, list(messages), shared, difference)
        self.compacted = False
        if before is None or self.fresh:
            return request, Kept(0, 0)
        return request, kept(before.body, made, shared)

    def items(self, messages: list[Message]) -> list[Item]:
        """What a request holds of messages."""
        return self.items_of(self.standings(messages))

    def standings(self, messages: list[Message]) -> list[Standing]:
        """How each message stands in the request that is made of all of them."""
        turn = {message.number for message in current_turn(messages)}
        return [
            Standing(
                message,
                self.kind != "chat" or message.reply is None or message.number in turn,
                self._carries(message, messages, in_turn=message.number in turn),
            )
            for message in messages
        ]

    def items_of(self, standings: list[Standing]) -> list[Item]:
        """What a request holds of messages that stand so."""
        items: list[Item] = []
        merged: list[str] = []
        first = 0
        for standing in standings:
            message = standing.message
            if message.reply is not None and not standing.whole:
                first = first or message.number
                merged += self._plain(message.text, message.reply)
                continue
            items += self._merged(first, merged)
            merged, first = [], 0
            items += self._items(message, carried=standing.carried)
        return items + self._merged(first, merged)

    def _plain(self, text: str, reply: Reply) -> list[str]:
        """What a chat sends of an earlier turn's reply."""
        texts = [] if is_blank(text) else [text]
        return [*texts, self.dialect.interrupted] if reply.incomplete else texts

    def _merged(self, number: int, texts: list[str]) -> list[Item]:
        return [self.dialect.plain_reply(number, "\n\n".join(texts))] if texts else []

    def _carries(self, message: Message, messages: list[Message], *, in_turn: bool) -> bool:
        """Whether a reply goes with its reasoning."""
        if self.dialect.rules.value("reasoning.carry") == "none":
            return False
        earlier = self.dialect.rules.value("reasoning.earlier_turns")
        if in_turn or earlier == "all" or (earlier == "tool-calls" and message.calls):
            return True
        sent = [one for one in messages if one.reply is None or self._is_sent(one, one.reply)]
        is_open = bool(message.calls) and message is last_reply(sent)
        return self.dialect.wants_thinking_of_open_loops and is_open

    def _is_sent(self, message: Message, reply: Reply) -> bool:
        """Whether anything of a reply stands in a request."""
        return bool(self.dialect.reply(message.number, reply, carried=True))

    def _items(self, message: Message, *, carried: bool) -> list[Item]:
        if message.reply is None:
            return self.dialect.user(message)
        items = self.dialect.reply(message.number, message.reply, carried=carried)
        for call, result in zip(message.calls, message.results, strict=True):
            if result is not None:
                items.append(self.dialect.result(message.number, call, result))
        return items

    def _difference(
        self, before: Request, made: Body, shared: int, messages: list[Message]
    ) -> Json:
        """Where a body first differs from the one before, and why; None if it does not."""
        old = before.body
        if shared >= (old.ends[-1] if old.ends else 0):
            return None
        for part, one, other in zip(
            ("model", "tools", "system"), old.head(), made.head(), strict=True
        ):
            if one != other:
                cause = "compaction" if part == "system" and self.compacted else part
                return {"part": part, "message": None, "cause": cause}
        place = body.first_unlike(old, made)
        number = old.pieces[place].number
        cause = self._cause(before, made, place, messages)
        is_kept = cause not in ("compaction", "rewind")
        if is_kept and _is_shown_otherwise(number, before.messages, messages):
            cause = "shortened"
        return {"part": "messages", "message": number, "cause": cause}

    def _cause(self, before: Request, made: Body, place: int, messages: list[Message]) -> str:
        """What changed the piece at a place of the body before."""
        if self.compacted:
            return "compaction"
        if self._is_rewind(before, place, {message.number for message in messages}):
            return "rewind"
        piece = before.body.pieces[place]
        other = made.pieces[place] if place < len(made.pieces) else None
        if other is not None and (piece.role, piece.bare) == (other.role, other.bare):
            return "cache-breakpoint"
        if self.kind == "agent":
            return "turn-boundary-reasoning"
        message = next(one for one in before.messages if one.number == piece.number)
        if message.calls or not self._carried_reasoning(message, before.messages):
            return "earlier-results"
        return "turn-boundary-reasoning"

    def _carried_reasoning(self, message: Message, messages: list[Message]) -> bool:
        """Whether a reply stood with reasoning among these messages."""
        if message.reply is None:
            return False
        carried = self._carries(message, messages, in_turn=message in current_turn(messages))
        spelled = self.dialect.reply(message.number, message.reply, carried=carried)
        return spelled != self.dialect.reply(message.number, message.reply, carried=False)

    def _is_rewind(self, before: Request, place: int, standing: Collection[int]) -> bool:
        """Whether the piece is another without the messages that were taken back since."""
        left = [message for message in before.messages if message.number in standing]
        pieces = [(item.role, compact(item.json)) for item in self.items(left)]
        old = [(item.role, compact(item.json)) for item in self.items(before.messages)]
        return pieces[: place + 1] != old[: place + 1]


def _is_shown_otherwise(number: int, before: list[Message], now: list[Message]) -> bool:
    """Whether a message's results are shown otherwise than they were."""
    old, new = ([one for one in messages if one.number == number] for messages in (before, now))
    return bool(old and new) and old[0].answers() != new[0].answers()


@dataclass(frozen=True)
class Kept:
    """How many bytes of the body before a writer keeps. Both ends are right, and all between.

    They differ where of a message, or of a reply and its results, only the first blocks stand, and
    where nothing stands but the head.
    """

    least: int
    most: int


def kept(before: Body, made: Body, shared: int) -> Kept:
    """What a writer keeps of a body: up to the end of the last message that stands."""
    if before.head() != made.head():
        return Kept(0, 0)
    count = body.first_unlike(before, made)
    if count == 0:
        return Kept(0, shared)
    whole = count
    numbers = [piece.number for piece in before.pieces]
    while whole < len(numbers) and whole and numbers[whole - 1] == numbers[whole]:
        whole -= 1
    return Kept(before.ends[whole - 1] if whole else 0, before.ends[count - 1])
