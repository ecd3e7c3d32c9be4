"""Evaluates settings of Waybread: on recorded sessions, or on a scenario against a model's server.

python evaluate.py replay RECORDING… [--csv FILE]     recordings under several windows
python evaluate.py scenario FILE --url URL [--set KEY=JSON…]     one conversation, and what it cost
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from waybread import SqliteStorage, Window, replay

from agent import Scenario, play

VARIANTS: tuple[tuple[str, Window | None], ...] = (
    ("no window", None),
    ("128k", Window(128_000)),
    ("32k", Window(32_000)),
    ("32k, steiner", Window(32_000, preset="steiner")),
)
"""What recordings are replayed under."""


def recorded(paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each variant and policy: requests, and the characters that a server had to read."""
    for name, window in VARIANTS:
        for policy in replay(paths, window=window).policies:
            yield {
                "window": name,
                "policy": policy["policy"],
                "requests": policy["requests"],
                "sent": policy["sent"],
                "kept": policy["kept"],
                "reread": policy["reread"],
                "breaks": policy["breaks"],
            }


def played(path: Path, url: str, overrides: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each request of a scenario: its bytes, what stood, what was cached."""
    with tempfile.TemporaryDirectory() as folder, SqliteStorage(Path(folder, "s.db")) as storage:
        session = play(Scenario.read(path), url, storage, overrides=overrides)
        for request in session.cache_report():
            usage = request.usage
            yield {
                "request": request.number,
                "bytes": request.length,
                "stood": request.shared,
                "cause": request.difference.cause.value if request.difference else "",
                "input": usage.input if usage else "",
                "cached": usage.cached if usage else "",
            }


def nested(settings: Sequence[str]) -> dict[str, Any]:
    """`context.cap.max_lines=100` as overrides."""
    overrides: dict[str, Any] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        *above, last = key.split(".")
        section = overrides
        for name in above:
            section = section.setdefault(name, {})
        section[last] = json.loads(value)
    return overrides


def show(rows: list[dict[str, Any]], file: Path | None) -> None:
    """Prints a table, and writes it where that is asked for."""
    if not rows:
        return
    names = list(rows[0])
    cells = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        spaced = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write("  ".join(spaced) + "\n")
    if file is not None:
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, names)
            writer.writeheader()
            writer.writerows(rows)


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description="Evaluates settings of Waybread.")
    parser.add_argument("--csv", type=Path, help="the table as a file too")
    commands = parser.add_subparsers(dest="command", required=True)
    recordings = commands.add_parser("replay", help="recorded sessions under several windows")
    recordings.add_argument("paths", nargs="+", help="recordings, or folders of them")
    scenario = commands.add_parser("scenario", help="a conversation with a model's server")
    scenario.add_argument("path", type=Path)
    scenario.add_argument("--url", required=True, help="such as http://127.0.0.1:8080/v1")
    scenario.add_argument("--set", action="append", default=[], metavar="KEY=JSON", dest="settings")
    given = parser.parse_args()
    if given.command == "replay":
        rows = list(recorded(given.paths))
    else:
        rows = list(played(given.path, given.url, nested(given.settings)))
    show(rows, given.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
