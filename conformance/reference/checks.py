"""What settings may be (rulings: Settings; compaction: Presets, Limits)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

from .casefile import Json
from .errors import invalid_setting
from .paths import absolute, split
from .thinking import is_blank

LARGEST = 2**32 - 1
NAME = re.compile("[A-Za-z][A-Za-z0-9._-]*")
CALL_ID = re.compile("[A-Za-z0-9_-]+")
PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)

RANGES = {
    "context.ids.digits": (1, 64),
    "context.sha_digits": (1, 64),
    "requests.cache_breakpoints": (0, 4),
    "budget.cap_percent": (1, 100),
    "budget.shorten_least": (1, LARGEST),
    "budget.shorten_most": (1, LARGEST),
    "budget.step_percent": (1, 100),
    "compaction.threshold_percent": (1, 100),
}
AT_LEAST_ONE = (
    *("context.reads.window", "context.recall.window", "context.compaction.rows"),
    *("context.cap.max_lines", "context.cap.head_lines"),
    *("context.cap.max_chars", "context.cap.head_chars"),
    *("escalation.warning", "escalation.critical"),
    *("state.value_chars", "state.command_chars"),
    "tokens.image_area",
)
CHOICES = {
    "preset": ("context-hygiene", "context-hygiene-3.2.0", "steiner"),
    "context.edits.answer": ("diff", "summary"),
    "prompt.dates": ("refuse", "allow"),
    "prompt.paths": ("refuse", "allow"),
    "replies.repair": ("on", "off"),
    "reasoning.carry": ("turn", "none", "as-given"),
    "reasoning.earlier_turns": ("by-model", "none", "tool-calls", "all"),
    "reasoning.after_calls": ("turn", "reply"),
    "requests.cache_ttl": ("", "5m", "1h"),
    "requests.images_without_vision": ("omit", "send"),
    "budget.provider": ("native", "stateful"),
    "compaction.retain_by": ("turns", "steps"),
    "context.reads.stub_ranges": ("within", "exact"),
    "budget.shorten": ("none", "results"),
    "compaction.anchor": ("none", "person", "task"),
    "compaction.source": ("all", "older"),
    "compaction.images": ("keep", "omit"),
    "compaction.summary_role": ("user", "system"),
    "archive.keep": ("none", "markdown"),
    "snapshots.encoding": ("plain", "go"),
}
NEVER_BLANK = (
    *("context.note.empty", "context.compaction.empty", "compaction.image_omitted"),
    *("replies.interrupted", "replies.arguments.refused", "replies.unanswered"),
    *("requests.system_role", "requests.image_omitted", "tools.unavailable"),
    *("wrap_up.message", "wrap_up.refused", "fallback.no_request"),
    *(f"escalation.guidance.{severity}" for severity in ("info", "warning", "critical")),
    *("archive.path", "archive.marker", "archive.image", "archive.subagent"),
    *(f"archive.{name}" for name in ("person", "machine", "model", "summary", "ok", "failed")),
)
"""What is sent where the provider takes no blank text, or would say nothing."""

MAY_BE_BLANK = ("context.cap.head", "context.cap.elided_characters", "context.cap.elided_both")
"""What a blank leaves out."""

FORBIDDEN = {
    "reasoning.blocks": ("text", "tool_use"),
    "requests.not_resent": ("role", "content", "tool_calls", "id", "type", "function"),
}
"""What lists may not name: a request without it would be refused or say nothing."""

BOUNDS = (
    ("budget.margin_least", "budget.margin_most"),
    ("compaction.summary_least", "compaction.summary_most"),
    ("compaction.emergency_least", "compaction.emergency_most"),
    ("escalation.warning", "escalation.critical"),
)
"""Of two settings the first may not be above the second."""


def check_number(given: Json, key: str) -> None:
    """Raises `SessionError` for what is no whole number or out of range."""
    low = 1 if key in AT_LEAST_ONE else 0
    low, high = RANGES.get(key, (low, 100 if key.endswith("percent") else LARGEST))
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise invalid_setting(key)


def check_list(given: Json, key: str) -> None:
    """Raises `SessionError` for what is no list of such texts, naming the one that is wrong."""
    if not isinstance(given, list):
        raise invalid_setting(key)
    is_right = ENTRIES.get(key)
    for position, name in enumerate(given):
        is_bad = not isinstance(name, str) or (is_right is not None and not is_right(name))
        if is_bad or name in FORBIDDEN.get(key, ()):
            raise invalid_setting(f"{key}[{position}]")


def check_text(default: str, given: Json, key: str) -> None:
    """Raises `SessionError` for another word, a blank, or other placeholders than the default's."""
    if not isinstance(given, str):
        raise invalid_setting(key)
    if key in CHOICES:
        if given not in CHOICES[key]:
            raise invalid_setting(key)
        return
    if key == "replies.call_id" and not CALL_ID.fullmatch(given):
        raise invalid_setting(key)
    if key == "skills.element" and not NAME.fullmatch(given):
        raise invalid_setting(key)
    if key == "assembly.global_instructions" and not (is_blank(given) or _is_below(given)):
        raise invalid_setting(key)
    if key in NEVER_BLANK and is_blank(given):
        raise invalid_setting(key)
    if key in MAY_BE_BLANK and given.strip() == "":
        return
    if set(PLACEHOLDER.findall(given)) != set(PLACEHOLDER.findall(default)):
        raise invalid_setting(key)


