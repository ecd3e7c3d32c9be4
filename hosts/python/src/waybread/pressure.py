"""How full the model's window is, and what that asks for.

How tokens are counted is in `docs/tokens.md`; how limits and advice come of them is in
`docs/compaction.md`, "Limits" and "Pressure".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class TokenStrategy(str, Enum):
    """What a number of tokens was counted by."""

    WEIGHTS = "weights"
    """The estimate alone."""

    PROVIDER_USAGE = "provider-usage"
    """The estimate, corrected by what the provider reported of this model's requests."""


class Confidence(str, Enum):
    """How far an estimate can be trusted."""

    LOW = "low"
    """Nothing is known of the model."""

    MEDIUM = "medium"
    """The model is in `tokens.models`, or the provider reported of it once or twice."""

    HIGH = "high"
    """The provider reported of the model often enough (`tokens.confident_samples`)."""


@dataclass(frozen=True)
class TokenEstimate:
    """How many tokens a request has.

    Attributes:
        tokens: What everything is compared by: corrected where usage was reported.
        raw: As estimated, without correction.
        strategy: What `tokens` was counted by.
        confidence: How far it can be trusted.
    """

    tokens: int
    raw: int
    strategy: TokenStrategy
    confidence: Confidence


class PressureAction(str, Enum):
    """What to do before a request is sent."""

    NONE = "none"
    """Send it."""

    COMPACT = "compact"
    """Compact in the stage `NORMAL` first."""

    EMERGENCY = "emergency"
    """Compact in the stage `EMERGENCY` first: `NORMAL` cannot help, did not, or not enough."""

    SHORTEN = "shorten"
    """Send it. No summary can make room, so `Session.build_request` shows results shorter until it
    fits; `Pressure.reason` says how many and how short."""

    STOP = "stop"
    """It cannot be sent, and neither a compaction nor shorter results help. `Pressure.reason`
    is the error to show."""


class Severity(str, Enum):
    """How much a person needs to know of it."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class HealthState(str, Enum):
    """What a session's context has come to."""

    COMPACTING = "compacting"
    """A compaction begins."""

    STABLE = "stable"

    FRAGILE = "fragile"
    """What is left is still far over the limit, or this turn was compacted before."""

    LIKELY_LOSSY = "likely-lossy"
    """Much of what the model knew is probably gone."""


@dataclass(frozen=True)
class Health:
    """What a harness tells the person of the session's context ("Escalation").

    Attributes:
        severity: How much the person needs to know of it.
        state: What the context has come to.
        guidance: A sentence: carry on, restart soon, restart now (`escalation.guidance`).
    """

    severity: Severity
    state: HealthState
    guidance: str


@dataclass(frozen=True)
class Pressure:
    """How full the model's window is with the next request. All numbers are tokens.

    Attributes:
        estimate: The request's.
        window: The model's context window; 0: not known, and nothing is to be done.
        soft_limit: From how many on a compaction is due; 0 without a window.
        hard_limit: `window` without the safety margin; 0 without a window.
        reserve: Kept free for the reply.
        margin: Kept free for what the estimate misses.
        used: What was compared with the soft limit: `estimate.tokens`, or of a stateful provider
            the usage that it reported last.
        fits: Whether prompt, reserve and margin fit the window.
        action: What to do before the request is sent.
        reason: With `STOP` the error. With `NONE`, where a compaction is due and is not started,
            why. Else None.
        health: Told with `STOP`, else None.
    """

    estimate: TokenEstimate
    window: int
    soft_limit: int
    hard_limit: int
    reserve: int
    margin: int
    used: int
    fits: bool
    action: PressureAction
    reason: str | None
    health: Health | None
