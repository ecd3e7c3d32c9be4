"""A request's body, made whole (requests: The body, Breakpoints), and what two of them share."""

from __future__ import annotations

from dataclasses import dataclass

from . import breakpoints
from .blocks import InFront
from .casefile import Json
from .dialects import Dialect, Item
from .spelling import compact, parse_object

WRITTEN_HERE = ("tools", "messages", "system", "instructions", "input")


@dataclass(frozen=True)
class Piece:
    """A message of a body (in Anthropic a block of one). `bare` is it without a breakpoint."""

    number: int
    role: str
    bare: str
    text: str


@dataclass(frozen=True)
class Body:
    """A body with its parts. `ends` are where its pieces end, in bytes.

    `system` tells all that stands in front of the conversation, whose `pieces` follow.
    `bare_tools` and `bare_system` are without the session's breakpoint of the cache.
    """

    text: str
    model: str | None
    tools: str | None
    system: str
    pieces: tuple[Piece, ...]
    ends: tuple[int, ...]
    bare_tools: str
    bare_system: str

    @property
    def data(self) -> bytes:
        """What is sent."""
        return self.text.encode()

    def head(self) -> tuple[str | None, ...]:
        """What stands before the messages."""
        return self.model, self.tools, self.system

    def bare_head(self) -> tuple[str | None, ...]:
        """The same without breakpoints of the session's."""
        return self.model, self.bare_tools, self.bare_system


@dataclass(frozen=True)
class Front:
    """What stands at the front of every request, as the dialect has it; None if left out.

    `items` stand in the list of messages, before those of the conversation.
    """

    tools: list[Json]
    system: Json
    items: tuple[Item, ...]


def parameters_of(given: str) -> Json:
    """A request's parameters. Raises `ValueError`."""
    parameters = parse_object(given) if given.strip() else {}
    for name in WRITTEN_HERE:
        if name in parameters:
            raise ValueError(f"{name} is written here")
    return parameters


def front(dialect: Dialect, tools: list[Json], messages: list[InFront]) -> Front:
    """Tools and the messages in front."""
    beside = [] if dialect.system_key is None else [one for one in messages if one.zone == "system"]
    spelled = dialect.system(beside[0].text) if beside else None
    items = tuple(dialect.in_front(one) for one in messages if one not in beside)
    return Front(list(tools), spelled, items)


def body(
    dialect: Dialect, parameters: Json, at_front: Front, items: list[Item], *, marks: bool = True
) -> Body:
    """The whole body. Without `marks` the session sets no breakpoint."""
    nul = dialect.rules.nul
    model = compact(parameters["model"], nul) if "model" in parameters else None
    all_items = [*at_front.items, *items]
    marked = breakpoints.marked(dialect, parameters, (at_front.tools, at_front.system), all_items)
    shown = marked if marks else {}
    bare_tools = compact(at_front.tools, nul) if at_front.tools else None
    tools = None if bare_tools is None else compact(_with(shown, "tools", at_front.tools), nul)
    system = None
    if at_front.system is not None:
        system = compact(_with(shown, "system", at_front.system), nul)
    head = [("model", model), ("tools", tools)]
    if dialect.system_key is not None:
        head.append((dialect.system_key, system))
    written = "{" + "".join(f'"{key}":{value},' for key, value in head if value is not None)
    written += f'"{dialect.messages_key}":['
    spelled = _with(shown, "messages", [item.json for item in all_items])
    pieces = [
        Piece(item.number, item.role, compact(item.json, nul), compact(block, nul))
        for item, block in zip(all_items, spelled, strict=True)
    ]
    count = len(at_front.items)
    listed, ends = _listed(dialect, pieces)
    start = len(written.encode())
    rest = "".join(
        f",{compact(key, nul)}:{compact(value, nul)}"
        for key, value in parameters.items()
        if key != "model"
    )
    text = f"{written}{listed}]{rest}}}"
    in_front = [piece.bare for piece in pieces[:count]]
    before, bare_before = (
        compact([one, *in_front]) for one in (system, compact(at_front.system, nul))
    )
    ends = [start + end for end in ends[count:]]
    return Body(
        text,
        model,
        tools,
        before,
        tuple(pieces[count:]),
        tuple(ends),
        bare_tools or "",
        bare_before,
    )


def _with(shown: breakpoints.Marked, part: str, blocks: Json) -> Json:
    """Blocks with the breakpoints that the session sets on some of them."""
    if not isinstance(blocks, list):
        return blocks
    marks = (shown.get((part, place)) for place in range(len(blocks)))
    return [
        block if mark is None else block | {"cache_control": mark}
        for block, mark in zip(blocks, marks, strict=True)
    ]


def shared(old: bytes, new: bytes) -> int:
    """How many bytes, from the first, are equal."""
    length = min(len(old), len(new))
    return next((place for place in range(length) if old[place] != new[place]), length)


def first_unlike(old: Body, new: Body) -> int:
    """The place of the first piece of `old` that `new` does not have there."""
    for place, piece in enumerate(old.pieces):
        if place == len(new.pieces):
            return place
        other = new.pieces[place]
        if (piece.role, piece.text) != (other.role, other.text):
            return place
    return len(old.pieces)


def _listed(dialect: Dialect, pieces: list[Piece]) -> tuple[str, list[int]]:
    """The list of messages without its brackets, and where each piece ends in it."""
    merges = _merges(dialect)
    text, ends, role = "", [], None
    for piece in pieces:
        if merges and piece.role == role:
            text += ","
        else:
            text += "]}," if merges and role is not None else "," if text else ""
            text += f'{{"role":"{piece.role}","content":[' if merges else ""
        role = piece.role
        text += piece.text
        ends.append(len(text.encode()))
    return text + ("]}" if merges and role is not None else ""), ends


def _merges(dialect: Dialect) -> bool:
    """Whether everything of one role in a row is one message."""
    return dialect.system_key == "system"
