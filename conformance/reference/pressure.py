"""How full the window is with a request, and what to do (compaction: Pressure)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .casefile import Json
from .models import Estimate, Limits
from .rules import Rules
from .shortening import Room
from .spelling import OwnWords
from .stages import Asked, Past, Plan, planned
from .upcoming import Upcoming


@dataclass(frozen=True)
class Report:
    """Usage that was recorded of a request."""

    request: int
    model: str
    usage: Json


@dataclass
class Strain:
    """What happened in a session that the next thing to do hangs on."""

    applied: list[str] = field(default_factory=list)
    """The stages that were applied."""
    stages_in_turn: int = 0
    """How many were applied since the last message was added that starts a turn."""
    replied: bool = False
    """Whether a reply was added since the last of them."""
    failed: set[str] = field(default_factory=set)
    """The stages that failed since the last message, result or compaction."""
    reports: list[Report] = field(default_factory=list)
    """Usage as it was told, oldest first."""
    compacted_at: int = 0
    """The number of the last request that was built before the last compaction."""
    cleared_at: int = 0
    is_anew: bool = False
    """Whether results that a request held were shown shorter."""
    """The number of the last request that was built before the provider lost its state."""

    def compacted(self, stage: str, built: int) -> None:
        """A stage was applied: what was reported before says nothing of what is left."""
        self.applied.append(stage)
        self.stages_in_turn += 1
        self.replied, self.failed = False, set()
        self.compacted_at = self.cleared_at = built

    def shortened(self, built: int) -> None:
        """Results that a request held are shown shorter."""
        self.stages_in_turn += 1
        self.compacted_at = self.cleared_at = built
        self.is_anew = True

    @property
    def past(self) -> Past:
        """What the stages' rule against loops looks at."""
        return Past(None if self.replied or not self.applied else self.applied[-1])

    def used(self, name: str) -> int:
        """What a stateful provider reported last, if that was of this model."""
        told = [one for one in self.reports if one.request > self.cleared_at]
        if not told or told[-1].model != name:
            return 0
        usage = told[-1].usage
        return int(usage["input"] + (usage["output"] or 0))

    def floor(self, name: str, limits: Limits) -> int | None:
        """What the first request after a compaction used, where that was much already."""
        after = self.compacted_at
        told = [one for one in self.reports if one.request > after and one.model == name]
        if not (self.applied or self.is_anew) or not told:
            return None
        given = int(told[0].usage["input"])
        return given if limits.soft <= given < limits.percent(CAP) else None


CAP = "budget.cap_percent"


def health(rules: Rules, severity: str, state: str) -> Json:
    """What a harness tells the person."""
    guidance = rules.value(f"escalation.guidance.{severity}")
    return {"severity": severity, "state": state, "guidance": guidance}


