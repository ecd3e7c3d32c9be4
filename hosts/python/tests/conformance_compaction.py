"""The steps of a conformance case that deal with a full window (`docs/compaction.md`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread import (
    CacheWarm,
    Compaction,
    FallbackDisabled,
    FallbackModel,
    FallbackUnresolved,
    MainRequest,
    ModelRef,
    PendingSubagent,
    Stage,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
)
from waybread._step_settings import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybread import Session, SummaryOutcome, SummaryTarget

    Step = Mapping[str, Any]


def _parameters(step: Step) -> str:
    return spelled(step.get("parameters", {}))


def _model(step: Step) -> ModelRef:
    return ModelRef(step["provider"], step["model"])


def _begin(session: Session, step: Step) -> Any:
    main = step.get("main")
    return session.compact_begin(
        Compaction(
            _parameters(step),
            stage=Stage(step.get("stage", "normal")),
            main=None if main is None else _model(main),
            target=_target(step.get("target", "main")),
            steering=step.get("steering"),
        )
    )


def _target(given: Any) -> SummaryTarget:
    match given:
        case "main":
            return None
        case {"unresolved": str(error)}:
            return FallbackUnresolved(error)
        case {"fallback": fallback}:
            return FallbackModel(
                _model(fallback),
                _parameters(fallback),
                window=fallback.get("window", 0),
                max_output=fallback.get("max-output", 0),
                reason=fallback.get("reason", ""),
            )
    raise ValueError(f"no target is {given!r}; conformance/README.md says how")


def _finish(session: Session, step: Step) -> Any:
    return session.compact_finish(
        _outcome(step),
        state_retired=step.get("state-retired", False),
        pending_subagents=[PendingSubagent(**one) for one in step.get("pending-subagents", ())],
    )


def _outcome(step: Step) -> SummaryOutcome:
    match step:
        case {"reply": reply}:
            return SummaryReply(spelled(reply))
        case {"failed": str(error)}:
            return SummaryFailed(error)
        case {"cancelled": True}:
            return SummaryCancelled()
    raise ValueError(f"no outcome is in {step!r}; conformance/README.md says how")


def _answered(session: Session, step: Step) -> None:
    cache_key = step.get("cache-key", "")
    session.main_request_answered(MainRequest(_model(step), cache_key, at=step["at"]))


def _due(session: Session, step: Step) -> Any:
    due = session.fallback_due(
        _model(step),
        cache_key=step.get("cache-key", ""),
        after_ms=step["after-ms"],
        now=step["now"],
    )
    match due:
        case FallbackDisabled():
            return "disabled"
        case CacheWarm():
            return "warm"
    return {"cold": due.reason}


STEPS: Mapping[str, Callable[[Session, Step], Any]] = {
    "compact-begin": _begin,
    "compact-finish": _finish,
    "context-state": lambda session, _: session.context_state(),
    "fallback-due": _due,
    "generation": lambda session, step: session.generation(step["number"]),
    "history": lambda session, _: session.history(),
    "last-main-request": lambda session, _: session.last_main_request(),
    "lineage": lambda session, _: session.lineage(),
    "main-request-answered": _answered,
    "pressure": lambda session, step: session.pressure(_parameters(step)),
}
