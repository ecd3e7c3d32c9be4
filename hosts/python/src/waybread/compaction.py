"""Compaction: a summary in the place of what came before (§7).

"§" points into `context-hygiene` 3.2.0; the exact rules are in `docs/compaction.md`, whose sections
are named here in quotes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from waybread.body import Body
    from waybread.fallback import FallbackUse, ModelRef, SummaryTarget
    from waybread.pressure import Health, Pressure, TokenEstimate


class Stage(str, Enum):
    """A compaction's stage."""

    NORMAL = "normal"

    EMERGENCY = "emergency"
    """A shorter summary, and fewer turns retained."""

    SHORTEN = "shorten"
    """No summary: a request showed results shorter that others held, since nothing else made room.
    No compaction is begun with it."""


@dataclass(frozen=True)
class Compaction:
    """A compaction that is to begin.

    Attributes:
        parameters: As `Session.build_request` takes them, for the main model; an empty text stands
            for those of the newest request, if there is one.
        stage: Its stage ("What a stage covers"). None: the one that the pressure asks for in
            `Session.compact`, `NORMAL` in `Session.compact_begin`.
        main: The main model, as the harness calls it; None if no fallback is used.
        target: Which model is asked ("Fallback").
        steering: What the person wants the summary to attend to.
    """

    parameters: Mapping[str, object] | str = ""
    stage: Stage | None = None
    main: ModelRef | None = None
    target: SummaryTarget = None
    steering: str | None = None


@dataclass(frozen=True)
class SummaryRequest:
    """The request for a summary, which is to be sent ("The request for a summary").

    It is not stored, and the session's next request goes on from the one before it.

    Attributes:
        stage: The compaction's stage.
        body: The whole body, to be sent as `application/json`. It stands beside the session's last
            one.
        keep: How many bytes of the previous request's body stand.
        tail: What follows them.
        length: The body's length in bytes.
        sha256: SHA-256 of the body, 64 lowercase hex digits.
        estimate: The request's tokens, as estimated for the model that is asked.
        max_tokens: The most tokens that the summary may have; it is in the body. 0: no limit is
            known.
        covers: How many messages the summary covers.
        retains: How many messages stay as they are.
        on_fallback: Whether the fallback is to be asked, and not the main model.
        fallback: What became of the fallback; None if none was given.
        health: What to tell the person as the compaction begins.
    """

    stage: Stage
    body: Body
    keep: int
    tail: str
    length: int
    sha256: str
    estimate: TokenEstimate
    max_tokens: int
    covers: int
    retains: int
    on_fallback: bool
    fallback: FallbackUse | None
    health: Health


class NotAppliedReason(str, Enum):
    """Why a compaction did not come about ("What a stage covers", "The reply")."""

    NOTHING_TO_SUMMARISE = "nothing-to-summarise"
    """Everything would be retained."""

    FREES_TOO_LITTLE = "frees-too-little"
    """It would free less than `compaction.least_freed_percent`."""

    NO_TURN_SINCE = "no-turn-since"
    """No reply was added since the compaction before."""

    REQUEST_DOES_NOT_FIT = "request-does-not-fit"
    """The request for the summary does not fit the window."""

    RETAINED_DOES_NOT_FIT = "retained-does-not-fit"
    """What would be retained does not fit the window by itself."""

    FAILED = "failed"
    """The provider failed."""

    CANCELLED = "cancelled"

    EMPTY = "empty"
    """The reply says nothing."""

    ONLY_CALLS = "only-calls"
    """The reply begins with a call: there is no text before it."""

    REFUSED = "refused"
    """The model refused."""

    CUT_OFF = "cut-off"
    """The reply ended at its limit."""

    TOO_LONG = "too-long"
    """The summary is longer than its limit."""

    UNREADABLE = "unreadable"
    """The reply could not be read."""


@dataclass(frozen=True)
class NotApplied:
    """A compaction that did not come about. The conversation is as it was.

    Attributes:
        stage: The compaction's stage.
        reason: Why, for a program.
        message: Why, in one sentence for people.
        rerun_on_main: Whether the same is to be begun again without a target: the fallback failed.
        fallback: What became of the fallback; None if none was given.
        state_cleared: Whether the provider's own state of the conversation is gone, so that the
            next request must not name it.
    """

    stage: Stage
    reason: NotAppliedReason
    message: str
    rerun_on_main: bool
    fallback: FallbackUse | None
    state_cleared: bool


@dataclass(frozen=True)
class SummaryReply:
    """The reply to a request for a summary.

    Attributes:
        json: As `Reply.json`, best the whole response: it tells a refusal and a cut.
    """

    json: Mapping[str, object] | Sequence[object] | str


@dataclass(frozen=True)
class SummaryFailed:
    """The request for a summary failed.

    Attributes:
        error: The provider's error.
    """

    error: str


@dataclass(frozen=True)
class SummaryCancelled:
    """The request for a summary was cancelled."""


SummaryOutcome = SummaryReply | SummaryFailed | SummaryCancelled
"""What came of the request for a summary."""


@dataclass(frozen=True)
class PendingSubagent:
    """A subagent whose result is still to come.

    Attributes:
        id: Its id.
        kind: What kind of subagent it is.
        state: `running`, `queued`, `finished`.
    """

    id: str
    kind: str
    state: str


@dataclass(frozen=True)
class Compacted:
    """A compaction that came about ("What a compaction leaves").

    Attributes:
        stage: The compaction's stage.
        generation: The generation of the conversation that began with it. The session began with 1.
        message: The number of the message that holds the summary.
        summary: The summary as the model wrote it.
        text: What the next request holds of it: frame, archive note and table of reads.
        covered: How many messages it covers.
        retained: How many messages stay.
        tokens_before: The next request's tokens, as they were.
        tokens_after: The next request's tokens, as they are.
        pressure: What is to be done now: `EMERGENCY` if it was not enough.
        health: What to tell the person.
        fallback: What became of the fallback; None if none was given.
        state_cleared: As `NotApplied.state_cleared`.
        warnings: What went wrong beside it: the history archive.
    """

    stage: Stage
    generation: int
    message: int
    summary: str
    text: str
    covered: int
    retained: int
    tokens_before: int
    tokens_after: int
    pressure: Pressure
    health: Health
    fallback: FallbackUse | None
    state_cleared: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Generation:
    """A generation of the conversation: what was between two compactions.

    Attributes:
        number: From 1. The last one is active.
        messages: How many messages it has, its summary and what was retained included.
        stage: The stage of the compaction that it began with; None of the first.
        summary: The summary that it began with, as the model wrote it; None of the first.
        fallback: `provider/model` of a fallback that wrote it.
    """

    number: int
    messages: int
    stage: Stage | None
    summary: str | None
    fallback: str | None


@dataclass(frozen=True)
class ContextState:
    """What is worth keeping of a session beside its conversation.

    Attributes:
        recent_calls: The newest three calls of the active generation, oldest first: the tool's name
            and its summarised arguments ("State beside the conversation").
        turns: How many turns began, without those taken back.
    """

    recent_calls: tuple[str, ...]
    turns: int
