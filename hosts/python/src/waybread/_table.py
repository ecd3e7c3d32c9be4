"""A report as a table for people: a line a session, and the totals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybread.report import Counts, Report

_HEADER = (
    "Session",
    "Results",
    "Reads",
    "Re-read stubs",
    "Search stubs",
    "Capped",
    "Chars in",
    "Chars out",
    "Saved",
)


def table(report: Report) -> str:
    """The table's lines, and one sentence on what is saved."""
    rows: list[tuple[str, ...]] = [_HEADER]
    rows += [_row(session["name"], session["counts"]) for session in report.sessions]
    rows.append(_row(f"total of {len(report.sessions):,}", report.total))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    header, *sessions, total = (_line(row, widths) for row in rows)
    rule = "─" * len(header)
    counts = report.total
    saved = (
        f"{counts['chars_out']:,} of {counts['chars_in']:,} characters would have gone to the "
        f"model: {counts['saved_percent']} % saved."
    )
    return "\n".join([header, rule, *sessions, rule, total, "", saved])


def _row(name: str, counts: Counts) -> tuple[str, ...]:
    numbers = (
        counts["results"],
        counts["reads"],
        counts["unchanged"],
        counts["same_search"],
        counts["capped"],
        counts["chars_in"],
        counts["chars_out"],
    )
    return (name, *(f"{number:,}" for number in numbers), f"{counts['saved_percent']} %")


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    name, *numbers = row
    cells = [name.ljust(widths[0])]
    cells += [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join(cells)
