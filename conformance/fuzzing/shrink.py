"""Makes a failing case small: whole parts are left out first, then texts are shortened."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reference.casefile import Json

OPTIONAL = (
    *(
        "call",
        "tool",
        "arguments",
        "offset",
        "limit",
        "force",
        "note",
        "parts",
        "sender",
        "delivery",
    ),
    *("date", "incomplete", "parameters", "settings", "key", "last", "after", "by-model"),
    *("instructions", "told", "main", "target", "stage", "steering", "ignore", "context-files"),
    *("state-retired", "pending-subagents", "only-tools", "skills", "skill-roots", "scope"),
    "assembly",
)
REQUIRED = (
    *(("fork", "key"), ("delegate", "key"), ("delegate-progress", "key")),
    ("set-assembly", "assembly"),
)
"""What these steps cannot do without."""
ESSENTIAL = (
    *("role", "content", "output", "type", "id", "call_id", "name", "function", "custom"),
    *("arguments", "input", "text", "thinking", "message", "choices"),
)
TEXTS = ("output", "failure", "content", "before", "after", "note", "text")

Fails = Callable[[Json], bool]


def smallest(case: Json, fails: Fails) -> Json:
    """A case that fails, of which no single part can be left out any more."""
    while smaller := next(filter(fails, _smaller(case)), None):
        case = smaller
    return case


def _smaller(case: Json) -> Iterator[Json]:
    """The case with one part less, from its end; a long run of steps before a single one."""
    steps = case["steps"]
    length = len(steps) // 2
    while length:
        for start in range(len(steps) - length, -1, -length):
            rest = steps[:start] + steps[start + length :]
            if rest:
                yield case | {"steps": rest}
        length //= 2
    for path in case.get("files", {}):
        yield case | {
            "files": {other: kept for other, kept in case["files"].items() if other != path}
        }
    for shorter in _without_one(case.get("settings", {})):
        yield case | {"settings": shorter}
    yield from _with_one_shorter_text(case)


def _without_one(value: Json) -> Iterator[Json]:
    """Settings with one key less, at any depth, or a tool less."""
    for key, inner in value.items():
        yield {name: kept for name, kept in value.items() if name != key}
        if isinstance(inner, dict):
            for shorter in _without_one(inner):
                yield value | {key: shorter}
        elif key == "tools":
            yield from (value | {key: fewer} for fewer in _without_an_item(inner))


def _with_one_shorter_text(case: Json) -> Iterator[Json]:
    for path, text in case.get("files", {}).items():
        for shorter in _shorter(text):
            yield case | {"files": case["files"] | {path: shorter}}
    for position, step in enumerate(case["steps"]):
        for simpler in _simpler(step):
            yield case | {
                "steps": [*case["steps"][:position], simpler, *case["steps"][position + 1 :]]
            }


def _simpler(step: Json) -> Iterator[Json]:
    """A step with a shorter text or a field less, at any depth."""
    for key, value in step.items():
        if key in OPTIONAL and (step.get("do"), key) not in REQUIRED:
            yield {name: kept for name, kept in step.items() if name != key}
        for simpler in _simpler_value(key, value):
            yield step | {key: simpler}


def _simpler_value(key: str, value: Json) -> Iterator[Json]:
    if key in TEXTS:
        yield from _shorter(value)
    elif key in ("read", "changes", "user", "reply", "prompt", "assembly", "settings"):
        yield from _simpler(value)
    elif key in ("json", "usage"):
        yield from _without_any(value)
    elif key in ("parts", "tools", "sources", "told", "skills", "context-files", "ignore"):
        yield from _without_an_item(value)
    elif key == "files":
        for position, file in enumerate(value):
            before, after = value[:position], value[position + 1 :]
            if before or after:
                yield before + after
            for simpler in _simpler(file):
                yield [*before, simpler, *after]


def _without_any(value: Json) -> Iterator[Json]:
    """A reply without one key or one item, at any depth, but still a reply."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ESSENTIAL:
                yield {name: kept for name, kept in value.items() if name != key}
            for less in _without_any(inner):
                yield value | {key: less}
    elif isinstance(value, list):
        yield from _without_an_item(value)
        for place, item in enumerate(value):
            for less in _without_any(item):
                yield [*value[:place], less, *value[place + 1 :]]


def _without_an_item(items: list[Json]) -> Iterator[list[Json]]:
    for place in range(len(items)):
        yield items[:place] + items[place + 1 :]


def _shorter(text: Json) -> Iterator[Json]:
    """A text without one of its lines, or without one of its characters."""
    if not isinstance(text, str):
        return
    lines = text.splitlines(keepends=True)
    for pieces in (lines, list(text)):
        for position in range(len(pieces)):
            yield "".join(pieces[:position] + pieces[position + 1 :])
