"""Reasoning that stands in a reply's content (requests: Reasoning)."""

from __future__ import annotations

import re
from dataclasses import dataclass

FENCE = re.compile(" {0,3}(?:```|~~~)")
"""How a line begins at which fenced code begins or ends."""

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


def split(content: str, tags: list[str], *, templated: bool) -> Split:
    """Takes out what stands in tags. `templated`: a template may have written the first of them."""
    pairs = [(words[0], words[1]) for words in (tag.split(" ") for tag in tags)]
    pieces, rest = _opened_by_the_template(content, pairs) if templated else ([], content)
    more, rest = _at_the_beginning(rest, pairs)
    pieces += more
    more, rest = _at_lines(rest, pairs)
    pieces += more
    if rest != content:
        rest = rest.lstrip("\n")
    trimmed = [piece.strip("\n") for piece in pieces]
    return Split("\n\n".join(piece for piece in trimmed if piece), rest)


def _opened_by_the_template(text: str, pairs: list[tuple[str, str]]) -> tuple[list[str], str]:
    """What comes before a line that is a closing tag, without an opening tag before it.

    Neither such a line in fenced code nor one that has an opening tag of its kind before it counts.
    """
    opening_of = {closing: opening for opening, closing in pairs}
    before, fenced = "", False
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        if FENCE.match(line):
            fenced = not fenced
        opening = None if fenced else opening_of.get(line.strip(WHITE))
        if opening is not None and opening not in before:
            return [before], text[len(before) + len(line) :]
        before += line
    return [], text


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
        if FENCE.match(rest):
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
