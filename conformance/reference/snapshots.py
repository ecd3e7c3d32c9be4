"""Hashes of what a request held, and where two requests part (assembly: Snapshots)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from .casefile import Json
from .chat import Chat
from .conversation import Message, ReplyCall, Standing
from .dialects import Dialect, is_blank_part
from .models import EXPLICIT, whole_number
from .requests import Request, Requests
from .spelling import compact, parse
from .thinking import is_blank

SHORT = 4
"""Bytes of a hash."""
GO_ESCAPES = str.maketrans(
    {
        "<": "\\u003c",
        ">": "\\u003e",
        "&": "\\u0026",
        "\u2028": "\\u2028",
        "\u2029": "\\u2029",
    }
)


@dataclass(frozen=True)
class Hashed:
    """A message of a request. `rest` is what is hashed beside role and content."""

    number: int | None
    role: str
    content: str
    rest: str = ""

    def as_json(self) -> Json:
        """The message as a snapshot tells it."""
        data = (self.role + self.content + self.rest).encode()
        return {"message": self.number, "role": self.role, "hash": short_hash(data)}

    @property
    def size(self) -> int:
        """Bytes of role and content."""
        return len((self.role + self.content).encode())


def snapshot(requests: Requests, request: Request) -> Json:
    """What a request held."""
    dialect = requests.dialect
    hashing = _Hashing(dialect)
    in_front = request.made.messages(in_order=isinstance(dialect, Chat))
    messages = [
        *(Hashed(None, one.zone, hashing.shown(one.text)) for one in in_front),
        *(hashed for standing in request.standings for hashed in hashing.message(standing)),
    ]
    given = (whole_number(request.parameters.get(name)) for name in EXPLICIT)
    return {
        "request": request.number,
        "messages": [message.as_json() for message in messages],
        "prompt-bytes": sum(message.size for message in messages),
        "blocks-bytes": sum(block.size for block in request.made.blocks),
        "tools-bytes": len(request.body.bare_tools.encode()),
        "max-tokens": next((number for number in given if number), None),
    }


def diagnosis(earlier: Json, later: Json) -> Json:
    """What two snapshots have in common; `earlier` may be None."""
    before = [] if earlier is None else [one["hash"] for one in earlier["messages"]]
    after = [one["hash"] for one in later["messages"]]
    pairs = enumerate(zip(before, after, strict=False))
    shared = next(
        (place for place, (one, other) in pairs if one != other), min(len(before), len(after))
    )
    prefix = ""
    for hash_ in after[:shared]:
        prefix = short_hash((prefix + hash_).encode())
    parts = shared < len(before) and shared < len(after)
    return {
        "predecessor-known": earlier is not None,
        "shared": shared,
        "earlier": len(before),
        "differs-at": later["messages"][shared]["message"] if parts else None,
        "prefix": prefix,
    }


def short_hash(data: bytes) -> str:
    """The first bytes of a hash in hex; empty for nothing."""
    return hashlib.sha256(data).digest()[:SHORT].hex() if data else ""


@dataclass(frozen=True)
class _Hashing:
    dialect: Dialect

    def shown(self, text: str) -> str:
        """A text as it is sent."""
        return text.replace("\0", self.dialect.rules.nul)

    def message(self, standing: Standing) -> Iterator[Hashed]:
        """A message, and the results of a reply; none for what is not sent."""
        message = standing.message
        if message.reply is None:
            yield self._user(message)
            return
        if not standing.whole:
            if message.reply.incomplete or not is_blank(message.text):
                yield Hashed(message.number, "assistant", self.shown(message.text))
            return
        yield from self._reply(message, carried=standing.carried)
        for result in message.answers():
            yield Hashed(message.number, "tool", self.shown(result.text))

    def _user(self, message: Message) -> Hashed:
        note = [] if message.note is None else [message.note]
        texts = [message.text, *self._texts(message.parts), *note]
        content = "\n".join(text for text in texts if not is_blank(text))
        role = "user" if self.dialect.user_role(message) == "user" else "system"
        images = "".join(map(_image, message.parts))
        return Hashed(message.number, role, self.shown(content), self.shown(images))

    def _texts(self, parts: tuple[Json, ...]) -> Iterator[str]:
        for part in parts:
            if "block" in part:
                yield compact(part["block"], self.dialect.rules.nul)
            elif "text" in part and not is_blank_part(part):
                yield part["text"]

    def _reply(self, message: Message, *, carried: bool) -> Iterator[Hashed]:
        if message.reply is None:
            return
        items = self.dialect.reply(message.number, message.reply, carried=carried)
        if not items:
            return
        reasoning = "".join(self.dialect.reasoning_sent([item.json for item in items]))
        rest = reasoning + "".join(map(self._call, message.calls))
        yield Hashed(message.number, "assistant", self.shown(message.text), self.shown(rest))

    def _call(self, call: ReplyCall) -> str:
        return call.name + self._as_json(call.arguments) + call.arguments

    def _as_json(self, arguments: str) -> str:
        """Arguments with sorted keys; nothing for what is no JSON."""
        encodes_as_go = self.dialect.rules.value("snapshots.encoding") == "go"
        if encodes_as_go and is_blank(arguments):
            return "null"
        try:
            written = compact(_sorted(parse(arguments)), self.dialect.rules.nul)
        except ValueError:
            return ""
        return written.translate(GO_ESCAPES) if encodes_as_go else written


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def _image(part: Json) -> str:
    """An image's media type and data; one by its address has no type."""
    if "image" in part:
        return str(part["image"]["media-type"] + part["image"]["base64"])
    return str(part.get("image-url", ""))
