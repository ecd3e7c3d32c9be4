"""Fallback models, and what is known of the main one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread._convert.arguments import milliseconds, must_be, number, spelled, text
from waybread.fallback import (
    CacheCold,
    CacheWarm,
    FallbackDisabled,
    FallbackModel,
    FallbackStatus,
    FallbackUnresolved,
    FallbackUse,
    MainRequest,
    ModelRef,
)

if TYPE_CHECKING:
    from waybread.fallback import FallbackDecision


def model_ref(name: str, given: ModelRef) -> dict[str, str]:
    """`model-ref`."""
    must_be(ModelRef, name, given)
    return {
        "provider": text(f"{name}.provider", given.provider),
        "model": text(f"{name}.model", given.model),
    }


def main_request(given: MainRequest) -> dict[str, Any]:
    """`main-request`."""
    must_be(MainRequest, "request", given)
    return {
        "model": model_ref("request.model", given.model),
        "cache_key": text("request.cache-key", given.cache_key),
        "at": milliseconds("request.at", given.at),
    }


def last_main_request(answer: dict[str, Any]) -> MainRequest:
    """`main-request`, back."""
    return MainRequest(ModelRef(**answer["model"]), answer["cache_key"], at=answer["at"])


def decision(case: str, payload: Any) -> FallbackDecision:
    """`fallback-decision`."""
    match case:
        case "disabled":
            return FallbackDisabled()
        case "warm":
            return CacheWarm()
    return CacheCold(payload)


def target(name: str, given: object) -> tuple[str, Any]:
    """`summary-target`."""
    match given:
        case None:
            return ("main", None)
        case FallbackModel():
            return ("fallback", _fallback_model(f"{name}.fallback", given))
        case FallbackUnresolved():
            return ("unresolved", text(f"{name}.unresolved", given.error))
    expected = "a FallbackModel, FallbackUnresolved or None"
    raise TypeError(f"`{name}` must be {expected}, not {type(given).__name__}")


def use(answer: dict[str, Any] | None) -> FallbackUse | None:
    """`option<fallback-use>`."""
    if answer is None:
        return None
    return FallbackUse(FallbackStatus(answer["status"]), answer["model"], answer["reason"])


def _fallback_model(name: str, given: FallbackModel) -> dict[str, Any]:
    return {
        "model": model_ref(f"{name}.model", given.model),
        "parameters": spelled(f"{name}.parameters", given.parameters),
        "window": number(f"{name}.window", given.window),
        "max_output": number(f"{name}.max-output", given.max_output),
        "reason": text(f"{name}.reason", given.reason),
    }
