"""The command `waybread audit`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from waybread.audit import Audit, AuditError, AuditList, audit, audit_list
from waybread.errors import WaybreadError

if TYPE_CHECKING:
    import argparse

SUMMARY = "find where a request's prompt no longer begins as the one before it, and why"
DESCRIPTION = (
    "Finds where a request's prompt no longer begins as the one before it, and why. Request bodies "
    "of any harness are compared in the order in which their model reads them, in OpenAI chat "
    "completions, Anthropic messages or OpenAI responses. "
    "Exit codes: 0 when each prompt begins with the whole one before it, 1 when one does not, 2 "
    "for something that can't be compared and for wrong usage."
)


class TroubleError(Exception):
    """Something that can't be compared."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "list_or_body",
        metavar="FILE",
        help="the earlier body; or, alone, a recorded list of requests: a JSON list or JSON lines "
        "of bodies, or of records that hold one; - is standard input",
    )
    parser.add_argument("later", nargs="?", metavar="LATER", help="the later body")
    parser.add_argument("--json", action="store_true", help="print the audit as JSON")


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What is to be printed, and the exit code.

    Raises:
        TroubleError: Something can't be compared.
    """
    found = _compare(options.list_or_body, options.later)
    broken = found.broken if isinstance(found, Audit) else found.total.broken > 0
    return (found.json if options.json else str(found)), int(broken)


def _compare(first: str, later: str | None) -> Audit | AuditList:
    if first == later == "-":
        raise TroubleError("standard input can be only one of the bodies")
    contents = [_content(file) for file in (first, later) if file is not None]
    try:
        return audit(*contents) if len(contents) > 1 else audit_list(*contents)
    except AuditError as error:
        file = later if error.body == "next" and later is not None else first
        raise TroubleError(f"{_name(file)}: {error.problem}") from error
    except WaybreadError as error:
        raise TroubleError(str(error)) from error


def _content(file: str) -> str:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise TroubleError(f"{_name(file)}: cannot be read: {error.strerror}") from error
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise TroubleError(f"{_name(file)}: is not UTF-8") from error


def _name(file: str) -> str:
    return "standard input" if file == "-" else file
