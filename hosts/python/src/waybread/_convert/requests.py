"""Requests, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread._convert.pressure import pressure
from waybread._convert.results import inserted
from waybread.requests import (
    Difference,
    DifferenceCause,
    Prefix,
    Request,
    RequestPart,
    RequestReport,
    Usage,
)

if TYPE_CHECKING:
    from waybread.body import Body


def request(answer: dict[str, Any], body: Body) -> Request:
    """`request`, with the body that the host put together."""
    return Request(
        **{
            **answer,
            "body": body,
            "difference": _difference(answer["difference"]),
            "closed": tuple(map(inserted, answer["closed"])),
            "pressure": pressure(answer["pressure"]),
        }
    )


def usage(answer: dict[str, Any]) -> Usage:
    """`usage`."""
    return Usage(**answer)


def request_report(answer: dict[str, Any]) -> RequestReport:
    """`request-report`."""
    return RequestReport(
        **{
            **answer,
            "difference": _difference(answer["difference"]),
            "usage": None if answer["usage"] is None else usage(answer["usage"]),
        }
    )


def prefix(answer: dict[str, Any]) -> Prefix:
    """`prefix`."""
    return Prefix(**answer)


def _difference(answer: dict[str, Any] | None) -> Difference | None:
    if answer is None:
        return None
    part, cause = RequestPart(answer["part"]), DifferenceCause(answer["cause"])
    return Difference(part, answer["message"], cause)
