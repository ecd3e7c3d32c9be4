"""JSON that is carried: keys keep their order and numbers their spelling (requests: The body)."""

from __future__ import annotations

import json
import re

from .casefile import Json

DEEPEST = 127

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """A number as it is spelled."""

    __slots__ = ()


class OwnWords(str):
    """Words that are the component's own: any are right. The model has none."""

    __slots__ = ()


def parse(text: str) -> Json:
    """A text as JSON. A key given twice counts once, at its first place with its last value.

    Raises `ValueError` for what is no JSON and for what is nested too deep.
    """
    try:
        value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deep") from None
    _check(value, DEEPEST)
    return whole(value)


def whole(value: Json) -> Json:
    """JSON with U+FFFD in place of every half of a surrogate pair."""
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {whole(key): whole(item) for key, item in value.items()}
    return LONE_SURROGATE.sub("\ufffd", value) if is_text(value) else value


def compact(value: Json, nul: str = "\0") -> str:
    """JSON without white space, escaped no further than it must be. `nul` stands for NUL."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value.replace("\0", nul), ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(compact(item, nul) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{compact(key, nul)}:{compact(item, nul)}" for key, item in value.items())
        return "{" + ",".join(pairs) + "}"
    return json.dumps(value)


def passed(value: Json) -> str:
    """JSON as a case passes it: a string as it is, anything else compact."""
    return value if isinstance(value, str) else compact(value)


def parse_object(text: str) -> Json:
    """A JSON object. Raises `ValueError`, also for JSON that is none."""
    value = parse(text)
    if isinstance(value, dict):
        return value
    raise ValueError("not an object")


def is_text(value: Json) -> bool:
    """Whether a value is a string and not a number's spelling."""
    return isinstance(value, str) and not isinstance(value, Number)


def is_empty(value: Json) -> bool:
    """Whether a value is null, or a string, list or object with nothing in it."""
    return value is None or (not isinstance(value, bool) and len(value) == 0)


def _refuse(name: str) -> None:
    raise ValueError(name)


def _check(value: Json, depth: int) -> None:
    if isinstance(value, (dict, list)):
        if depth == 0:
            raise ValueError("nested too deep")
        for item in value:
            _check(item, depth - 1)
        for item in value.values() if isinstance(value, dict) else ():
            _check(item, depth - 1)
