"""What `replay` answers, as the report's JSON has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict


class _Reason(TypedDict):
    reason: str
    count: int


class Reason(_Reason, total=False):
    """What was replayed only as recorded text or not at all, why, and where first."""

    first_line: int


class Measure(TypedDict):
    """What the recording harness had done itself."""

    measure: str
    count: int


class Counts(TypedDict):
    """What came of a session, or of all of them.

    `results` is the sum of `full`, `capped`, `unchanged`, `same_search` and `failed`; a result
    that the session refused is in `errors` alone. `saved_percent` is the share of `chars_in` that
    is saved, with one decimal.
    """

    contexts: int
    results: int
    reads: int
    full: int
    unchanged: int
    assumed: int
    same_search: int
    capped: int
    failed: int
    chars_in: int
    chars_out: int
    saved_percent: str
    shell_reads: int
    shell_rereads: int
    harness_measures: list[Measure]
    not_replayed: list[Reason]
    errors: int


class SessionReport(TypedDict):
    """What came of one session."""

    file: str
    format: str
    name: str
    counts: Counts


class _FileError(TypedDict):
    message: str


class FileError(_FileError, total=False):
    """Why a file could not be replayed; the line, from 1, where one is at fault."""

    line: int


class FailedFile(TypedDict):
    """A file that holds nothing to replay."""

    file: str
    error: FileError


@dataclass(frozen=True)
class Report:
    """What a replay would have saved.

    Attributes:
        json: The whole report, the same bytes in every host.
        files: How many files were given, broken ones included.
        sessions: In the order of the files.
        total: The sessions' sum.
        failed_files: The files that could not be replayed.
    """

    json: str
    files: int
    sessions: list[SessionReport]
    total: Counts
    failed_files: list[FailedFile]
