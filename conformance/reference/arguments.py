"""When two calls have the same arguments (§6; ruling: Same arguments)."""

from __future__ import annotations

import re
from collections.abc import Hashable

from .casefile import Json
from .spelling import Number, parse

EXPONENT = re.compile(r"e\+?(\d)")


def comparable(arguments: str) -> Hashable:
    """A value that is equal for the same arguments and for no others."""
    try:
        return "json", _frozen(parse(arguments))
    except ValueError:
        return "text", arguments


def _frozen(value: Json) -> Hashable:
    if isinstance(value, list):
        return "list", tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return "object", frozenset((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, Number):
        return "number", EXPONENT.sub(r"e+\1", str(value).lower())
    return ("text", value) if isinstance(value, str) else ("word", value)
