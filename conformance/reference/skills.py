"""Skills that stand in messages (compaction: Skill envelopes)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .rules import Rules

SIMPLE = dict(zip('"\\abfnrtv', '"\\\a\b\f\n\r\t\v', strict=True))
ESCAPED = {letter: name for name, letter in SIMPLE.items()}
ESCAPE = re.compile(
    r'\\(?:(?P<simple>["\\abfnrtv])|x(?P<byte>[0-9a-fA-F]{2})'
    r"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))"
)
QUOTED = r'"((?:[^"\\\n]|\\.)*)"'
HALF_PAIRS = range(0xD800, 0xE000)
LAST_OF_FOUR_DIGITS = 0xFFFF
LAST_CHARACTER = 0x10FFFF


@dataclass(frozen=True)
class Envelope:
    """A skill that was switched on or off; `text` is all of it, as it stood."""

    name: str
    is_active: bool
    text: str


@dataclass(frozen=True)
class Parsed:
    """A text: a notice with its blank line, envelopes, and the rest."""

    notice: str
    envelopes: tuple[Envelope, ...]
    rest: str

    @property
    def without(self) -> str:
        """The text without its envelopes."""
        return self.notice + self.rest


def parsed(text: str, rules: Rules) -> Parsed:
    """What a text begins with."""
    notices = [f"{notice}\n\n" for notice in rules.value("skills.notices")]
    notice = next((notice for notice in notices if text.startswith(notice)), "")
    rest = text[len(notice) :]
    envelopes: list[Envelope] = []
    while envelope := _envelope(rest, str(rules.value("skills.element"))):
        envelopes.append(envelope)
        rest = rest[len(envelope.text) :].removeprefix("\n\n")
    return Parsed(notice, tuple(envelopes), rest)


def enclosed(name: str, body: str, rules: Rules, *, on: bool = False) -> Envelope:
    """An envelope of its own."""
    element, state = rules.value("skills.element"), "active" if on else "inactive"
    opening = f'<{element} name={_quoted(name)} state="{state}" bytes="{len(body.encode())}">'
    return Envelope(name, on, f"{opening}\n{body}\n</{element}>")


def _envelope(text: str, element: str) -> Envelope | None:
    """The envelope that a text begins with, if it is well formed."""
    opening = re.match(
        rf'<{re.escape(element)} name={QUOTED} state="(active|inactive)" bytes="([0-9]+)">\n', text
    )
    if opening is None:
        return None
    name, left = _unquoted(opening[1]), text[opening.end() :].encode()
    digits = opening[3].lstrip("0") or "0"
    if name is None or len(digits) > len(str(len(left))) or int(digits) > len(left):
        return None
    length, closing = int(digits), f"\n</{element}>".encode()
    if not left[length:].startswith(closing):
        return None
    body = left[: length + len(closing)].decode()
    return Envelope(name, opening[2] == "active", opening[0] + body)


def _quoted(name: str) -> str:
    """A name with Go's escapes, in quotes."""
    return '"' + "".join(map(_spelled, name)) + '"'


def _spelled(letter: str) -> str:
    if letter in ESCAPED:
        return f"\\{ESCAPED[letter]}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code <= LAST_OF_FOUR_DIGITS else f"\\U{code:08x}"


def _unquoted(spelled: str) -> str | None:
    """A name without Go's escapes; None for one that is spelled otherwise."""
    name, place = b"", 0
    while place < len(spelled):
        if spelled[place] != "\\":
            name += spelled[place].encode()
            place += 1
            continue
        escape = ESCAPE.match(spelled, place)
        value = None if escape is None else _escaped(escape)
        if escape is None or value is None:
            return None
        name += value
        place = escape.end()
    return name.decode(errors="replace")


def _escaped(escape: re.Match[str]) -> bytes | None:
    if escape["simple"]:
        return SIMPLE[escape["simple"]].encode()
    if escape["byte"]:
        return bytes.fromhex(escape["byte"])
    code = int(escape["short"] or escape["long"], 16)
    return None if code in HALF_PAIRS or code > LAST_CHARACTER else chr(code).encode()
