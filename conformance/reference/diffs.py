"""Unified diffs (§5; ruling: Unified diff): reading one that is given, and making one.

More than one diff is right for most changes, so a diff is judged, not foretold. It is read into a
*script*, one letter a line (` ` kept, `-` removed, `+` added); the script must turn the old
content into the new one; and written out again it must give the very same text.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?:\n|\Z)")


class BadDiffError(Exception):
    """A text that is not the diff of its two contents."""


@dataclass(frozen=True)
class Style:
    """How diffs are written."""

    context: int
    no_newline: str


@dataclass(frozen=True)
class Sides:
    """The two contents, as lines with their newlines."""

    old: list[str]
    new: list[str]


def sides(before: str, after: str) -> Sides:
    """Both contents in lines."""
    return Sides(_units(before), _units(after))


def own_script(both: Sides) -> str:
    """A script of our own: right, though seldom the shortest."""
    matcher = difflib.SequenceMatcher(None, both.old, both.new, autojunk=False)
    return "".join(
        " " * (old_end - old) if tag == "equal" else "-" * (old_end - old) + "+" * (new_end - new)
        for tag, old, old_end, new, new_end in matcher.get_opcodes()
    )


def written(script: str, both: Sides, style: Style) -> str:
    """The unified diff of a script, without a newline at its end."""
    return "\n".join(_hunk(script, span, both, style) for span in _spans(script, style.context))


def read(text: str, both: Sides, style: Style) -> tuple[str, str]:
    """The script of the diff that `text` begins with, and what follows the diff.

    Raises `BadDiffError` saying what is wrong with it.
    """
    reader = _Reader(text, both, style)
    script = reader.script()
    expected = written(script, both, style)
    if text[: reader.at] != expected:
        raise BadDiffError(f"written as diff -u does it would be {expected!r}")
    _check_blocks(script, both)
    return script, text[reader.at :]


def counts(script: str) -> tuple[int, int]:
    """How many lines a script adds and removes."""
    return script.count("+"), script.count("-")


def fewest_removed(both: Sides) -> int:
    """How many lines the shortest script removes."""
    row = [0] * (len(both.new) + 1)
    for line in both.old:
        above, corner = row, 0
        row = [0]
        for position, other in enumerate(both.new):
            best = corner + 1 if line == other else max(above[position + 1], row[position])
            corner = above[position + 1]
            row.append(best)
    return len(both.old) - row[-1]


def _units(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _spans(script: str, context: int) -> list[tuple[int, int]]:
    """From where to where each hunk reaches; hunks whose contexts touch are one."""
    spans: list[tuple[int, int]] = []
    for position, letter in enumerate(script):
        if letter == " ":
            continue
        start, end = max(0, position - context), min(len(script), position + 1 + context)
        if spans and start <= spans[-1][1]:
            start = spans.pop()[0]
        spans.append((start, end))
    return spans


def _hunk(script: str, span: tuple[int, int], both: Sides, style: Style) -> str:
    start, end = span
    old = sum(letter != "+" for letter in script[:start])
    new = sum(letter != "-" for letter in script[:start])
    old_start, new_start = old, new
    body = []
    for letter in script[start:end]:
        unit = both.new[new] if letter == "+" else both.old[old]
        body.append(letter + _line(unit, style))
        old += letter != "+"
        new += letter != "-"
    header = f"@@ -{_range(old_start, old)} +{_range(new_start, new)} @@"
    return "\n".join([header, *body])


def _line(unit: str, style: Style) -> str:
    return unit[:-1] if unit.endswith("\n") else f"{unit}\n{style.no_newline}"


def _range(start: int, end: int) -> str:
    """Lines from 1; of no lines, the line before them."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _check_blocks(script: str, both: Sides) -> None:
    """No line is removed and added again at the edge of one block of changes."""
    old = new = 0
    for block in re.findall(r" |-*\+*", script):
        if block == " ":
            old, new = old + 1, new + 1
            continue
        added, removed = counts(block)
        if added and removed:
            first = both.old[old] == both.new[new]
            last = both.old[old + removed - 1] == both.new[new + added - 1]
            if first or last:
                raise BadDiffError(f"a line of old {old + 1} is removed and added again")
        old, new = old + removed, new + added


class _Reader:
    """Reads hunks from the front of a text, led by the two contents."""

    def __init__(self, text: str, both: Sides, style: Style) -> None:
        self.text = text
        self.both = both
        self.style = style
        self.at = 0
        self.old = 0
        self.new = 0
        self._script: list[str] = []

    def script(self) -> str:
        while header := HEADER.match(self.text, self.at):
            self._hunk(header)
            if not self.text.startswith("\n@@ -", self.at):
                break
            if not HEADER.match(self.text, self.at + 1):
                break
            self.at += 1
        self._keep_to(len(self.both.old))
        if self.new != len(self.both.new):
            raise BadDiffError("the hunks do not lead to the new content")
        return "".join(self._script)

    def _hunk(self, header: re.Match[str]) -> None:
        start, length, new_start, new_length = header.groups()
        old_length = 1 if length is None else int(length)
        added_length = 1 if new_length is None else int(new_length)
        self._keep_to(int(start) - 1 if old_length else int(start))
        if self.new != (int(new_start) - 1 if added_length else int(new_start)):
            raise BadDiffError(f"{header[0].strip()} does not stand where the new content is")
        self.at = header.end() - 1
        old_end, new_end = self.old + old_length, self.new + added_length
        while self.old < old_end or self.new < new_end:
            self._body_line()
        if (self.old, self.new) != (old_end, new_end):
            raise BadDiffError(f"{header[0].strip()} counts other lines than it holds")

    def _body_line(self) -> None:
        letter = self.text[self.at + 1 : self.at + 2]
        if letter not in ("-", "+", " "):
            raise BadDiffError(f"no line of a diff begins with {letter!r}")
        units, position = (self.both.new, self.new) if letter == "+" else (self.both.old, self.old)
        if position >= len(units):
            raise BadDiffError("a hunk reaches past the end of its content")
        line = "\n" + letter + _line(units[position], self.style)
        if not self.text.startswith(line, self.at):
            raise BadDiffError(f"line {position + 1} of the content is not what the diff shows")
        self._step(letter)
        self.at += len(line)

    def _keep_to(self, old: int) -> None:
        while self.old < old:
            self._step(" ")

    def _step(self, letter: str) -> None:
        if (
            letter == " "
            and self.both.old[self.old : self.old + 1] != self.both.new[self.new : self.new + 1]
        ):
            raise BadDiffError(f"line {self.old + 1} is kept but differs")
        self.old += letter != "+"
        self.new += letter != "-"
        self._script.append(letter)
