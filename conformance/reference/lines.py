"""Lines, windows and the cap (§3; rulings: Lines, Windows, Fits)."""

from __future__ import annotations

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


def capped(text: str, id_: str, rules: Rules, cap: Json = None) -> str | None:
    """Head, elided line and tail of a text over the cap; None for a text within it.

    `cap` stands in for that of the rules; a number of lines that it leaves out is not limited.
    """
    cap = cap or rules.section("cap")
    lines = lines_of(text)
    if len(lines) <= cap.get("max_lines", len(lines)) and len(text) <= cap["max_chars"]:
        return None
    head = _fitting(lines, cap.get("head_lines"), cap["head_chars"])
    shown = len(head)
    if lines and len(lines[0]) > cap["head_chars"]:
        head = [lines[0][: cap["head_chars"]] + cap["cut"]]
        shown = 1
    backwards = _fitting(lines[shown:][::-1], cap.get("tail_lines"), cap["tail_chars"])
    elided = rules.text("cap.elided", lines=len(lines) - shown - len(backwards), id=id_)
    return "\n".join([*head, elided, *backwards[::-1]])


def _fitting(lines: list[str], most: int | None, chars: int) -> list[str]:
    """As many whole lines from the front as fit, the newlines between them counted."""
    kept: list[str] = []
    for line in lines:
        if len(kept) == most or len("\n".join([*kept, line])) > chars:
            break
        kept.append(line)
    return kept
