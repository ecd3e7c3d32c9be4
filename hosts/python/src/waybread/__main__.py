"""The command: `python -m waybread replay`, `audit` and `context`.

Each is also a script of its own, `waybread-replay`.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from waybread import _audit_command as auditing
from waybread import _context_command as showing
from waybread import replay
from waybread.storage import StorageFault
from waybread.window import PRESETS, SUMMARY_TOKENS, TOKENS, Window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybread.report import FailedFile


class _Parser(argparse.ArgumentParser):
    """A parser to which an option is its whole name, and its commands' parsers likewise.

    `refuse` of what it parsed ends the program with a problem and the command's own usage.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(allow_abbrev=False, **given)
        self.set_defaults(refuse=self.error)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `waybread`. Returns the exit code, as the Rust command has it."""
    parser = _Parser(prog="waybread", description="Keeps a session's context clean.")
    commands = parser.add_subparsers(title="commands", required=True)
    replay = commands.add_parser("replay", help=_SUMMARY, description=_DESCRIPTION)
    _add_arguments(replay)
    replay.set_defaults(run=_run)
    audit = commands.add_parser("audit", help=auditing.SUMMARY, description=auditing.DESCRIPTION)
    auditing.add_arguments(audit)
    audit.set_defaults(run=_run_audit)
    context = commands.add_parser("context", help=showing.SUMMARY, description=showing.DESCRIPTION)
    showing.add_arguments(context)
    context.set_defaults(run=_run_context)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        options.refuse(f"unrecognized arguments: {' '.join(unknown)}")
    code: int = options.run(options)
    return code


def replay_command(arguments: Sequence[str] | None = None) -> int:
    """Run `waybread-replay`, which is `waybread replay`."""
    parser = _Parser(prog="waybread-replay", description=_DESCRIPTION)
    _add_arguments(parser)
    return _run(parser.parse_args(arguments))


def audit_command(arguments: Sequence[str] | None = None) -> int:
    """Run `waybread-audit`, which is `waybread audit`."""
    parser = _Parser(prog="waybread-audit", description=auditing.DESCRIPTION)
    auditing.add_arguments(parser)
    return _run_audit(parser.parse_args(arguments))


def context_command(arguments: Sequence[str] | None = None) -> int:
    """Run `waybread-context`, which is `waybread context`."""
    parser = _Parser(prog="waybread-context", description=showing.DESCRIPTION)
    showing.add_arguments(parser)
    return _run_context(parser.parse_args(arguments))


_SUMMARY = "put recorded agent sessions through the rules, and report what that would have saved"
_DESCRIPTION = (
    "Puts recorded agent sessions through the rules, and reports what that would have saved; "
    "builds every request of theirs under Waybread and under four policies that people use, and "
    "reports how much of them a server has to read again. "
    "Exit codes: 0 when everything was replayed, 1 when a file or a result could not be (the rest "
    "went on), 2 for wrong usage."
)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        type=_path,
        metavar="FILES",
        help="recorded sessions; a folder is searched for .json, .jsonl, .ndjson and .traj files",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=_path,
        help="write what the model would have been shown to this folder, a file a session",
    )
    parser.add_argument(
        "--sessions",
        metavar="DIR",
        type=_path,
        help="store the replayed sessions in this folder, for `waybread context`",
    )
    parser.add_argument(
        "--shell-reads",
        action="store_true",
        help="put plain shell reads (cat F, sed -n 'A,Bp' F, …) through the rules as reads",
    )
    parser.add_argument(
        "--window",
        type=_within(TOKENS),
        metavar="N",
        help=f"hold the sessions to a window of N tokens, {TOKENS[0]:,} to {TOKENS[-1]:,}: they "
        "are compacted where the rules say so",
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help=f"with --window: whose rules a compaction follows (default: {Window.preset})",
    )
    parser.add_argument(
        "--summary-tokens",
        type=_within(SUMMARY_TOKENS),
        metavar="N",
        help=f"with --window: how long a stand-in summary is (default: {Window.summary_tokens})",
    )
    parser.add_argument(
        "--quiet",
        action="store_true",
        help="print no tables: errors alone, and the JSON with --json",
    )


def _path(given: str) -> str:
    if not given:
        raise argparse.ArgumentTypeError("a path may not be empty")
    return given


def _within(numbers: range) -> Callable[[str], int]:
    """The type of an option that takes one of these numbers."""

    def number(given: str) -> int:
        if not given.isdecimal() or int(given) not in numbers:
            expected = f"a whole number from {numbers[0]} to {numbers[-1]}"
            raise argparse.ArgumentTypeError(f"{given!r} must be {expected}")
        return int(given)

    return number


def _window(options: argparse.Namespace) -> Window | None:
    given = {"preset": options.preset, "summary_tokens": options.summary_tokens}
    chosen = {name: value for name, value in given.items() if value is not None}
    if options.window is not None:
        return Window(options.window, **chosen)
    if chosen:
        options.refuse("--preset and --summary-tokens need --window")
    return None


def _run(options: argparse.Namespace) -> int:
    window = _window(options)
    try:
        report = replay(
            options.files,
            shell_reads=options.shell_reads,
            window=window,
            out=options.out,
            sessions=options.sessions,
        )
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}")
        return 1
    except StorageFault as fault:
        _complain(str(fault))
        return 1
    for failed in report.failed_files:
        _complain(_failed(failed))
    try:
        if options.json:
            _print(report.json)
        elif not options.quiet and report.sessions:
            _print(report.summary)
    except OSError as error:
        _complain(f"the output cannot be written: {error.strerror}")
        return 1
    return int(bool(report.failed_files) or report.total["errors"] > 0)


def _run_audit(options: argparse.Namespace) -> int:
    try:
        text, code = auditing.run(options)
        _print(text)
    except auditing.TroubleError as error:
        _complain(str(error))
        return 2
    except OSError as error:
        _complain(f"the output cannot be written: {error.strerror}")
        return 2
    return code


def _run_context(options: argparse.Namespace) -> int:
    try:
        _print(showing.run(options))
    except showing.ReportError as error:
        _complain(str(error))
        return 1
    except OSError as error:
        place = error.filename or "the output"
        _complain(f"{place}: cannot be written: {error.strerror}")
        return 1
    return 0


def _failed(failed: FailedFile) -> str:
    line = failed["error"].get("line")
    place = failed["file"] if line is None else f"{failed['file']}:{line}"
    return f"{place}: {failed['error']['message']}"


def _complain(problem: str) -> None:
    # Nothing can be said where standard error is closed; `print` would turn to standard output.
    if sys.stderr is not None:
        print(f"waybread: {problem}", file=sys.stderr)


def _print(text: str) -> None:
    """Print as UTF-8, whatever the terminal's own encoding; the report is bytes to compare."""
    if sys.stdout is None:
        # Standard output is closed: nobody wants it.
        return
    try:
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()
    except OSError as error:
        # What is left in the buffer has nowhere to go: Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Of a broken pipe, whoever read it has seen enough.
        if not isinstance(error, BrokenPipeError):
            raise


if __name__ == "__main__":
    sys.exit(main())
