"""A request's body, made whole (requests: The body, Breakpoints), and what two of them share."""

from __future__ import annotations

from dataclasses import dataclass

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
    `bare_tools` are the tools without a breakpoint of the cache.
    """

    text: str
    model: str | None
    tools: str | None
    system: str
    pieces: tuple[Piece, ...]
    ends: tuple[int, ...]
    bare_tools: str

    @property
    def data(self) -> bytes:
        """What is sent."""
        return self.text.encode()

    def head(self) -> tuple[str | None, ...]:
        """What stands before the messages."""
        return self.model, self.tools, self.system


@dataclass(frozen=True)
class Front:
    """What stands at the front of every request, as the dialect has it; None if left out.

    `items` stand in the list of messages, before those of the conversation.
    """

    tools: list[Json] | None
    system: Json
    items: tuple[Item, ...]
    bare_tools: tuple[Json, ...]


def parameters_of(given: str) -> Json:
    """A request's parameters. Raises `ValueError`."""
    parameters = parse_object(given) if given.strip() else {}
    for name in WRITTEN_HERE:
        if name in parameters:
            raise ValueError(f"{name} is written here")
    return parameters


def front(dialect: Dialect, tools: list[Json], messages: list[InFront]) -> Front:
    """Tools and the messages in front, with the first breakpoint of the cache."""
    shown = list(tools)
    beside = [] if dialect.system_key is None else [one for one in messages if one.zone == "system"]
    spelled = dialect.system(beside[0].text) if beside else None
    if _breakpoints(dialect):
        if spelled is not None:
            spelled = [*spelled[:-1], _marked(spelled[-1], dialect)]
        elif shown:
            shown[-1] = _marked(shown[-1], dialect)
    items = tuple(dialect.in_front(one) for one in messages if one not in beside)
    return Front(shown or None, spelled, items, tuple(tools))


def body(dialect: Dialect, parameters: Json, at_front: Front, items: list[Item]) -> Body:
    """The whole body."""
    nul = dialect.rules.nul
    model = compact(parameters["model"], nul) if "model" in parameters else None
    tools = None if at_front.tools is None else compact(at_front.tools, nul)
    system = None if at_front.system is None else compact(at_front.system, nul)
    head = [("model", model), ("tools", tools)]
    if dialect.system_key is not None:
        head.append((dialect.system_key, system))
    written = "{" + "".join(f'"{key}":{value},' for key, value in head if value is not None)
    written += f'"{dialect.messages_key}":['
    count, pieces = len(at_front.items), _pieces(dialect, [*at_front.items, *items])
    listed, ends = _listed(dialect, pieces)
    start = len(written.encode())
    rest = "".join(
        f",{compact(key, nul)}:{compact(value, nul)}"
        for key, value in parameters.items()
        if key != "model"
    )
    text = f"{written}{listed}]{rest}}}"
    before = compact([system, *(piece.bare for piece in pieces[:count])])
    ends = [start + end for end in ends[count:]]
    bare = compact(list(at_front.bare_tools), nul) if at_front.bare_tools else ""
    return Body(text, model, tools, before, tuple(pieces[count:]), tuple(ends), bare)


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


def _pieces(dialect: Dialect, items: list[Item]) -> list[Piece]:
    nul = dialect.rules.nul
    own = [item for item in items if item.role == "user" and "cache_control" in item.json]
    marked = _marked_places(items, _breakpoints(dialect) - 1 - len(own))
    return [
        Piece(
            item.number,
            item.role,
            compact(item.json, nul),
            compact(_marked(item.json, dialect) if place in marked else item.json, nul),
        )
        for place, item in enumerate(items)
    ]


def _marked_places(items: list[Item], count: int) -> set[int]:
    """The last blocks of the newest `count` messages of role `user`."""
    roles = [item.role for item in items]
    lasts = [
        place
        for place, role in enumerate(roles)
        if role == "user" and roles[place + 1 : place + 2] != ["user"]
    ]
    return set(lasts[-count:]) if count > 0 else set()


def _marked(block: Json, dialect: Dialect) -> Json:
    if "cache_control" in block:
        return block
    ttl = dialect.rules.value("requests.cache_ttl")
    mark = {"type": "ephemeral"} | ({"ttl": ttl} if ttl else {})
    return block | {"cache_control": mark}


def _merges(dialect: Dialect) -> bool:
    """Whether everything of one role in a row is one message."""
    return dialect.system_key == "system"


def _breakpoints(dialect: Dialect) -> int:
    return int(dialect.rules.value("requests.cache_breakpoints")) if _merges(dialect) else 0
