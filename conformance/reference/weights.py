"""The token estimate of a text (docs/tokens.md), in thousandths of a token."""

from __future__ import annotations

import json
from functools import cache
from itertools import groupby
from pathlib import Path

from .casefile import Json

TOKENS: Json = json.loads(
    (Path(__file__).parent.parent / "tokens.json").read_text(encoding="utf-8")
)
VOCABULARIES = tuple(TOKENS["weights"])

ASCII_CLASSES: tuple[str, ...] = tuple(TOKENS["ascii"])
ASCII_CLASS_OF: dict[str, str] = {
    letter: name for name, letters in TOKENS["ascii"].items() for letter in letters
}
RANGES: dict[str, range] = {
    name: range(int(span[: span.index("-")], 16), int(span[span.index("-") + 1 :], 16) + 1)
    for name, span in TOKENS["beyond"].items()
}
FIRST_BEYOND_ASCII = 0x80


@cache
def class_of(letter: str) -> str:
    """The class of a character."""
    if ord(letter) < FIRST_BEYOND_ASCII:
        return ASCII_CLASS_OF.get(letter, ASCII_CLASSES[-1])
    names = (name for name, span in RANGES.items() if ord(letter) in span)
    return next(names, "other")


@cache
def cost(text: str, vocabulary: str) -> int:
    """Thousandths of a token that a text costs in a vocabulary."""
    weights = TOKENS["weights"][vocabulary]
    before, spent = "newline", 0
    for name, letters in groupby(text, class_of):
        length = sum(1 for _ in letters)
        if name not in ASCII_CLASSES:
            spent += _beyond(weights["beyond"][name], length, after_space=before == "space")
        elif name == before:
            spent += _further(weights["further"][name], length)
        else:
            row = before if before in ASCII_CLASSES else "beyond"
            spent += weights["first"][row][ASCII_CLASSES.index(name)]
            spent += _further(weights["further"][name], length - 1)
        before = name
    return spent


def _beyond(row: list[int], length: int, *, after_space: bool) -> int:
    """A run beyond ASCII: its first character by what comes before, the rest by their place."""
    return row[0 if after_space else 1] + _further(row[2:], length - 1)


def _further(row: list[int], length: int) -> int:
    """What so many characters of a run cost after its first; the last number goes on."""
    return sum(row[min(place, len(row) - 1)] for place in range(length))
