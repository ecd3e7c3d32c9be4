"""What `replay` answers, as the report's JSON has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict


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


class Lack(TypedDict):
    """A part of a request that recordings do not hold, and how many sessions lack it."""

    part: str
    sessions: int


class Counts(TypedDict):
    """What came of a session, or of all of them.

    `results` is the sum of `full`, `capped`, `unchanged`, `same_search` and `failed`; a result,
    message or request that the session refused is in `errors` alone. `saved_percent` is the share
    of `chars_in` that is saved, with one decimal.
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
    lacks: list[Lack]
    errors: int


class Policy(TypedDict):
    """A session's requests, or those of all of them, under one policy.

    In characters of what a model reads: `sent` is `kept`, which the request before began with,
    and `reread`, of which `again` was in messages that the request before had too. `breaks` are
    requests that did not keep all of the one before. `kept_percent` is the share of `sent` that was
    kept, with one decimal.
    """

    policy: str
    parameters: dict[str, Any]
    requests: int
    sent: int
    kept: int
    reread: int
    again: int
    breaks: int
    kept_percent: str


class WindowParameters(TypedDict):
    """What a session was held to, in tokens."""

    window: int
    preset: str
    max_output: int
    summary_tokens: int


class WindowReport(TypedDict):
    """What came of a session's window, or of all of them; costs are tokens.

    `normal` and `emergency` are compactions that were applied, `not_applied` those that came to
    nothing. `held` are requests that were sent although a compaction was due, `stopped` those that
    were not sent, `over` those with which prompt, reserve and margin take more than the window.
    """

    parameters: WindowParameters
    requests: int
    normal: int
    emergency: int
    not_applied: list[Reason]
    held: list[Reason]
    stopped: list[Reason]
    largest: int
    largest_filled: int
    over: int
    summary_read: int
    pasted_read: int
    next_read: int
    kept_cost: int
    pasted_cost: int


class _SessionReport(TypedDict):
    file: str
    format: str
    name: str
    counts: Counts
    policies: list[Policy]


class SessionReport(_SessionReport, total=False):
    """What came of one session. `window` is there if it was held to one."""

    window: WindowReport


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
        summary: The same as a terminal shows it, tables and sentences; empty without a session.
        files: How many files were given, broken ones included.
        sessions: In the order of the files.
        total: The sessions' sum.
        policies: The sessions' requests under each policy, added up.
        failed_files: The files that could not be replayed.
        window: What came of the sessions' windows, added up; None without one.
    """

    json: str
    summary: str
    files: int
    sessions: list[SessionReport]
    total: Counts
    policies: list[Policy]
    failed_files: list[FailedFile]
    window: WindowReport | None = None
