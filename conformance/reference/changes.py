"""The answer to a change (§5; rulings: Unified diff, What is capped, Stored text)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import diffs
from .inline import escaped
from .rules import Rules
from .tree import Content


@dataclass(frozen=True)
class FileChange:
    """One file that was created, changed or deleted."""

    path: str
    before: Content | None
    after: Content | None


@dataclass(frozen=True)
class Change:
    """What follows a file's bracket: a sentence on its line, or a diff on the next ones."""

    sentence: str | None = None
    diff: str | None = None

    def after(self, bracket: str) -> str:
        """The bracket with what follows it."""
        return f"{bracket} {self.sentence}" if self.sentence else _joined(bracket, self.diff)


@dataclass(frozen=True)
class Answer:
    """A change set's answer: the bracket's line, what follows it, and the stored form."""

    line: str
    rest: str | None
    stored: str


@dataclass(frozen=True)
class Given:
    """An answer that another implementation gave, to take its diffs from."""

    text: str
    is_stored_form: bool


def answer(
    files: Sequence[FileChange], note: str | None, id_: str, rules: Rules, given: Given | None
) -> tuple[Answer, str | None]:
    """The answer, and why the given one's diffs were not taken, if they were not."""
    try:
        bodies = _read_bodies(files, id_, rules, given) if given else _own_bodies(files, rules)
        problem = None
    except diffs.BadDiffError as bad:
        bodies, problem = _own_bodies(files, rules), str(bad)
    blocks = [
        body.after(_bracket(file, None, rules)) for file, body in zip(files, bodies, strict=True)
    ]
    stored = _joined(*blocks, note)
    if len(files) > 1:
        return Answer(rules.text("bracket", id=id_), stored, stored), problem
    sentence = Change(sentence=bodies[0].sentence).after(_bracket(files[0], id_, rules))
    rest = [part for part in (bodies[0].diff, note) if part is not None]
    return Answer(sentence, "\n".join(rest) if rest else None, stored), problem


def is_settled(file: FileChange) -> bool:
    """Whether only one answer is right for a change, because it has no diff."""
    before, after = _texts(file)
    return before is None or after is None or before == after


def _bracket(file: FileChange, id_: str | None, rules: Rules) -> str:
    """A file's bracket: with the result's id where the change set has one file."""
    own = {} if id_ is None else {"id": id_}
    prefix = "edits.file_" if id_ is None else "edits."
    path = escaped(file.path)
    if file.after is None:
        return rules.text(prefix + "deleted", path=path, **own)
    sha = rules.sha(file.after.sha256)
    return rules.text(prefix + "bracket", path=path, sha=sha, **own)


def _settled(file: FileChange, rules: Rules) -> Change | None:
    """The change that only one answer is right for, or None where there is a diff to make."""
    before, after = file.before, file.after
    if after is None:
        return Change()
    if after.text is None or (before is not None and before.text is None):
        return Change(sentence=rules.text("edits.binary", bytes=after.size))
    if before is None:
        lines = len(diffs.sides("", after.text).new)
        return Change(sentence=rules.text("edits.created", lines=lines))
    if before.text == after.text:
        return Change(sentence=rules.text("edits.no_change"))
    return None


def _own_bodies(files: Sequence[FileChange], rules: Rules) -> list[Change]:
    return [_settled(file, rules) or _own_change(file, rules) for file in files]


def _own_change(file: FileChange, rules: Rules) -> Change:
    both = _sides(file, str)
    script = diffs.own_script(both)
    if rules.section("edits")["answer"] == "diff":
        return Change(diff=diffs.written(script, both, _style(rules)))
    added, removed = diffs.counts(script)
    return Change(sentence=rules.text("edits.summary", added=added, removed=removed))


def _read_bodies(files: Sequence[FileChange], id_: str, rules: Rules, given: Given) -> list[Change]:
    """Each file's change as the given answer has it. Raises `BadDiffError`."""

    def show(text: str) -> str:
        return text if given.is_stored_form else text.replace("\0", rules.nul)

    rest = given.text
    one = len(files) == 1 and not given.is_stored_form
    if not one and not given.is_stored_form:
        rest = _without(rest, rules.text("bracket", id=id_) + "\n")
    bodies = []
    for position, file in enumerate(files):
        if position:
            rest = _without(rest, "\n")
        rest = _without(rest, show(_bracket(file, id_ if one else None, rules)))
        body, rest = _read_body(file, rest, rules, show)
        bodies.append(body)
    return bodies


def _read_body(
    file: FileChange, text: str, rules: Rules, show: Callable[[str], str]
) -> tuple[Change, str]:
    settled = _settled(file, rules)
    if settled is not None:
        return settled, _without(text, show(settled.after("")))
    if rules.section("edits")["answer"] == "summary":
        return _read_summary(file, text, rules)
    text = _without(text, "\n")
    script, rest = diffs.read(text, _sides(file, show), _style(rules))
    return Change(diff=diffs.written(script, _sides(file, str), _style(rules))), rest


def _read_summary(file: FileChange, text: str, rules: Rules) -> tuple[Change, str]:
    """The counts of a summary, which must be those of some script from old to new."""
    marked = rules.text("edits.summary", added="\0a", removed="\0r")
    pattern = re.escape(" " + marked).replace("\0a", r"(?P<added>\d+)")
    found = re.match(pattern.replace("\0r", r"(?P<removed>\d+)"), text)
    if found is None:
        raise diffs.BadDiffError("no summary stands after the bracket")
    added, removed = int(found["added"]), int(found["removed"])
    both = _sides(file, str)
    longer = len(both.new) - len(both.old)
    least = diffs.fewest_removed(both)
    if added - removed != longer or not least <= removed <= len(both.old):
        raise diffs.BadDiffError(f"no script adds {added} lines and removes {removed}")
    sentence = rules.text("edits.summary", added=added, removed=removed)
    return Change(sentence=sentence), text[found.end() :]


def _sides(file: FileChange, show: Callable[[str], str]) -> diffs.Sides:
    before, after = _texts(file)
    return diffs.sides(show(before or ""), show(after or ""))


def _texts(file: FileChange) -> tuple[str | None, str | None]:
    """Both sides, None where there is none or it is not UTF-8."""
    before = None if file.before is None else file.before.text
    return before, None if file.after is None else file.after.text


def _style(rules: Rules) -> diffs.Style:
    edits = rules.section("edits")
    return diffs.Style(edits["context_lines"], edits["no_newline"])


def _without(text: str, prefix: str) -> str:
    if not text.startswith(prefix):
        raise diffs.BadDiffError(f"{prefix!r} should stand where {text[: len(prefix)]!r} does")
    return text[len(prefix) :]


def _joined(*parts: str | None) -> str:
    return "\n".join(part for part in parts if part is not None)
