"""Skills as they stand in messages (compaction: Skill envelopes)."""

from __future__ import annotations

from dataclasses import dataclass

from .rules import Rules

SIMPLE = dict(zip('"\\abfnrtv', '"\\\a\b\f\n\r\t\v', strict=True))
ESCAPED = {letter: name for name, letter in SIMPLE.items()}
LAST_OF_FOUR_DIGITS = 0xFFFF
LAST_ASCII = 0x7F


@dataclass(frozen=True)
class Envelope:
    """A skill that was switched on or off; `text` is all of it, as it stands."""

    name: str
    is_active: bool
    text: str


def notice_of(text: str, rules: Rules) -> str:
    """The notice that a text begins with, with its blank line; empty if there is none."""
    notices = [f"{notice}\n\n" for notice in rules.value("skills.notices")]
    return next((notice for notice in notices if text.startswith(notice)), "")


def enclosed(name: str, body: str, rules: Rules, *, on: bool = False) -> Envelope:
    """An envelope of its own."""
    element, state = rules.value("skills.element"), "active" if on else "inactive"
    opening = f'<{element} name={_quoted(name)} state="{state}" bytes="{len(body.encode())}">'
    return Envelope(name, on, f"{opening}\n{body}\n</{element}>")


def _quoted(name: str) -> str:
    """A name with Go's escapes, in quotes."""
    return '"' + "".join(map(_spelled, name)) + '"'


def _spelled(letter: str) -> str:
    if letter in ESCAPED:
        return f"\\{ESCAPED[letter]}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    if code <= LAST_ASCII:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= LAST_OF_FOUR_DIGITS else f"\\U{code:08x}"
