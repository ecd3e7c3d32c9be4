"""How full the window is."""

from __future__ import annotations

from typing import Any

from waybread.pressure import (
    Confidence,
    Health,
    HealthState,
    Pressure,
    PressureAction,
    Severity,
    TokenEstimate,
    TokenStrategy,
)


def pressure(answer: dict[str, Any]) -> Pressure:
    """`pressure`."""
    told = {
        "estimate": estimate(answer["estimate"]),
        "action": PressureAction(answer["action"]),
        "health": None if answer["health"] is None else health(answer["health"]),
    }
    return Pressure(**{**answer, **told})


def estimate(answer: dict[str, Any]) -> TokenEstimate:
    """`token-estimate`."""
    return TokenEstimate(
        tokens=answer["tokens"],
        raw=answer["raw"],
        strategy=TokenStrategy(answer["strategy"]),
        confidence=Confidence(answer["confidence"]),
    )


def health(answer: dict[str, Any]) -> Health:
    """`health`."""
    severity, state = Severity(answer["severity"]), HealthState(answer["state"])
    return Health(severity, state, answer["guidance"])
