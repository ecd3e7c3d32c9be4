"""A call in a few words (compaction: State beside the conversation)."""

from __future__ import annotations

import re

from .casefile import Json
from .conversation import ReplyCall
from .naming import below
from .paths import Absolute, absolute, split
from .rules import Rules
from .spelling import compact, is_text, parse_object
from .thinking import WHITE

PATHS = ("cwd", "path")
SEPARATORS = (" && ", " ; ", " || ")


def call_words(call: ReplyCall, root: Absolute, rules: Rules) -> str:
    """A tool's name and its summarised arguments."""
    try:
        arguments = parse_object(call.arguments)
    except ValueError:
        return call.name
    told = []
    for key in rules.value("state.keys"):
        value = _value(call.name, key, arguments, root, rules) if key in arguments else ""
        if value:
            told.append(f"{key}={value}")
    return f"{call.name} {', '.join(told)}" if told else call.name


def _value(tool: str, key: str, arguments: Json, root: Absolute, rules: Rules) -> str:
    """One argument, short."""
    given = arguments[key]
    text = (str(given) if is_text(given) else compact(given)).strip(WHITE)
    own = _absolute(arguments.get("cwd"), root)
    if is_text(given) and key in PATHS:
        return _path(text, own or root)
    if is_text(given) and key == "command" and tool in rules.value("state.commands"):
        bases = [root] if own is None else [own, root]
        return _cut(_command(text, bases), "state.command_chars", rules)
    return _cut(text, "state.value_chars", rules)


def _absolute(given: Json, root: Absolute) -> Absolute | None:
    if not is_text(given):
        return None
    return absolute(str(given).strip(WHITE), windows=root.is_windows)


def _cut(text: str, key: str, rules: Rules) -> str:
    most = int(rules.value(key))
    return text if len(text) <= most else text[:most] + str(rules.value("state.cut"))


def _path(text: str, base: Absolute) -> str:
    """A path without the places of the machine."""
    place = absolute(text, windows=base.is_windows)
    if place is None:
        return _cleaned(text, base) if text else ""
    inside = below(place, base)
    if inside is not None:
        return inside or "."
    return place.names[-1] if place.names else place.top


def _cleaned(text: str, base: Absolute) -> str:
    """A relative path without `.`, and without `..` where a name comes before it."""
    names: list[str] = []
    for name in split(text, windows=base.is_windows):
        if name == ".." and names and names[-1] != "..":
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return base.separator.join(names) or "."


def _command(text: str, bases: list[Absolute]) -> str:
    """A command without its `cd` and without the places of the machine."""
    text = _collapsed(text)
    if text.startswith("cd "):
        separator = next((one for one in SEPARATORS if one in text), None)
        text = text if separator is None else text.partition(separator)[2]
    spelled = [str(base).rstrip(base.separator) for base in bases if base.names]
    for taken_out in (*(base + bases[0].separator for base in spelled), *spelled):
        text = text.replace(taken_out, "")
    return _collapsed(text)


def _collapsed(text: str) -> str:
    return re.sub(f"[{WHITE}]+", " ", text).strip(" ")
