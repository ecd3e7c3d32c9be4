"""The request for a summary (compaction: The request for a summary)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from . import body
from .anthropic import Anthropic
from .body import Body, Front
from .casefile import Json
from .chat import Chat
from .dialects import Dialect
from .fallback import ModelRef
from .models import EXPLICIT, fits_name
from .requests import Kept, Requests, kept
from .responses import Responses
from .spelling import Number
from .stages import Asked, Plan


@dataclass(frozen=True)
class Target:
    """Which model is asked for a summary, and the use of a fallback that is to be told.

    `chosen` is the fallback that is asked, `reason` why. `use` tells of one that was passed over,
    `too_small` that this is why, and not known from before.
    """

    asked: Asked
    chosen: ModelRef | None = None
    reason: str = ""
    use: Json = None
    too_small: bool = False


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
    parameters = _limited(target.asked, plan, requests.dialect)
    items = requests.items_of(plan.held)
    return body.body(requests.dialect, parameters, front, items, marks=target.chosen is None)


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


def _limited(asked: Asked, plan: Plan, dialect: Dialect) -> Json:
    """Parameters that ask for a text, and let the reply have so many tokens if there is a limit."""
    demands = DEMANDS[type(dialect)]
    parameters = {
        name: value
        for name, value in asked.parameters.items()
        if name not in demands or not demands[name](value)
    }
    if plan.limit == 0:
        return parameters
    named = [name for name in EXPLICIT if name in parameters]
    most = Number(str(plan.may_write))
    return parameters | dict.fromkeys(named or [_own_name(asked.name, dialect)], most)


def _own_name(name: str, dialect: Dialect) -> str:
    """What a dialect calls the most tokens of a reply."""
    if isinstance(dialect, Responses):
        return "max_output_tokens"
    prefixes = dialect.rules.value("compaction.completion_models")
    wants_own = any(fits_name(prefix, name) for prefix in prefixes)
    return "max_completion_tokens" if isinstance(dialect, Chat) and wants_own else "max_tokens"


def _is_other_type(value: Json, *types: str) -> bool:
    """Whether a value has a type, and none of these."""
    kind = value.get("type") if isinstance(value, dict) else None
    return kind is not None and kind not in types


def _forces_call(choice: Json) -> bool:
    return isinstance(choice, dict) or bool(choice == "required")


DEMANDS: dict[type[Dialect], dict[str, Callable[[Json], bool]]] = {
    Chat: {
        "tool_choice": _forces_call,
        "response_format": lambda value: _is_other_type(value, "text"),
    },
    Anthropic: {"tool_choice": lambda value: _is_other_type(value, "auto", "none")},
    Responses: {
        "tool_choice": _forces_call,
        "text": lambda value: (
            isinstance(value, dict) and _is_other_type(value.get("format"), "text")
        ),
    },
}
"""Parameters that demand something else than a text, by what of them does."""
