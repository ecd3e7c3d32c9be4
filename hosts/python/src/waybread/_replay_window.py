"""A replay's requests held to a window (`docs/replay.md`, "With a window")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread.compaction import Compaction, NotApplied, Stage, SummaryReply
from waybread.errors import WaybreadError
from waybread.pressure import PressureAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybread.requests import Request
    from waybread.session import Session

_MOST = 2
"""Compactions before one request: `NORMAL`, and `EMERGENCY` where that was not enough."""


class NotSentError(WaybreadError):
    """A request that the window has no room for."""


def make_room(session: Session, stand_in: str) -> Iterator[dict[str, Any]]:
    """Compact for as long as the pressure asks for it; yields what each compaction came to.

    Args:
        session: The session, before its next request.
        stand_in: The reply to each request for a summary.

    Raises:
        NotSentError: The request is not to be built.
        WaybreadError: A call of the session failed.
    """
    compactions = 0
    while (stage := _asked(session)) is not None:
        if compactions == _MOST:
            raise NotSentError("a third compaction was asked for")
        yield {"compaction": _compacted(session, stage, stand_in)}
        compactions += 1


def built(request: Request, *, with_window: bool) -> dict[str, Any]:
    """A request that was built, as it is counted."""
    counted: dict[str, Any] = {"keep": request.keep, "tail": request.tail}
    if with_window:
        pressure = request.pressure
        counted["pressure"] = {
            "window": pressure.window,
            "tokens": pressure.estimate.tokens,
            "reserve": pressure.reserve,
            "margin": pressure.margin,
            "reason": pressure.reason,
        }
    return counted


def _asked(session: Session) -> Stage | None:
    """The stage that the pressure asks for; None where the request is to be built."""
    pressure = session.pressure()
    match pressure.action:
        case PressureAction.NONE | PressureAction.SHORTEN:
            return None
        case PressureAction.COMPACT:
            return Stage.NORMAL
        case PressureAction.EMERGENCY:
            return Stage.EMERGENCY
    raise NotSentError(pressure.reason)


def _compacted(session: Session, stage: Stage, stand_in: str) -> dict[str, Any]:
    begun = session.compact_begin(Compaction(stage=stage))
    if isinstance(begun, NotApplied):
        return {"stage": stage.value, "request": None, "not_applied": begun.reason.value}
    end = session.compact_finish(SummaryReply(stand_in))
    return {
        "stage": stage.value,
        "request": {"keep": begun.keep, "tail": begun.tail, "tokens": begun.estimate.tokens},
        "not_applied": end.reason.value if isinstance(end, NotApplied) else None,
    }
