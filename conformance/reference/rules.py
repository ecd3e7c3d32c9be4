"""Texts and numbers of `loop.json`, and the check of what overrides them (ruling: Settings)."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from . import checks
from .casefile import Json
from .checks import LARGEST, PLACEHOLDER
from .errors import SessionError, invalid_argument, invalid_setting
from .spelling import whole

__all__ = ["LARGEST", "Ordinals", "Rules", "come_to_the_same", "parse_overrides", "rules_with"]

LOOP = Path(__file__).parent.parent / "loop.json"
PRESETS = LOOP.parent / "presets"

Ordinals = tuple[int, ...]
"""Which subagent of which subagent, from the top down."""


class Rules:
    """The texts and numbers that one session goes by."""

    def __init__(self, loop: Json) -> None:
        self._loop = loop
        self._context = loop["context"]

    def without_archive(self) -> Rules:
        """The same without a history archive."""
        archive = self._loop["archive"] | {"keep": "none"}
        return Rules(self._loop | {"archive": archive})

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

    def default(self, key: str) -> Json:
        """What stands under a dotted name of `loop.json` itself."""
        return Rules(_loop()).value(key)

    @property
    def nul(self) -> str:
        """What is shown in place of NUL."""
        return str(self._context["nul"])

    def id(self, number: int, above: Ordinals = ()) -> str:
        """The id of a session's result `number`, from 1 (§1); `above` says which subagent's."""
        prefix = ".".join(f"{ordinal:x}" for ordinal in above)
        return f"#{prefix}{prefix and '-'}{number:0{self._context['ids']['digits']}x}"

    def sha(self, sha256: str) -> str:
        """As much of a hash as is shown."""
        return sha256[: self._context["sha_digits"]]

    def text(self, name: str, /, **values: str | int) -> str:
        """A text of `context` with its placeholders filled in."""
        return self.filled(f"context.{name}", **values)

    def own_words(self) -> list[tuple[str, str]]:
        """The settings that a model reads as the harness's own words, by their keys."""
        found = []
        for key in OWN_WORDS:
            value = self.value(key)
            texts = {key: value} if isinstance(value, str) else value
            found += [(name if name == key else f"{key}.{name}", texts[name]) for name in texts]
        return found

    def filled(self, key: str, /, **values: str | int) -> str:
        """A text with its placeholders filled in, each once: what is put in is not looked at."""
        return PLACEHOLDER.sub(lambda match: str(values[match[1]]), self.value(key))


OWN_WORDS = (
    *("context.env", "context.note", "prompt.instructions", "tools.unavailable"),
    *("wrap_up.message", "compaction.prompt", "compaction.emergency_prompt", "compaction.summary"),
    "assembly.skill_frame",
)


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
    given = parse_overrides(overrides)
    loop = _loop()
    preset = given.get("preset", loop["preset"])
    checks.check_text(loop["preset"], preset, "preset")
    if preset != loop["preset"]:
        document = json.loads((PRESETS / f"{preset}.json").read_text(encoding="utf-8"))
        loop = _overlaid(loop, document, "")
    changed = _overlaid(loop, given, "")
    checks.check_together(changed)
    return changed


def _loop() -> Json:
    return json.loads(LOOP.read_text(encoding="utf-8"))


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
        checks.check_number(given, key)
    elif isinstance(default, list):
        checks.check_list(given, key)
    else:
        checks.check_text(default, given, key)
    return given


def _overlaid_object(default: Json, given: Json, key: str) -> Json:
    merged = copy.deepcopy(default)
    for name, value in given.items():
        dotted = f"{key}.{name}" if key else name
        if name not in default:
            raise invalid_setting(dotted)
        merged[name] = _overlaid(default[name], value, dotted)
    return merged
