"""When two calls have the same arguments (§6; ruling: Same arguments)."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable

from .casefile import Json

DEEPEST = 127

EXPONENT = re.compile(r"e\+?(\d)")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _Number(str):
    """A number as it is spelled."""

    __slots__ = ()


def comparable(arguments: str) -> Hashable:
    """A value that is equal for the same arguments and for no others."""
    try:
        value = json.loads(
            arguments, parse_int=_Number, parse_float=_Number, parse_constant=_refuse
        )
        return "json", _frozen(value, DEEPEST)
    except (ValueError, RecursionError):
        return "text", arguments


def _refuse(name: str) -> None:
    raise ValueError(name)


def _frozen(value: Json, depth: int) -> Hashable:
    if isinstance(value, (dict, list)):
        if depth == 0:
            raise ValueError("nested too deep")
        if isinstance(value, list):
            return "list", tuple(_frozen(item, depth - 1) for item in value)
        return "object", frozenset(
            (_text(key), _frozen(item, depth - 1)) for key, item in value.items()
        )
    if isinstance(value, _Number):
        return "number", EXPONENT.sub(r"e+\1", str(value).lower())
    return ("text", _text(value)) if isinstance(value, str) else ("word", value)


def _text(text: str) -> str:
    if LONE_SURROGATE.search(text):
        raise ValueError("no Unicode text")
    return text
