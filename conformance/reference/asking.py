"""The request for a summary (compaction: The request for a summary)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from . import body
from .anthropic import Anthropic
from .body import Body, Front
from .casefile import Json
from .dialects import Dialect
from .fallback import ModelRef
from .models import EXPLICIT, whole_number
from .requests import Kept, Requests, kept
from .responses import Responses
from .spelling import Number
from .stages import Asked, Plan


@dataclass(frozen=True)
class Target:
    """Which model is asked for a summary, and the use of a fallback that is to be told.

    `chosen` is the fallback that is asked, `reason` why. `use` tells of one that was passed over.
    """

    asked: Asked
    parameters: Json
    chosen: ModelRef | None = None
    reason: str = ""
    use: Json = None


@dataclass(frozen=True)
class Begun:
    """A compaction that was begun: the numbers of the messages that it covers.

    `parameters` are the main model's.
    """

    stage: str
    covered: frozenset[int]
    target: Target
    limit: int
    parameters: Json


def summary_body(requests: Requests, target: Target, front: Front, plan: Plan) -> Body:
    """The whole body."""
    parameters = _limited(target.parameters, plan.limit, requests.dialect)
    return body.body(requests.dialect, parameters, front, requests.items_of(plan.held))


def kept_of(requests: Requests, made: Body) -> Kept:
    """How much of the previous request's body stands."""
    if requests.fresh or not requests.built:
        return Kept(0, 0)
    before = requests.built[-1].body
    return kept(before, made, body.shared(before.data, made.data))


def as_json(begun: Begun, plan: Plan, made: Body, keep: int, retains: int) -> Json:
    """The request as a transcript writes it, but for the health."""
    return {
        "stage": begun.stage,
        "keep": keep,
        "length": len(made.data),
        "sha256": hashlib.sha256(made.data).hexdigest(),
        "estimate": plan.estimate.as_json(),
        "max-tokens": plan.limit,
        "covers": plan.cut,
        "retains": retains,
        "on-fallback": begun.target.chosen is not None,
        "fallback": begun.target.use,
        "health": None,
        "body": made.text,
    }


def _limited(parameters: Json, limit: int, dialect: Dialect) -> Json:
    """Parameters that let the summary have so many tokens; as they are without a limit."""
    if limit == 0:
        return parameters
    thinking = parameters.get("thinking") if isinstance(dialect, Anthropic) else None
    thought = whole_number(thinking.get("budget_tokens")) if isinstance(thinking, dict) else None
    most = Number(str(limit + (thought or 0)))
    named = [name for name in EXPLICIT if name in parameters]
    own = "max_output_tokens" if isinstance(dialect, Responses) else "max_tokens"
    return parameters | dict.fromkeys(named or [own], most)
