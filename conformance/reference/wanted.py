"""What a compaction is begun and finished with, in the cases' form."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .casefile import Json, expand
from .errors import invalid_argument
from .fallback import ModelRef
from .spelling import passed
from .thinking import is_blank


@dataclass(frozen=True)
class FallbackModel:
    """A model that stands in for the main one, with its limits."""

    model: ModelRef
    parameters: str
    window: int
    max_output: int
    reason: str


@dataclass(frozen=True)
class Compaction:
    """A compaction that is to begin. `unresolved` is the error of a fallback that is not there."""

    stage: str
    main: ModelRef | None
    parameters: str
    fallback: FallbackModel | None
    unresolved: str | None
    steering: str | None


@dataclass(frozen=True)
class Outcome:
    """What came of the request for a summary: a reply, or the reason why there is none."""

    reply: str | None
    reason: str | None
    state_retired: bool
    pending: Json


def check_named(model: ModelRef | None, argument: str) -> None:
    """Raises `SessionError` for a provider or model without a name."""
    named = {} if model is None else {"provider": model.provider, "model": model.model}
    for field, name in named.items():
        if is_blank(name):
            raise invalid_argument(f"{argument}.{field}")


def is_line(text: str) -> bool:
    """Whether a text can stand in the line of subagents."""
    is_odd = any(letter in "<;" or unicodedata.category(letter) == "Cc" for letter in text)
    return not is_odd and not is_blank(text)


def check_pending(pending: Json) -> None:
    """Raises `SessionError` for a subagent whose id, kind or state cannot stand in the line."""
    for position, one in enumerate(pending):
        for field in ("id", "kind", "state"):
            if not is_line(one[field]):
                raise invalid_argument(f"outcome.pending-subagents[{position}].{field}")


def compaction_of(step: Json) -> Compaction:
    """What `compact-begin` is given."""
    main, target = step.get("main"), step.get("target", "main")
    named = target if isinstance(target, dict) else {}
    steering = step.get("steering")
    return Compaction(
        step.get("stage", "normal"),
        None if main is None else ModelRef(main["provider"], main["model"]),
        passed(step.get("parameters", "{}")),
        _fallback(named["fallback"]) if "fallback" in named else None,
        named.get("unresolved"),
        None if steering is None else expand(steering),
    )


def _fallback(given: Json) -> FallbackModel:
    return FallbackModel(
        ModelRef(given["provider"], given["model"]),
        passed(given.get("parameters", "{}")),
        given.get("window", 0),
        given.get("max-output", 0),
        given.get("reason", ""),
    )


def outcome_of(step: Json) -> Outcome:
    """What `compact-finish` is given."""
    reason = next((name for name in ("failed", "cancelled") if name in step), None)
    return Outcome(
        passed(step["reply"]) if "reply" in step else None,
        reason,
        step.get("state-retired", False),
        step.get("pending-subagents", []),
    )
