"""The requests of a session, and what each says of itself."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import takewhile

from . import body
from .blocks import InFront, Made
from .body import Body, Front
from .casefile import Json
from .conversation import Message, Reply, Standing, current_turn, last_reply
from .dialects import Dialect, Item
from .reasoning import Rule, rule_of
from .spelling import compact
from .thinking import is_blank
from .tools import Tool

PARTS = ("model", "tools", "system")


@dataclass(frozen=True)
class Ahead:
    """What a request has beside its messages: its model's name, tools, and messages in front."""

    name: str
    tools: list[Tool]
    in_front: list[InFront]


@dataclass
class Request:
    """A request that was built. `messages` are those it was made of.

    `standings` are how those stand in it, `ahead` is what stands before them.
    `model` and `raw` are the model's name and the request's tokens as estimated for it.
    """

    number: int
    body: Body
    messages: list[Message]
    standings: list[Standing]
    ahead: Ahead
    shared: int
    difference: Json
    usage: Json = None
    pressure: Json = None
    model: str = ""
    raw: int = 0
    shown: list[list[str]] = field(default_factory=list)
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
        self, parameters: Json, front: Front, messages: list[Message], ahead: Ahead
    ) -> tuple[Request, Kept]:
        """The next request, and how much it keeps of the body before."""
        standings = self.standings(messages, ahead)
        made = body.body(self.dialect, parameters, front, self.items_of(standings))
        before = self.built[-1] if self.built else None
        shared = 0 if before is None else body.shared(before.body.data, made.data)
        difference = None if before is None else self._difference(before, made, shared, messages)
        number = len(self.built) + 1
        self._unbind(messages, ahead)
        shown = [_texts(message) for message in messages]
        request = Request(
            number, made, list(messages), standings, ahead, shared, difference, shown=shown
        )
        self.compacted = False
        if before is None or self.fresh:
            return request, Kept(0, 0)
        return request, kept(before.body, made, shared)

    def standings(self, messages: list[Message], ahead: Ahead) -> list[Standing]:
        """How each message stands in the request that is made of all of them."""
        rule = rule_of(ahead.name, self.dialect.rules)
        standings = self._stand(messages, rule)
        if not rule.binds:
            return standings
        end = self._differs_from(messages, ahead)
        return [*standings[:end], *(replace(one, carried=False) for one in standings[end:])]

    def _stand(self, messages: list[Message], rule: Rule) -> list[Standing]:
        """The same, as far as nothing before them differs from the request before."""
        turn = {message.number for message in current_turn(messages)}
        whole = self.kind != "chat"
        standings = []
        for message in messages:
            in_turn = message.number in turn
            carried = self._carries(message, messages, rule, in_turn=in_turn)
            keyed = carried and rule.empty and bool(message.calls)
            stands = whole or message.reply is None or in_turn
            standings.append(Standing(message, stands, carried, keyed))
        return standings

    def _unbind(self, messages: list[Message], ahead: Ahead) -> None:
        """Remembers of which replies the thinking is not bound to what stands before them."""
        if self.dialect.rules.value("reasoning.models"):
            for message in messages[self._differs_from(messages, ahead) :]:
                message.unbound = True

    def _differs_from(self, messages: list[Message], ahead: Ahead) -> int:
        """The place from which on messages differ, or stand behind something else, than before.

        Those of them that are no part of the request before are looked at too: whether a reply to
        that request was added behind what was not in it, or loses its thinking at once.
        """
        standings = self._stand(messages, rule_of(ahead.name, self.dialect.rules))
        before = self.built[-1] if self.built else None
        old = [] if before is None else before.standings
        if before is not None and (
            self.compacted
            or (before.ahead.tools, before.ahead.in_front) != (ahead.tools, ahead.in_front)
        ):
            return 0
        pairs = zip(old, standings, strict=False)
        stand = list(takewhile(lambda pair: self._stands_as(*pair), pairs))
        count = len(stand)
        if before is not None:
            texts = zip(before.shown, messages[:count], strict=False)
            changed = [place for place, (was, one) in enumerate(texts) if was != _texts(one)]
            if changed:
                return changed[0] + 1
        if count < len(old):
            return count
        replies = [place for place in range(count, len(messages)) if messages[place].reply]
        if before is not None and replies and replies[0] > count:
            return min([replies[0], *self._thoughtless(standings, count)])
        return min([len(messages), *self._thoughtless(standings, count)])

    def _stands_as(self, old: Standing, new: Standing) -> bool:
        """Whether two standings are one message's, and spelled the same."""
        if old.message.number != new.message.number or old.whole != new.whole:
            return False
        return not new.whole or self._spelled(old) == self._spelled(new)

    def _thoughtless(self, standings: list[Standing], first: int) -> list[int]:
        """The places from `first` on of replies that stand without their thinking."""
        return [
            place
            for place, one in enumerate(standings)
            if place >= first and self._thinks(one.message) and not (one.whole and one.carried)
        ]

    def _thinks(self, message: Message) -> bool:
        """Whether a reply holds thinking that can be left out."""
        if self.dialect.rules.value("reasoning.carry") == "none":
            return False
        with_it, without = (Standing(message, whole=True, carried=one) for one in (True, False))
        return self._spelled(with_it) != self._spelled(without)

    def _spelled(self, standing: Standing) -> list[Item]:
        """A reply's items without its results."""
        message = standing.message
        if message.reply is None:
            return []
        items = self.dialect.reply(message.number, message.reply, carried=standing.carried)
        return self.dialect.with_key(items) if standing.keyed else items

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
            items += self._items(standing)
        return items + self._merged(first, merged)

    def _plain(self, text: str, reply: Reply) -> list[str]:
        """What a chat sends of an earlier turn's reply."""
        texts = [] if is_blank(text) else [text]
        return [*texts, self.dialect.interrupted] if reply.incomplete else texts

    def _merged(self, number: int, texts: list[str]) -> list[Item]:
        return [self.dialect.plain_reply(number, "\n\n".join(texts))] if texts else []

    def _carries(
        self, message: Message, messages: list[Message], rule: Rule, *, in_turn: bool
    ) -> bool:
        """Whether a reply goes with its reasoning."""
        if self.dialect.rules.value("reasoning.carry") == "none":
            return False
        if rule.binds and message.unbound:
            return False
        if in_turn or rule.carries_later(message):
            return True
        if not self.dialect.wants_thinking_of_open_loops or not message.calls:
            return False
        looked_at = messages
        if self.dialect.rules.value("reasoning.after_calls") == "turn":
            looked_at = messages[: len(messages) - len(current_turn(messages))]
        sent = [one for one in looked_at if one.reply is None or self._is_sent(one, one.reply)]
        return message is last_reply(sent)

    def _is_sent(self, message: Message, reply: Reply) -> bool:
        """Whether anything of a reply stands in a request."""
        return bool(self.dialect.reply(message.number, reply, carried=True))

    def _items(self, standing: Standing) -> list[Item]:
        message = standing.message
        if message.reply is None:
            return self.dialect.user(message)
        items = self._spelled(standing)
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
        heads = zip(old.head(), made.head(), old.bare_head(), made.bare_head(), strict=True)
        for part, (one, other, bare, new_bare) in zip(PARTS, heads, strict=True):
            if one != other:
                cause = "compaction" if part == "system" and self.compacted else part
                cause = "cache-breakpoint" if bare == new_bare else cause
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
        rule = rule_of(self.built[-1].ahead.name, self.dialect.rules)
        in_turn = message in current_turn(messages)
        return self._carries(message, messages, rule, in_turn=in_turn) and self._thinks(message)

    def _is_rewind(self, before: Request, place: int, standing: Collection[int]) -> bool:
        """Whether the piece is another without the messages that were taken back since."""
        left = [message for message in before.messages if message.number in standing]
        rule = rule_of(before.ahead.name, self.dialect.rules)
        pieces, old = (
            [(one.role, compact(one.json)) for one in self.items_of(self._stand(messages, rule))]
            for messages in (left, before.messages)
        )
        return pieces[: place + 1] != old[: place + 1]


def _is_shown_otherwise(number: int, before: list[Message], now: list[Message]) -> bool:
    """Whether a message's results are shown otherwise than they were."""
    old, new = ([one for one in messages if one.number == number] for messages in (before, now))
    return bool(old and new) and old[0].answers() != new[0].answers()


def _texts(message: Message) -> list[str]:
    """The results of a message as they are shown."""
    return [one.text for one in message.answers()]


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
