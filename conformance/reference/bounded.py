"""Reads and recalls, held to a number of characters (rulings: The bound of reads and recalls)."""

from __future__ import annotations

from dataclasses import dataclass

from .inline import escaped
from .lines import asked_line, lines_of, window
from .results import Below, Draft, Read
from .rules import Rules

About = dict[str, str | int]
"""What a head names."""


@dataclass(frozen=True)
class Asked:
    """What a recall asks for."""

    offset: int | None
    limit: int | None
    char_offset: int | None = None
    char_limit: int | None = None

    def wants_characters(self) -> bool:
        """Whether it is characters of one line."""
        return (self.char_offset or 1) > 1 or bool(self.char_limit)


def read_draft(full: Draft, read: Read, numbered: list[str], rules: Rules) -> Draft:
    """A read in full, or what fits of it. `numbered` are its lines as they are shown."""
    most = int(rules.section("reads")["max_chars"])
    count = _whole_lines(numbered, most)
    if count == len(numbered):
        return full
    first, last = read.lines
    sha, path = rules.sha(read.sha256), escaped(read.path)
    about: About = {"id": read.id, "path": path, "total": read.total, "sha": sha}
    if count == 0:
        shown = Read(read.id, read.path, read.identity, read.sha256, (first, first), read.total)
        shown = shown.with_cut()
        missing = len(numbered[0]) - most
        cut = rules.text("reads.cut", id=read.id, missing=missing, next=most + 1)
        head = rules.text("reads.part", line=first, **about) + " " + cut
        below, mark = numbered[0][:most], rules.section("cap")["cut"]
    else:
        lines = (first, first + count - 1)
        shown = Read(read.id, read.path, read.identity, read.sha256, lines, read.total)
        head = rules.text("reads.bracket", first=lines[0], last=lines[1], **about)
        below, mark = "\n".join(numbered[:count]), ""
    head += _more("reads", shown.lines[1], last, rules)
    body = Below(head, below, mark=mark)
    return Draft(
        f"{head}\n{below}{mark}", full.stored, "capped", whole=full.text, read=shown, body=body
    )


def recall_draft(text: str, name: str, own: str, asked: Asked, rules: Rules) -> Draft:
    """A stored text again. `name` is its id, `own` the answer's."""
    lines, total = lines_of(text), len(lines_of(text))
    shown = window(total, asked.offset, asked.limit, rules.section("recall")["window"])
    if shown is None:
        line = asked_line(asked.offset)
        sentence = rules.text("recall.past_end", offset=line, earlier=name, total=total)
        return refusal(sentence, own, rules)
    if shown == (0, 0):
        return Draft(rules.text("recall.empty", id=own, earlier=name), "")
    about: About = {"id": own, "earlier": name, "total": total}
    if asked.wants_characters():
        return _characters(lines[shown[0] - 1], shown[0], about, asked, rules)
    return _lines(lines[shown[0] - 1 : shown[1]], shown, about, rules)


def refusal(sentence: str, own: str, rules: Rules) -> Draft:
    """A sentence of the harness's own."""
    return Draft(f"{rules.text('bracket', id=own)} {sentence}", sentence, "failed")


def _lines(lines: list[str], shown: tuple[int, int], about: About, rules: Rules) -> Draft:
    first, last = shown
    whole = "\n".join([rules.text("recall.bracket", first=first, last=last, **about), *lines])
    most = int(rules.section("recall")["max_chars"])
    count = _whole_lines(lines, most)
    if count == len(lines):
        head, _, below = whole.partition("\n")
        return Draft(whole, below, body=Below(head, below))
    if count == 0:
        line = _part(lines[0], first, (1, most), len(lines[0]), about, rules)
        head, _, below = line.text.partition("\n")
        head += _more("recall", first, last, rules)
        body = Below(head, line.stored, mark=rules.section("cap")["cut"])
        return Draft(f"{head}\n{below}", line.stored, "capped", whole=whole, body=body)
    end = first + count - 1
    head = rules.text("recall.bracket", first=first, last=end, **about)
    head += _more("recall", end, last, rules)
    below = "\n".join(lines[:count])
    return Draft(f"{head}\n{below}", below, "capped", whole=whole, body=Below(head, below))


def _characters(line: str, number: int, about: About, asked: Asked, rules: Rules) -> Draft:
    first = asked.char_offset or 1
    if first > len(line):
        sentence = rules.text(
            "recall.past_line_end",
            offset=first,
            line=number,
            earlier=str(about["earlier"]),
            characters=len(line),
        )
        return refusal(sentence, str(about["id"]), rules)
    last = min(len(line), first + asked.char_limit - 1) if asked.char_limit else len(line)
    whole = _part(line, number, (first, last), last, about, rules)
    most = int(rules.section("recall")["max_chars"])
    if most == 0 or last - first + 1 <= most:
        return whole
    held = _part(line, number, (first, first + most - 1), last, about, rules)
    return Draft(held.text, held.stored, "capped", whole=whole.text, body=held.body)


def _part(  # noqa: PLR0913, PLR0917 - what a window of a line is
    line: str, number: int, shown: tuple[int, int], asked: int, about: About, rules: Rules
) -> Draft:
    """Characters of a line, which was asked for up to `asked`."""
    first, last = shown
    place = {"line": number, "first": first, "last": last, "characters": len(line)}
    head = rules.text("recall.part", **place, **about)
    text = line[first - 1 : last]
    if last == asked:
        return Draft(f"{head}\n{text}", text, body=Below(head, text))
    missing, earlier = asked - last, str(about["earlier"])
    cut = rules.text("recall.cut", line=number, missing=missing, next=last + 1, earlier=earlier)
    mark = rules.section("cap")["cut"]
    body = Below(f"{head} {cut}", text, mark=mark)
    return Draft(f"{head} {cut}\n{text}{mark}", text, body=body)


def _whole_lines(lines: list[str], most: int) -> int:
    """How many lines fit, the newlines between them counted."""
    if most == 0:
        return len(lines)
    used = -1
    for count, line in enumerate(lines):
        used += 1 + len(line)
        if used > most:
            return count
    return len(lines)


def _more(of: str, shown: int, asked: int, rules: Rules) -> str:
    """How to go on where lines that were asked for are left out."""
    return " " + rules.text(f"{of}.more", next=shown + 1, last=asked) if shown < asked else ""
