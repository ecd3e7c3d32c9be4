"""Texts and numbers of `loop.json`, and the check of what overrides them (ruling: Settings)."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

from .casefile import Json
from .errors import SessionError, invalid_argument, invalid_setting
from .spelling import whole
from .thinking import is_blank

LOOP = Path(__file__).parent.parent / "loop.json"
LARGEST = 2**32 - 1

PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)

RANGES = {
    "context.ids.digits": (1, 64),
    "context.sha_digits": (1, 64),
    "context.reads.window": (1, LARGEST),
    "context.recall.window": (1, LARGEST),
    "context.cap.max_lines": (1, LARGEST),
    "context.cap.max_chars": (1, LARGEST),
    "context.cap.head_lines": (1, LARGEST),
    "context.cap.head_chars": (1, LARGEST),
    "requests.cache_breakpoints": (0, 4),
}
CHOICES = {
    "context.edits.answer": ("diff", "summary"),
    "prompt.dates": ("refuse", "allow"),
    "prompt.paths": ("refuse", "allow"),
    "reasoning.carry": ("turn", "none", "as-given"),
    "reasoning.earlier_turns": ("none", "tool-calls", "all"),
    "requests.cache_ttl": ("", "5m", "1h"),
}
NEVER_BLANK = (
    "context.note.empty",
    "replies.interrupted",
    "replies.unanswered",
    "requests.system_role",
    "tools.unavailable",
    "wrap_up.message",
    "wrap_up.refused",
)
"""What is sent where the provider takes no blank text."""

FORBIDDEN = {
    "reasoning.blocks": ("text", "tool_use"),
    "requests.not_resent": ("role", "content", "tool_calls", "id", "type", "function"),
}
"""What lists may not name: a request without it would be refused or say nothing."""

TAGS = "reasoning.tags"


class Rules:
    """The texts and numbers that one session goes by."""

    def __init__(self, loop: Json) -> None:
        self._loop = loop
        self._context = loop["context"]

    def section(self, name: str) -> Json:
        """A section of `context`, such as `cap`."""
        return self._context[name]

    def value(self, key: str) -> Json:
        """What stands under a dotted name. Raises `KeyError`."""
        value = self._loop
        for part in key.split("."):
            if not isinstance(value, dict):
                raise KeyError(key)
            value = value[part]
        return value

    @property
    def nul(self) -> str:
        """What is shown in place of NUL."""
        return str(self._context["nul"])

    def id(self, number: int) -> str:
        """The id of the session's result `number`, from 1 (§1)."""
        return f"#{number:0{self._context['ids']['digits']}x}"

    def sha(self, sha256: str) -> str:
        """As much of a hash as is shown."""
        return sha256[: self._context["sha_digits"]]

    def text(self, name: str, /, **values: str | int) -> str:
        """A text of `context` with its placeholders filled in."""
        return self.filled(f"context.{name}", **values)

    def filled(self, key: str, /, **values: str | int) -> str:
        """A text with its placeholders filled in, each once: what is put in is not looked at."""
        return PLACEHOLDER.sub(lambda match: str(values[match[1]]), self.value(key))


def rules_with(overrides: str) -> Rules:
    """The rules with a session's overrides. Raises `SessionError`."""
    return Rules(_changed(overrides))


def come_to_the_same(kept: str, given: str) -> bool:
    """Whether overrides given later are none, or make the same rules as those that were kept."""
    if parse_overrides(given) == {}:
        return True
    try:
        return bool(_changed(kept) == _changed(given))
    except SessionError:
        return False


def _changed(overrides: str) -> Json:
    loop = json.loads(LOOP.read_text(encoding="utf-8"))
    changed = _overlaid(loop, parse_overrides(overrides), "")
    _check_cap(changed["context"]["cap"])
    return changed


def parse_overrides(overrides: str) -> Json:
    """A session's overrides as JSON; none are `{}`. Raises `SessionError`."""
    if overrides.strip() == "":
        return {}
    try:
        value = whole(json.loads(overrides))
    except ValueError:
        raise invalid_argument("settings.overrides") from None
    if not isinstance(value, dict):
        raise invalid_argument("settings.overrides")
    return value


def _overlaid(default: Json, given: Json, key: str) -> Json:
    """`default` with what `given` names, each value checked against the one it replaces."""
    if isinstance(default, dict):
        if not isinstance(given, dict):
            raise invalid_setting(key)
        return _overlaid_object(default, given, key)
    if isinstance(default, int):
        _check_number(given, key)
    elif isinstance(default, list):
        _check_names(given, key)
    else:
        _check_text(default, given, key)
    return given


def _overlaid_object(default: Json, given: Json, key: str) -> Json:
    merged = copy.deepcopy(default)
    for name, value in given.items():
        dotted = f"{key}.{name}" if key else name
        if name not in default:
            raise invalid_setting(dotted)
        merged[name] = _overlaid(default[name], value, dotted)
    return merged


def _check_number(given: Json, key: str) -> None:
    low, high = RANGES.get(key, (0, LARGEST))
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise invalid_setting(key)


def _check_names(given: Json, key: str) -> None:
    if not isinstance(given, list):
        raise invalid_setting(key)
    for position, name in enumerate(given):
        is_bad = key == TAGS and not _is_pair(name) if isinstance(name, str) else True
        if is_bad or name in FORBIDDEN.get(key, ()):
            raise invalid_setting(f"{key}[{position}]")


def _is_pair(tags: str) -> bool:
    """Whether it is an opening and a closing tag, separated by one blank."""
    words = tags.split(" ")
    return len(words) == len(("opening", "closing")) and all(words)


def _check_text(default: str, given: Json, key: str) -> None:
    if not isinstance(given, str):
        raise invalid_setting(key)
    if key in CHOICES:
        if given not in CHOICES[key]:
            raise invalid_setting(key)
        return
    if key in NEVER_BLANK and is_blank(given):
        raise invalid_setting(key)
    if set(PLACEHOLDER.findall(given)) != set(PLACEHOLDER.findall(default)):
        raise invalid_setting(key)


def _check_cap(cap: Json) -> None:
    for unit in ("lines", "chars"):
        if cap[f"head_{unit}"] + cap[f"tail_{unit}"] > cap[f"max_{unit}"]:
            raise invalid_setting(f"context.cap.head_{unit}")
