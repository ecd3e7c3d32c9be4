"""What all dialects ask of tools and their calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

HALF = re.compile("[\ud800-\udfff]")


def twice(names: Sequence[tuple[str, str]], what: str) -> Iterator[str]:
    """A problem for each name that stood before. `names`: path and name, in order."""
    first: dict[str, str] = {}
    for path, name in names:
        if name in first:
            yield f"{path}: {what} {name!r} stands at {first[name]} already"
        first.setdefault(name, path)


def answered(calls: Sequence[str], results: Sequence[tuple[str, str]], place: str) -> Iterator[str]:
    """One result for each call, in the order of the calls.

    `calls` are ids; `results` are path and id, in order; `place` is the path of the calls' message.
    """
    ids = [name for _, name in results]
    yield from twice(results, "a result for")
    for path, name in results:
        if name not in calls:
            yield f"{path}: a result for {name!r}, which {place} does not call"
    for name in calls:
        if name not in ids:
            yield f"{place}: the call {name!r} has no result where it must stand"
    if sorted(ids) == sorted(calls) and ids != list(calls):
        yield f"{place}: the results stand in another order than the calls: {', '.join(ids)}"


def no_object(arguments: str, path: str) -> Iterator[str]:
    """A call's arguments are a JSON object that any parser reads."""
    try:
        value = json.loads(arguments, parse_constant=_refused)
    except (ValueError, RecursionError):
        yield f"{path}: arguments that are no JSON"
        return
    if not isinstance(value, dict):
        yield f"{path}: arguments that are no object"
    elif HALF.search(json.dumps(value, ensure_ascii=False)):
        yield f"{path}: arguments with half a surrogate pair"


def _refused(name: str) -> None:
    raise ValueError(name)


def known_choice(chosen: str | None, names: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A tool that the request forces must be one that it lists."""
    if chosen is not None and chosen not in [name for _, name in names]:
        yield f"$.tool_choice: {chosen!r} is not among the tools"
