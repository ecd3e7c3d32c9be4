"""What the server answers: a script of replies for each model."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FAULTS = ("rate-limit", "overloaded", "too-long", "malformed", "cut")
"""What a reply may be instead: 429, 529, the provider's "too long", no JSON, half of itself."""

ANY = "*"
"""The script of every model that has none of its own."""


class ScriptError(Exception):
    """The script is not one; says where, and what would be right."""


@dataclass(frozen=True)
class Call:
    """A tool call. `arguments` that are a text are sent as they stand, be they JSON or not."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """One reply of the model, in no provider's spelling. `delay` is in seconds."""

    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    fault: str | None = None
    delay: float = 0.0


@dataclass
class Model:
    """A model: its replies in order, each given once.

    `window` is in tokens, 0 for none. `binding`: thinking is valid only behind an unchanged front.
    """

    replies: Sequence[Reply]
    window: int = 0
    binding: bool = False
    _given: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> tuple[int, Reply | None]:
        """The number of this reply, from 1, and the reply; None where the script is over."""
        with self._lock:
            self._given += 1
            at = self._given
        return at, self.replies[at - 1] if at <= len(self.replies) else None


def read(path: Path) -> dict[str, Model]:
    """The models of a script. Raises `ScriptError`."""
    try:
        given = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ScriptError(f"{path}: {error}") from error
    return parse(given)


def parse(given: Any) -> dict[str, Model]:
    """The models of a script that was parsed. Raises `ScriptError`."""
    models = _object("the script", given, {"models"}).get("models")
    return {name: _model(f"models.{name}", model) for name, model in _items("models", models)}


def _model(place: str, given: Any) -> Model:
    fields = _object(place, given, {"replies", "window", "binding"})
    replies = fields.get("replies")
    if not isinstance(replies, list):
        raise ScriptError(f"{place}.replies: must be a list of replies")
    made = [_reply(f"{place}.replies[{at}]", reply) for at, reply in enumerate(replies)]
    return Model(made, int(fields.get("window", 0)), bool(fields.get("binding", False)))


def _reply(place: str, given: Any) -> Reply:
    fields = _object(place, given, {"text", "thinking", "calls", "fault", "delay"})
    fault = fields.get("fault")
    if fault is not None and fault not in FAULTS:
        raise ScriptError(f"{place}.fault: is {fault!r}, must be one of {', '.join(FAULTS)}")
    calls = fields.get("calls", [])
    if not isinstance(calls, list):
        raise ScriptError(f"{place}.calls: must be a list")
    made = tuple(_call(f"{place}.calls[{at}]", call) for at, call in enumerate(calls))
    text, thinking = (str(fields.get(name, "")) for name in ("text", "thinking"))
    return Reply(text, thinking, made, fault, float(fields.get("delay", 0)))


def _call(place: str, given: Any) -> Call:
    fields = _object(place, given, {"name", "arguments"})
    arguments = fields.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Call(str(fields.get("name", "")), text)


def _object(place: str, given: Any, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise ScriptError(f"{place}: must be an object with {', '.join(sorted(known))}")
    odd = set(given) - known
    if odd:
        names = ", ".join(sorted(known))
        raise ScriptError(f"{place}.{min(odd)}: is unknown; known here are {names}")
    return given


def _items(place: str, given: Any) -> list[tuple[str, Any]]:
    if not isinstance(given, dict) or not given:
        raise ScriptError(f"{place}: must name at least one model, or {ANY!r} for any")
    return list(given.items())
