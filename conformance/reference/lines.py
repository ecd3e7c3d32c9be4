"""Lines, windows and the cap (§3; rulings: Lines, Windows, Fits)."""

from __future__ import annotations

from dataclasses import dataclass

from .casefile import Json
from .rules import Rules


def lines_of(text: str) -> list[str]:
    """Everything between two newlines. A last line without one counts; no text has no lines."""
    if text == "":
        return []
    lines = text.split("\n")
    return lines[:-1] if text.endswith("\n") else lines


def window(total: int, offset: int | None, limit: int | None, size: int) -> tuple[int, int] | None:
    """The first and last line to show, from 1, or None when `offset` is past the end.

    Nothing at all (`total` 0) asked for from its first line gives `(0, 0)`.
    """
    first = offset or 1
    if total == 0 and first == 1:
        return 0, 0
    if first > total:
        return None
    count = min(limit or size, size)
    return first, min(total, first + count - 1)


def asked_line(offset: int | None) -> int:
    """The line that an offset means."""
    return offset or 1


@dataclass(frozen=True)
class Capped:
    """A text over the cap: what is said behind the bracket, and head, elided line and tail."""

    sentence: str
    text: str

    def below(self, bracket: str) -> str:
        """The answer with that bracket."""
        first = f"{bracket} {self.sentence}" if self.sentence else bracket
        return f"{first}\n{self.text}"


def capped(text: str, id_: str, rules: Rules, cap: Json = None) -> Capped | None:
    """A text over the cap; None for a text within it.

    `cap` stands in for that of the rules; a number of lines that it leaves out is not limited.
    """
    cap = cap or rules.section("cap")
    lines = lines_of(text)
    if len(lines) <= cap.get("max_lines", len(lines)) and len(text) <= cap["max_chars"]:
        return None
    head = _fitting(lines, cap.get("head_lines"), cap["head_chars"])
    mark, missing = "", max(0, len(lines[0]) - cap["head_chars"]) if lines else 0
    if missing:
        head, mark = [lines[0][: cap["head_chars"]]], cap["cut"]
    tail = _fitting(lines[len(head) :][::-1], cap.get("tail_lines"), cap["tail_chars"])[::-1]
    elided = _elided(len(lines) - len(head) - len(tail), missing, id_, rules)
    shown = len("\n".join(head)) + len("\n".join(tail))
    told = rules.value("context.cap.head").strip() != ""
    sentence = rules.text("cap.head", shown=shown, total=len("\n".join(lines))) if told else ""
    return Capped(sentence, "\n".join(["\n".join(head) + mark, elided, *tail]))


def _elided(lines: int, chars: int, id_: str, rules: Rules) -> str:
    """The line between head and tail: also how many characters of a line that is cut are gone."""
    name = "elided_both" if lines else "elided_characters"
    if chars == 0 or rules.section("cap")[name].strip() == "":
        return rules.text("cap.elided", lines=lines, id=id_)
    return rules.text(f"cap.{name}", lines=lines, chars=chars, id=id_)


def _fitting(lines: list[str], most: int | None, chars: int) -> list[str]:
    """As many whole lines from the front as fit, the newlines between them counted."""
    kept: list[str] = []
    for line in lines:
        if len(kept) == most or len("\n".join([*kept, line])) > chars:
            break
        kept.append(line)
    return kept
