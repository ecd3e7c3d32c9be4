"""Arguments that are no records: texts, numbers, JSON, names of cases."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from waybread._text import REPLACEMENT, scalar_values
from waybread.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import Enum

    Item = TypeVar("Item")

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1


def invalid_argument(name: str, problem: str) -> InvalidArgumentError:
    """The error of an argument that cannot even be handed to the component."""
    return InvalidArgumentError(f"argument `{name}` {problem}", name, problem)


def must_be(type_: type, name: str, value: object) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, type_):
        raise TypeError(f"`{name}` must be a {type_.__name__}, not {type(value).__name__}")


def must_store(name: str, value: object) -> None:
    """Refuse what cannot be a `Storage`: a path, for example, or a class."""
    _must_have(
        ("append", "read_log", "read_text"), "Storage, such as SqliteStorage(path)", name, value
    )


def must_read(name: str, value: object) -> None:
    """Refuse what cannot be a `FileSystem`: a path, for example, or a class."""
    _must_have(("identify", "read"), "FileSystem, such as Directory(path)", name, value)


def _must_have(methods: tuple[str, ...], expected: str, name: str, value: object) -> None:
    if isinstance(value, type):
        raise TypeError(f"`{name}` must be a {expected}, not the class {value.__name__} itself")
    lacking = [method for method in methods if not callable(getattr(value, method, None))]
    if lacking:
        kind = type(value).__name__
        # Of something else altogether it need not be said.
        lacks = f", which has no `{lacking[0]}`" if methods[0] not in lacking else ""
        raise TypeError(f"`{name}` must be a {expected}, not {kind}{lacks}")


def flag(name: str, value: object) -> bool:
    """An argument that must be true or false."""
    must_be(bool, name, value)
    return value is True


def text(name: str, value: object) -> str:
    """An argument that must be a text."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a str, not {type(value).__name__}")
    return scalar_values(value)


def key(name: str, value: object) -> str:
    """A session's key: two of them are never made one, as texts with halves of characters are."""
    whole = text(name, value)
    if REPLACEMENT in whole and whole.count(REPLACEMENT) != str(value).count(REPLACEMENT):
        raise invalid_argument(name, "holds a lone surrogate, which is no character")
    return whole


def path(name: str, value: object) -> str:
    """An argument that must be a path."""
    return text(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def local_path(name: str, value: object) -> Path:
    """An argument that must be a path of this machine, whose name need be no text."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"`{name}` must be a str or PathLike, not {type(value).__name__}")
    return Path(value)


def optional(convert: Callable[[str, Any], Item], name: str, value: object) -> Item | None:
    """An argument that may be None."""
    return None if value is None else convert(name, value)


def number(name: str, value: object, most: int = U32_MAX) -> int:
    """An argument that must be a whole number, of 32 bits unless it says otherwise."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be an int, not {type(value).__name__}")
    if not 0 <= value <= most:
        raise invalid_argument(name, f"is {value}; it must be from 0 to {most}")
    return int(value)


def milliseconds(name: str, value: object) -> int:
    """An argument that must be a whole number of milliseconds."""
    return number(name, value, U64_MAX)


def limit(value: object) -> int | None:
    """A limit in bytes, or None for none."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise TypeError(f"`memory_limit` must be an int or None, not {type(value).__name__}")
    if value is not None and value < 1:
        raise invalid_argument("memory_limit", f"is {value}; it must be at least 1")
    return value


def case(cases: type[Enum], name: str, value: object) -> str:
    """One of an enum's cases, or its name in the contract."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a {cases.__name__}, not {type(value).__name__}")
    names = [case.value for case in cases]
    if value not in names:
        *others, last = names
        expected = f"{', '.join(others)} or {last}"
        raise invalid_argument(name, f"is `{value}`; it must be {expected}")
    return str(cases(value).value)


def items(convert: Callable[[str, Any], Item], of: str, name: str, values: object) -> list[Item]:
    """An argument that must be several of something; `of` says of what. Each has its own name."""
    # A set's order differs from run to run, and the log keeps the order.
    unordered = isinstance(values, str | bytes | Mapping | set | frozenset)
    if unordered or not isinstance(values, Iterable):
        raise TypeError(f"`{name}` must be a sequence of {of}, not {type(values).__name__}")
    return [convert(f"{name}[{n}]", value) for n, value in enumerate(values)]


def texts(name: str, values: object) -> list[str]:
    """An argument that must be several texts."""
    return items(text, "str", name, values)


def spelled(name: str, value: object) -> str:
    """JSON as it was given; a mapping or a list as compact JSON in its own order."""
    if isinstance(value, str):
        return scalar_values(value)
    if not isinstance(value, Mapping | list | tuple):
        kind = type(value).__name__
        raise TypeError(f"`{name}` must be a mapping, a list or a str of JSON, not {kind}")
    plain = dict(value) if isinstance(value, Mapping) else value
    try:
        json_text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid_argument(name, f"cannot be written as JSON: {error}") from error
    return scalar_values(json_text)
