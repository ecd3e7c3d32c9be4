"""Reasoning that stands in a reply's content (requests: Reasoning)."""

from __future__ import annotations

import re
from dataclasses import dataclass

FENCE = "```"
WHITE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""White space as Unicode has it; `str.strip` takes four control characters more."""


@dataclass(frozen=True)
class Split:
    """A content without its inline reasoning, and the reasoning; empty if there was none."""

    reasoning: str
    content: str


def is_blank(text: str) -> bool:
    """Whether nothing but white space stands in a text."""
    return text.strip(WHITE) == ""


def split(content: str, tags: list[str]) -> Split:
    """Takes out what stands in tags."""
    pairs = [(words[0], words[1]) for words in (tag.split(" ") for tag in tags)]
    pieces, rest = _opened_by_the_template(content, pairs)
    more, rest = _at_the_beginning(rest, pairs)
    pieces += more
    more, rest = _at_lines(rest, pairs)
    pieces += more
    if rest != content:
        rest = rest.lstrip("\n")
    trimmed = [piece.strip("\n") for piece in pieces]
    return Split("\n\n".join(piece for piece in trimmed if piece), rest)


def _opened_by_the_template(text: str, pairs: list[tuple[str, str]]) -> tuple[list[str], str]:
    """What comes before the first closing tag that no opening tag of its kind comes before."""
    found = [
        (text.index(closing), closing)
        for opening, closing in pairs
        if closing in text and opening not in text[: text.index(closing)]
    ]
    if not found:
        return [], text
    end, closing = min(found)
    return [text[:end]], text[end + len(closing) :]


def _at_the_beginning(text: str, pairs: list[tuple[str, str]]) -> tuple[list[str], str]:
    pieces: list[str] = []
    while True:
        start = text.lstrip(WHITE)
        closing = next((closing for opening, closing in pairs if start.startswith(opening)), None)
        if closing is None:
            return pieces, text
        opening = next(opening for opening, _ in pairs if start.startswith(opening))
        inside, _, text = start[len(opening) :].partition(closing)
        pieces.append(inside)


def _at_lines(text: str, pairs: list[tuple[str, str]]) -> tuple[list[str], str]:
    """What begins a line outside fenced code and is closed."""
    pieces: list[str] = []
    kept: list[str] = []
    fenced = False
    rest = text
    while rest:
        if rest.startswith(FENCE):
            fenced = not fenced
        taken = None if fenced else _closed_at_start(rest, pairs)
        if taken is not None:
            pieces.append(taken[0])
            rest = taken[1]
        line = re.match(r"[^\n]*\n?", rest)
        end = len(rest) if line is None else line.end()
        kept.append(rest[:end])
        rest = rest[end:]
    return pieces, "".join(kept)


def _closed_at_start(text: str, pairs: list[tuple[str, str]]) -> tuple[str, str] | None:
    for opening, closing in pairs:
        if text.startswith(opening) and closing in text[len(opening) :]:
            inside, _, after = text[len(opening) :].partition(closing)
            return inside, after
    return None
