"""One body, whole."""

from __future__ import annotations

from reference.casefile import Json

from . import anthropic, chat, responses
from .parse import NotABodyError, parse
from .schemas import schema_problems

RULES = {
    "openai-chat": [chat.problems],
    "anthropic-messages": [anthropic.problems],
    "openai-responses": [responses.problems],
}
"""By dialect: what its schema cannot say."""

OWN_RULES = {"anthropic-messages": [anthropic.own_problems]}
"""The same, of the provider's own endpoint alone."""


def problems(dialect: str, text: str, *, own: bool = False) -> list[str]:
    """What a server would refuse, or read differently, in a request body; none if it is right.

    Each begins with the path in the body. Pairing and order are judged only once the schema holds.
    `own`: what the provider's own endpoint refuses, beyond what any server of the interface does.
    Raises `KeyError` for an unknown dialect.
    """
    try:
        return body_problems(dialect, parse(text), own=own)
    except NotABodyError as error:
        return [str(error)]
    except RecursionError:
        return ["$: is nested too deep"]


def body_problems(dialect: str, body: Json, *, own: bool = False) -> list[str]:
    """The same of a body that was parsed."""
    rules = RULES[dialect] + (OWN_RULES.get(dialect, []) if own else [])
    found = schema_problems(dialect, body, own=own)
    return found or [problem for rule in rules for problem in rule(body)]