@dataclass(frozen=True)
class Pressure:
    """How full the window is."""

    upcoming: Upcoming
    strain: Strain
    estimate: Estimate
    limits: Limits
    room: Room | None = None

    @property
    def wants_room(self) -> bool:
        """Whether shorter results may save the request."""
        is_set = self._rules.value("budget.shorten") == "results"
        stops = is_set and not self.fits and self._action()[0] == "stop"
        return stops and not self._is_at_cap()

    @property
    def reserve(self) -> int:
        """Tokens kept free for the reply."""
        return self.limits.reserve(self.estimate.tokens, self.upcoming.parameters)

    @property
    def used(self) -> int:
        """What is compared with the soft limit."""
        if self._is_stateful:
            return self.strain.used(self.upcoming.name)
        return self.estimate.tokens

    @property
    def fits(self) -> bool:
        """Whether prompt, reserve and margin fit the window."""
        return self.limits.fits(self.estimate.tokens, self.reserve)

    @property
    def is_fragile(self) -> bool:
        """Whether the request is still far over the limit."""
        limit = self.limits.hard or self.limits.window
        over = self.estimate.tokens - limit
        percent = int(self._rules.value("escalation.fragile_percent"))
        return limit > 0 and over > 0 and over * 100 >= limit * percent

    def as_json(self) -> Json:
        """The pressure as a transcript writes it."""
        action, reason = self._action()
        if self.room is not None:
            values = {"count": self.room.count, "chars": self.room.most}
            action, reason = "shorten", self._rules.filled("budget.shortened", **values)
        stops = action == "stop"
        return {
            "estimate": self.estimate.as_json(),
            "window": self.limits.window,
            "soft-limit": self.limits.soft,
            "hard-limit": self.limits.hard,
            "reserve": self.reserve,
            "margin": self.limits.margin,
            "used": self.used,
            "fits": self.fits,
            "action": action,
            "reason": reason,
            "health": health(self._rules, "critical", "likely-lossy") if stops else None,
        }

    @property
    def _rules(self) -> Rules:
        return self.upcoming.rules

    @property
    def _is_stateful(self) -> bool:
        return bool(self._rules.value("budget.provider") == "stateful")

    def _action(self) -> tuple[str, str | None]:
        """What to do, and why."""
        if self.limits.window == 0:
            return "none", None
        if self._is_at_cap() and not self._last_chance():
            return "stop", self._text("budget.exceeded", self.used)
        if self.used < self._trigger() and self.fits:
            return "none", None
        return self._when_due()

    def _is_at_cap(self) -> bool:
        return self._is_stateful and self.used >= self.limits.percent(CAP)

    def _step(self) -> int:
        return self.limits.window * int(self._rules.value("budget.step_percent")) // 100

    def _floor(self) -> int | None:
        if not self._is_stateful:
            return None
        return self.strain.floor(self.upcoming.name, self.limits)

    def _trigger(self) -> int:
        """From how many used tokens on a compaction is due."""
        floor = self._floor()
        if floor is None:
            return self.limits.soft
        return min(floor + self._step(), self.limits.percent(CAP))

    def _last_chance(self) -> bool:
        floor = self._floor()
        reaches = floor is not None and floor + self._step() >= self.limits.percent(CAP)
        return reaches and not self.strain.failed

    def _when_due(self) -> tuple[str, str | None]:
        main = Asked(self.upcoming.name, self.limits, self.upcoming.parameters)
        past, failed = self.strain.past, self.strain.failed
        normal = planned(self.upcoming, main, "normal", past)
        if not isinstance(normal, str) and not failed:
            return "compact", None
        emergency = planned(self.upcoming, main, "emergency", past)
        if not isinstance(emergency, str) and "emergency" not in failed:
            return "emergency", None
        if self._is_at_cap():
            return "stop", self._text("budget.exceeded", self.used)
        if self.fits:
            return "none", self._why_not()
        return "stop", self._text(self._stop(emergency), self.estimate.tokens)

    def _why_not(self) -> str:
        """Why nothing is begun: what was tried, where that is why."""
        failed, applied = self.strain.failed, self.strain.past.stage_without_reply
        if "emergency" not in failed:
            return OwnWords()
        if applied is not None:
            return str(self._rules.value("budget.second_failed"))
        both = "both" if "normal" in failed else "emergency"
        return str(self._rules.value(f"budget.{both}_failed"))

    def _stop(self, emergency: Plan | str) -> str:
        """Which setting says why the request cannot be sent."""
        if self.strain.past.stage_without_reply is not None:
            return "budget.not_reduced"
        if emergency == "retained-does-not-fit":
            return "budget.not_solved"
        return "budget.not_compacted" if self.strain.failed else "budget.exceeded"

    def _text(self, key: str, prompt: int) -> str:
        """Why the request cannot be sent."""
        window = self.limits.window
        values = {
            "prompt": prompt,
            "reserve": self.reserve,
            "margin": self.limits.margin,
            "window": window,
            "usage": prompt * 100 // window,
            "hard_limit": self.limits.hard,
            "threshold": self.limits.soft * 100 // window,
            "fits": "true" if self.fits else "false",
        }
        return self._rules.filled(key, **values)


def pressure(upcoming: Upcoming, strain: Strain) -> Pressure:
    """How full the window is with the next request."""
    return Pressure(upcoming, strain, upcoming.estimate(), upcoming.limits)
