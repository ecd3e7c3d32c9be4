"""The command `waybread context`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from waybread._replay_sessions import FILE
from waybread.context import context_json, context_page, context_table, stored_context_report
from waybread.errors import WaybreadError
from waybread.sqlite import SqliteStorage

if TYPE_CHECKING:
    import argparse

    from waybread.context_report import ContextReport

SUMMARY = "show what fills the window of a stored session"
DESCRIPTION = (
    "Shows what the next request of a stored session would hold, part by part, in bytes and "
    "estimated tokens, with the largest results. The session is not changed. "
    "Exit codes: 0 when it was told, 1 when it could not be, 2 for wrong usage."
)
_NO_FILE = "no such file; name a file of sessions, or the folder that replay --sessions wrote"


class ReportError(Exception):
    """There is no report, for the reason that it says."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "session",
        metavar="SESSION",
        help="the session's key; of a replayed one: the recording's name without its ending",
    )
    parser.add_argument(
        "--sessions",
        metavar="PATH",
        type=Path,
        required=True,
        help="the folder that `waybread replay --sessions` wrote, or a harness's SQLite file",
    )
    parser.add_argument(
        "--parameters",
        metavar="JSON",
        default="",
        help="parameters of the request, as the harness sends them (default: those of the newest "
        "request)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--html",
        metavar="FILE",
        type=Path,
        help="write it as a page of its own, with a chart, to this file too",
    )


def run(options: argparse.Namespace) -> str:
    """What is to be printed. A page is written.

    Raises:
        ReportError: There is no report.
        OSError: The page could not be written.
    """
    report = _report(options.sessions, options.session, options.parameters)
    if options.html is not None:
        options.html.write_text(context_page(options.session, report), "utf-8", newline="\n")
    return (context_json if options.json else context_table)(options.session, report)


def _report(sessions: Path, key: str, parameters: str) -> ContextReport:
    file = sessions / FILE if sessions.is_dir() else sessions
    if not file.is_file():
        raise ReportError(f"{file}: {_NO_FILE}")
    try:
        with SqliteStorage(file, read_only=True) as storage:
            if key not in (keys := storage.sessions()):
                raise ReportError(f"{file}: {_without(key, keys)}")
            return stored_context_report(storage, key, parameters)
    except WaybreadError as error:
        raise ReportError(f"{file}: session {_shown(key)}: {error}") from error


def _without(key: str, keys: list[str]) -> str:
    held = ", ".join(map(_shown, keys)) or "no session"
    return f"holds {held}, and no session {_shown(key)}"


def _shown(key: str) -> str:
    """A key in backticks, without control characters of its own: a terminal obeys them."""
    printable = (char if char.isprintable() else repr(char)[1:-1] for char in key)
    return f"`{''.join(printable)}`"
