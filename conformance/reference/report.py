"""What fills the window, part by part (assembly: What fills the window)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace

from . import body
from .amounts import Amounts
from .blocks import Made
from .casefile import Json
from .conversation import Message, ReplyCall, Result, Standing
from .dialects import Dialect, is_blank_part
from .spelling import compact, is_text, parse
from .thinking import is_blank
from .tools import Tool, spelled
from .upcoming import Upcoming

KINDS = (
    *("system", "front", "tools", "skills", "summary", "person", "machine", "subagent"),
    *("notes", "replies", "reasoning", "calls", "results"),
)
Cost = Callable[[Amounts], int]


@dataclass(frozen=True)
class Bit:
    """Something that stands in a body. Bits of one `unit` are counted once."""

    kind: str
    name: str
    unit: Hashable
    size: int
    cost: Cost
    result: Result | None = None


def report(upcoming: Upcoming, front: body.Front, made: Made) -> Json:
    """The parts of the next request and its largest results, but for its pressure."""
    dialect = upcoming.requests.dialect
    items = upcoming.requests.items_of(upcoming.standings())
    length = len(body.body(dialect, upcoming.parameters, front, items).data)
    bits = list(_Bits(dialect).all(upcoming, made))
    parts = [_part(upcoming, *group) for group in _groups(bits)]
    framing = _framing(upcoming, bits, length)
    return {
        "bytes": length,
        "parts": [*parts, framing],
        "biggest": _biggest(upcoming, bits),
    }


def _groups(bits: list[Bit]) -> Iterator[tuple[str, str, list[Bit]]]:
    for kind in KINDS:
        of_kind = [bit for bit in bits if bit.kind == kind]
        for name in dict.fromkeys(bit.name for bit in of_kind):
            yield kind, name, [bit for bit in of_kind if bit.name == name]


def _part(upcoming: Upcoming, kind: str, name: str, bits: list[Bit]) -> Json:
    return {
        "kind": kind,
        "name": name,
        "count": len({bit.unit for bit in bits}),
        "bytes": sum(bit.size for bit in bits),
        "tokens": _tokens(upcoming, bits),
    }


def _tokens(upcoming: Upcoming, bits: list[Bit]) -> int:
    return upcoming.tokens_of(lambda amounts: sum(bit.cost(amounts) for bit in bits))


def _framing(upcoming: Upcoming, bits: list[Bit], length: int) -> Json:
    """What is left."""

    def cost(amounts: Amounts) -> int:
        return upcoming.cost(upcoming.standings(), amounts) - sum(bit.cost(amounts) for bit in bits)

    left = length - sum(bit.size for bit in bits)
    tokens = upcoming.tokens_of(cost, whole=True)
    return {"kind": "framing", "name": "", "count": 1, "bytes": left, "tokens": tokens}


def _biggest(upcoming: Upcoming, bits: list[Bit]) -> Json:
    most = int(upcoming.rules.value("report.biggest"))
    results = [(bit, bit.result) for bit in bits if bit.result is not None]
    results.sort(key=lambda pair: -pair[0].size)
    return [
        {"id": one.id, "tool": bit.name, "bytes": bit.size, "tokens": _tokens(upcoming, [bit])}
        for bit, one in results[:most]
    ]


@dataclass(frozen=True)
class _Bits:
    """Finds what stands in a body, in the order in which it stands there."""

    dialect: Dialect

    def all(self, upcoming: Upcoming, made: Made) -> Iterator[Bit]:
        """All bits of a request."""
        for place, block in enumerate(made.standing):
            kind = "system" if block.zone == "system" else "front"
            yield self._text(kind, block.name, place, block.text)
        for place, tool in enumerate(upcoming.tools):
            yield self._tool(place, tool)
        for standing in upcoming.standings():
            yield from self._message(standing)

    def _text(self, kind: str, name: str, unit: Hashable, text: str) -> Bit:
        return Bit(kind, name, unit, self._length(text) - 2, lambda amounts: amounts.text(text))

    def _json(self, kind: str, unit: Hashable, value: Json, cost: Cost) -> Bit:
        return Bit(kind, "", unit, self._length(value), cost)

    def _length(self, value: Json) -> int:
        return len(compact(value, self.dialect.rules.nul).encode())

    def _tool(self, place: int, tool: Tool) -> Bit:
        size = self._length(spelled(tool, self.dialect))
        return Bit("tools", tool.name, place, size, lambda amounts: amounts.tool(tool))

    def _message(self, standing: Standing) -> Iterator[Bit]:
        message = standing.message
        if message.reply is None:
            yield from self._user(message)
        elif not standing.whole:
            yield from self._words(message, [] if is_blank(message.text) else [message.text])
        else:
            yield from self._reply(message, carried=standing.carried)
            for call, result in zip(message.calls, message.results, strict=True):
                if result is not None:
                    yield self._result(call.name, result)

    def _result(self, name: str, result: Result) -> Bit:
        bit = self._text("results", name, result.id, result.text)
        return replace(bit, result=result)

    def _user(self, message: Message) -> Iterator[Bit]:
        number = message.number
        kind = "summary" if message.summary is not None else message.speaker
        for place, envelope in enumerate(message.envelopes):
            yield self._text("skills", envelope.name, (number, place), envelope.text)
        text = message.words
        if text != "" and not is_blank(message.text):
            yield self._text(kind, "", number, text)
        for part in message.parts:
            if not is_blank_part(part):
                yield self._user_part(kind, number, part)
        if message.note is not None:
            yield self._text("notes", "", number, message.note)

    def _user_part(self, kind: str, number: int, part: Json) -> Bit:
        part = self.dialect.shown(part)
        if "text" in part:
            return self._text(kind, "", number, part["text"])
        sent = self.dialect.part(part)
        return self._json(kind, number, sent, lambda amounts: amounts.part(part))

    def _words(self, message: Message, texts: list[str]) -> Iterator[Bit]:
        """A reply's visible texts, which cost what the whole text costs."""
        size = sum(self._length(one) - 2 for one in texts)
        text, number = message.text, message.number
        if message.reply is not None and message.reply.incomplete:
            yield self._text("replies", "", number, self.dialect.interrupted)
        if size > 0:
            yield Bit("replies", "", number, size, lambda amounts: amounts.text(text))

    def _reply(self, message: Message, *, carried: bool) -> Iterator[Bit]:
        if message.reply is None:
            return
        items = self.dialect.reply(message.number, message.reply, carried=carried)
        sent = [item.json for item in items]
        if not sent:
            return
        number = message.number
        yield from self._words(message, self.dialect.words_sent(sent, message.reply))
        for other in self.dialect.others_sent(sent):
            yield self._other(number, other)
        yield from self._reasoning(number, sent)
        for place, call in enumerate(message.calls):
            yield self._call((number, place), call)

    def _other(self, number: int, sent: Json) -> Bit:
        return self._json("replies", number, sent, lambda amounts: amounts.block(sent))

    def _call(self, unit: Hashable, call: ReplyCall) -> Bit:
        bit = self._text("calls", call.name, unit, call.arguments)
        if not self.dialect.arguments_are_json:
            return bit
        return replace(bit, size=self._length(parse(call.arguments)))

    def _reasoning(self, number: int, sent: list[Json]) -> Iterator[Bit]:
        texts = self.dialect.reasoning_sent(sent)
        values = self.dialect.thoughts_sent(sent)
        size = sum(self._length(one) - 2 * is_text(one) for one in values)
        if size > 0:
            yield Bit(
                *("reasoning", "", number, size),
                lambda amounts: sum(map(amounts.text, texts)),
            )
