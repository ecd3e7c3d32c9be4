"""A body's text as JSON, read more strictly than `json.loads` does."""

from __future__ import annotations

import json
from collections.abc import Iterator

from reference.casefile import Json


class NotABodyError(Exception):
    """The text is not JSON that every parser reads in the same way."""


def parse(text: str) -> Json:
    """The body of one request.

    Raises `NotABodyError` for what is not JSON, for a key that an object holds twice, for numbers
    that JSON does not have, for half a surrogate pair, which cannot be sent as UTF-8, and for NUL,
    which some providers refuse.
    """
    try:
        body = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise NotABodyError(f"$: is not JSON: {error}") from error
    for path, value in strings(body):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise NotABodyError(f"{path}: holds half a surrogate pair")
        if "\0" in value:
            raise NotABodyError(f"{path}: holds NUL")
    return body


def strings(value: Json, path: str = "$") -> Iterator[tuple[str, str]]:
    """Every string in a value, with its path; keys stand under the path of their object."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield path, key
            yield from strings(item, f"{path}.{key}")


def _object(pairs: list[tuple[str, Json]]) -> Json:
    made: dict[str, Json] = {}
    for key, value in pairs:
        if key in made:
            raise NotABodyError(f"$: an object holds the key {key!r} twice")
        made[key] = value
    return made


def _constant(name: str) -> Json:
    raise NotABodyError(f"$: {name} is no number of JSON")
