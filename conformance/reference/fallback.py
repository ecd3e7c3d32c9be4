"""Another model that is asked for a summary (compaction: Fallback)."""

from __future__ import annotations

from dataclasses import dataclass

from .casefile import Json
from .rules import Rules

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000


@dataclass(frozen=True)
class ModelRef:
    """A model at a provider."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"

    def as_json(self) -> Json:
        """The model as a transcript writes it."""
        return {"provider": self.provider, "model": self.model}


@dataclass(frozen=True)
class MainRequest:
    """The last request to the main model that was answered."""

    model: ModelRef
    cache_key: str
    at: int

    def as_json(self) -> Json:
        """The request as a transcript writes it."""
        return {"model": self.model.as_json(), "cache-key": self.cache_key, "at": self.at}


@dataclass(frozen=True)
class Idle:
    """How long is still warm, and when it is asked, in milliseconds."""

    after: int
    now: int


def decision(last: MainRequest | None, model: ModelRef, key: str, idle: Idle, rules: Rules) -> Json:
    """Whether the main model's cache is cold, and why."""
    if idle.after == 0:
        return "disabled"
    if last is None or (last.model, last.cache_key) != (model, key):
        return {"cold": rules.value("fallback.no_request")}
    since = idle.now - last.at
    if since <= idle.after:
        return "warm"
    words = [f"{time // MINUTE}m" for time in (since, idle.after)]
    if words[0] == words[1]:
        words = [_exactly(time) for time in (since, idle.after)]
    return {"cold": rules.filled("fallback.idle", idle=words[0], after=words[1])}


def _exactly(time: int) -> str:
    """A duration from its largest unit on: `1h0m0.5s`."""
    hours, minutes = time // HOUR, time % HOUR // MINUTE
    whole, fraction = divmod(time % MINUTE, SECOND)
    told = f"{hours}h" if hours else ""
    told += f"{minutes}m" if hours or minutes else ""
    return f"{told}{whole}" + (f".{fraction:03}".rstrip("0") if fraction else "") + "s"


def use(status: str, model: ModelRef | None, reason: str) -> Json:
    """What became of a fallback."""
    name = None if model is None else str(model)
    return {"status": status, "model": name, "reason": reason}