def check_together(loop: Json) -> None:
    """Raises `SessionError` for settings that are at odds with others."""
    cap = loop["context"]["cap"]
    for unit in ("lines", "chars"):
        if cap[f"head_{unit}"] + cap[f"tail_{unit}"] > cap[f"max_{unit}"]:
            raise invalid_setting(f"context.cap.head_{unit}")
    for least, most in BOUNDS:
        section = loop[least.partition(".")[0]]
        if section[least.partition(".")[2]] > section[most.partition(".")[2]]:
            raise invalid_setting(least)
    if all(entry.split(" ")[0] != "*" for entry in loop["tokens"]["models"]):
        raise invalid_setting("tokens.models")
    _check_threshold(loop)


def _check_threshold(loop: Json) -> None:
    """A compaction that is due at so many tokens is due below every window."""
    threshold, budget = loop["compaction"]["threshold_tokens"], loop["budget"]
    stands_in = budget["window"] == budget["max_output"] == 0
    windows = [
        budget["fallback_window" if stands_in else "window"],
        *(int(entry.split(" ")[1]) for entry in budget["models"]),
    ]
    known = [window for window in windows if window > 0]
    if threshold > 0 and threshold >= min(known, default=0):
        raise invalid_setting("compaction.threshold_tokens")


def _is_below(path: str) -> bool:
    """Whether a path is relative and names something below where it begins, on any system."""
    names = split(path, windows=True)
    if names[0] in ("", "~") or absolute(path, windows=True) is not None:
        return False
    depths = list(accumulate(DEPTHS.get(name, 1) for name in names))
    return min(depths) >= 0 and depths[-1] > 0


DEPTHS = {"": 0, ".": 0, "..": -1}
"""How much deeper a name of a path leads; any other leads one folder down."""


def _words(entry: str, count: int) -> list[str] | None:
    """The words of an entry, if it has so many and one blank between them."""
    words = entry.split(" ")
    return words if len(words) == count and all(words) else None


def _is_pair(entry: str) -> bool:
    """An opening and a closing tag."""
    return _words(entry, 2) is not None


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and int(word) <= LARGEST


def _is_parameter(entry: str) -> bool:
    """`name value`."""
    words = _words(entry, 2)
    return words is not None and _is_count(words[1])


def _is_rule(entry: str) -> bool:
    """`prefix rule`, the prefix with a least version if it ends in `+`."""
    words = _words(entry, 2)
    rules = ("none", "tool-calls", "tool-calls+empty", "all", "all+empty", "bound")
    if words is None or words[1] not in rules:
        return False
    least = r".*[-._][0-9]{1,2}([-._][0-9]{1,2})?\+"
    return not words[0].endswith("+") or re.fullmatch(least, words[0]) is not None


def _is_vocabulary(entry: str) -> bool:
    """`prefix vocabulary factor`."""
    words = _words(entry, 3)
    return (
        words is not None
        and words[1] in ("o200k", "cl100k")
        and _is_count(words[2])
        and int(words[2]) > 0
    )


def _is_limit(entry: str) -> bool:
    """`prefix window max_output`."""
    words = _words(entry, 3)
    return words is not None and all(map(_is_count, words[1:]))


def _is_file_name(name: str) -> bool:
    """Whether a name is a file's in whatever folder it is looked for, on any system."""
    drive = name[1:2] == ":"
    return not (drive or is_blank(name) or name.strip() in (".", "..") or set(name) & set("/\\\0"))


ENTRIES: dict[str, Callable[[str], bool]] = {
    "reasoning.models": _is_rule,
    "reasoning.tags": _is_pair,
    "tokens.models": _is_vocabulary,
    "budget.models": _is_limit,
    "budget.parameters": _is_parameter,
    "assembly.instruction_files": _is_file_name,
    "skills.notices": lambda notice: not is_blank(notice),
}
