"""Compactions: how they begin, how they end, and what they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread._convert import fallback, pressure
from waybread._convert.arguments import case, flag, items, must_be, optional, spelled, text
from waybread.compaction import (
    Compacted,
    Compaction,
    ContextState,
    Generation,
    NotApplied,
    NotAppliedReason,
    PendingSubagent,
    Stage,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
    SummaryRequest,
)

if TYPE_CHECKING:
    from waybread.body import Body
    from waybread.compaction import SummaryOutcome


def compaction(given: Compaction) -> dict[str, Any]:
    """`compaction`."""
    must_be(Compaction, "compaction", given)
    return {
        "stage": case(Stage, "compaction.stage", given.stage or Stage.NORMAL),
        "main": optional(fallback.model_ref, "compaction.main", given.main),
        "parameters": spelled("compaction.parameters", given.parameters),
        "target": fallback.target("compaction.target", given.target),
        "steering": optional(text, "compaction.steering", given.steering),
    }


def summary_result(
    outcome: SummaryOutcome, *, state_retired: bool, pending_subagents: object
) -> dict[str, Any]:
    """`summary-result`."""
    pending = "outcome.pending-subagents"
    return {
        "outcome": _summary_outcome(outcome),
        "state_retired": flag("outcome.state-retired", state_retired),
        "pending_subagents": items(
            _pending_subagent, "PendingSubagent", pending, pending_subagents
        ),
    }


def summary_request(answer: dict[str, Any], body: Body) -> SummaryRequest:
    """`summary-request`, with the body that the host put together."""
    told = {
        "stage": Stage(answer["stage"]),
        "body": body,
        "estimate": pressure.estimate(answer["estimate"]),
        "fallback": fallback.use(answer["fallback"]),
        "health": pressure.health(answer["health"]),
    }
    return SummaryRequest(**{**answer, **told})


def not_applied(answer: dict[str, Any]) -> NotApplied:
    """`not-applied`."""
    told = {
        "stage": Stage(answer["stage"]),
        "reason": NotAppliedReason(answer["reason"]),
        "fallback": fallback.use(answer["fallback"]),
    }
    return NotApplied(**{**answer, **told})


def compaction_end(case: str, answer: dict[str, Any]) -> Compacted | NotApplied:
    """`compaction-end`."""
    return _compacted(answer) if case == "applied" else not_applied(answer)


def generation(answer: dict[str, Any]) -> Generation:
    """`generation`."""
    stage = answer["stage"]
    return Generation(**{**answer, "stage": None if stage is None else Stage(stage)})


def context_state(answer: dict[str, Any]) -> ContextState:
    """`context-state`."""
    return ContextState(tuple(answer["recent_calls"]), answer["turns"])


def _compacted(answer: dict[str, Any]) -> Compacted:
    told = {
        "stage": Stage(answer["stage"]),
        "pressure": pressure.pressure(answer["pressure"]),
        "health": pressure.health(answer["health"]),
        "fallback": fallback.use(answer["fallback"]),
        "warnings": tuple(answer["warnings"]),
    }
    return Compacted(**{**answer, **told})


def _summary_outcome(given: SummaryOutcome) -> tuple[str, Any]:
    name = "outcome.outcome"
    match given:
        case SummaryReply():
            return ("reply", spelled(f"{name}.reply", given.json))
        case SummaryFailed():
            return ("failed", text(f"{name}.failed", given.error))
        case SummaryCancelled():
            return ("cancelled", None)
    raise TypeError(
        "an outcome is a SummaryReply, SummaryFailed or SummaryCancelled, "
        f"not {type(given).__name__}"
    )


def _pending_subagent(name: str, given: PendingSubagent) -> dict[str, str]:
    must_be(PendingSubagent, name, given)
    return {
        "id": text(f"{name}.id", given.id),
        "kind": text(f"{name}.kind", given.kind),
        "state": text(f"{name}.state", given.state),
    }
