"""What a stage of a compaction covers (compaction: What a stage covers)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from .casefile import Json
from .conversation import Message, Standing
from .dialects import Dialect
from .models import Estimate, Limits, whole_number
from .reasoning import rule_of
from .rules import Rules
from .thinking import is_blank
from .upcoming import Upcoming

TASKS = Path(__file__).parent.parent / "prompts" / "tasks"
FILES = {"normal": "compact.md", "emergency": "compact-emergency.md"}
PROMPTS = {"normal": "compaction.prompt", "emergency": "compaction.emergency_prompt"}
RETAINED = {"normal": "compaction.retain", "emergency": "compaction.retain_emergency"}
SHARES = {"normal": "summary", "emergency": "emergency"}
"""How the settings of a stage's summary limit begin."""


@dataclass(frozen=True)
class Asked:
    """The model that is asked for a summary."""

    name: str
    limits: Limits
    parameters: Json

    def summary_limit(self, stage: str) -> int:
        """The most tokens of a stage's summary; 0 for no limit."""
        limits, most = self.limits, self.limits.max_output
        limit = int(limits.rules.value("compaction.summary_max"))
        if limits.window > 0:
            share = f"compaction.{SHARES[stage]}"
            limit = limits.share(f"{share}_percent", f"{share}_least", f"{share}_most")
        return min(limit, most) if limit and most else limit or most

    def may_write(self, stage: str, dialect: Dialect) -> int:
        """The most tokens of a stage's reply, thinking included; 0 for no limit."""
        limit, most = self.summary_limit(stage), self.limits.max_output
        if limit == 0 or not dialect.counts_thinking:
            return limit
        thinking = self.parameters.get("thinking")
        budget = thinking.get("budget_tokens") if isinstance(thinking, dict) else None
        thought = whole_number(budget) or 0
        return min(limit + thought, most) if most > thought else limit + thought


@dataclass(frozen=True)
class Past:
    """The last applied compaction's stage, if there was one and no reply was added since."""

    stage_without_reply: str | None


@dataclass(frozen=True)
class Plan:
    """A stage that can begin: how many messages it covers, and what its request holds.

    `limit` is the summary's, `may_write` the whole reply's.
    """

    cut: int
    held: list[Standing]
    limit: int
    may_write: int
    estimate: Estimate


def instruction(rules: Rules, stage: str, steering: str | None) -> str:
    """The message that asks for a summary."""
    text = str(rules.value(PROMPTS[stage]))
    if is_blank(text):
        text = (TASKS / FILES[stage]).read_text(encoding="utf-8").rstrip("\n")
        text = text.replace("{{transcript}}", "").replace("{{previous_summary}}", "")
    if steering is None or is_blank(steering):
        return text
    return f"{text}\n\n{rules.filled('compaction.steering', text=steering)}"


def begun_as(upcoming: Upcoming, stage: str, past: Past) -> str:
    """The stage that is begun: `emergency` where `normal` would find nothing and it does."""
    is_first = stage == "normal" and past.stage_without_reply is None
    if is_first and not _finds(upcoming, "normal") and _finds(upcoming, "emergency"):
        return "emergency"
    return stage


def fits_asked(upcoming: Upcoming, asked: Asked, stage: str, steering: str | None) -> bool:
    """Whether the whole request for a summary fits a model."""
    asking = _Asking(upcoming, asked, stage, instruction(upcoming.rules, stage, steering))
    return asking.fits(asking.plan(_covered(upcoming, stage), len(upcoming.messages)))


def planned(
    upcoming: Upcoming, asked: Asked, stage: str, past: Past, steering: str | None = None
) -> Plan | str:
    """What a stage does, or the reason why it does not begin."""
    if past.stage_without_reply is not None:
        follows = (past.stage_without_reply, stage) == ("normal", "emergency")
        if not follows:
            return "no-turn-since"
    if not _finds(upcoming, stage):
        return "nothing-to-summarise"
    asking = _Asking(upcoming, asked, stage, instruction(upcoming.rules, stage, steering))
    plan = asking.whole_or_smaller(_covered(upcoming, stage))
    if plan is None:
        return "request-does-not-fit"
    if not upcoming.fits(upcoming.standings()[plan.cut :]):
        return "retained-does-not-fit"
    return plan if _frees_enough(upcoming, plan) else "frees-too-little"


def _covered(upcoming: Upcoming, stage: str) -> int:
    """How many messages are before the retained part."""
    messages, rules = upcoming.messages, upcoming.rules
    count = int(rules.value(RETAINED[stage]))
    begins = CHUNKS[rules.value("compaction.retain_by")](messages)[-count:] if count else []
    cut = min([*begins[:1], _last_reply(messages) + 1])
    return _anchored(upcoming, cut) if stage == "normal" else cut


def _is_task(message: Message, anchor: str) -> bool:
    """Whether a message is one that the setting `compaction.anchor` keeps."""
    if message.speaker == "person":
        return anchor in ("person", "task")
    is_given = message.speaker == "machine" and message.starts_turn and not message.is_front
    return anchor == "task" and is_given


def _anchored(upcoming: Upcoming, cut: int) -> int:
    """Where the last task begins the retained part, if it is covered otherwise."""
    setting = upcoming.rules.value("compaction.anchor")
    tasks = [at for at, one in enumerate(upcoming.messages) if _is_task(one, setting)]
    if not tasks or tasks[-1] >= cut:
        return cut
    anchor = tasks[-1]
    helps = _covers_something(upcoming.messages, anchor)
    return anchor if helps and upcoming.fits(upcoming.standings()[anchor:]) else cut


def _turns(messages: list[Message]) -> list[int]:
    """Where turns begin; the front begins none."""
    return [
        place
        for place, message in enumerate(messages)
        if message.starts_turn and not message.is_front
    ]


def _steps(messages: list[Message]) -> list[int]:
    """Where chunks begin: at a message to the model, and at each reply but the first after it."""
    begins: list[int] = []
    has_reply = False
    for place, message in enumerate(messages):
        if message.summary is not None or message.lists_pending:
            continue
        if message.reply is None or has_reply or not begins:
            begins.append(place)
            has_reply = False
        has_reply = has_reply or message.reply is not None
    return begins


CHUNKS: dict[str, Callable[[list[Message]], list[int]]] = {"turns": _turns, "steps": _steps}


def _last_reply(messages: list[Message]) -> int:
    """The place of the last reply; -1 if there is none."""
    places = [place for place, message in enumerate(messages) if message.reply is not None]
    return places[-1] if places else -1


def _finds(upcoming: Upcoming, stage: str) -> bool:
    """Whether there is something for a stage to summarise."""
    return _covers_something(upcoming.messages, _covered(upcoming, stage))


def _covers_something(messages: list[Message], cut: int) -> bool:
    return any(not message.is_front for message in messages[:cut])


@dataclass(frozen=True)
class _Asking:
    """A request for a summary, of whichever messages."""

    upcoming: Upcoming
    asked: Asked
    stage: str
    prompt: str

    def plan(self, cut: int, held: int) -> Plan:
        """The plan that covers `cut` messages and asks with no more than `held`."""
        rules = self.upcoming.rules
        count = held if rules.value("compaction.source") == "all" else cut
        standings = self.upcoming.standings(self.asked.name)[:count]
        sees = self.upcoming.requests.dialect.image_omitted is None
        if rules.value("compaction.images") == "omit" and sees:
            standings = self._without_images(standings)
        asking = Message(0, "machine", starts_turn=False, text=self.prompt, given=self.prompt)
        standings = [*standings, Standing(asking, whole=True, carried=False)]
        estimate = self.upcoming.estimate_with(standings, self.asked.name)
        may_write = self.asked.may_write(self.stage, self.upcoming.requests.dialect)
        return Plan(cut, standings, self.asked.summary_limit(self.stage), may_write, estimate)

    def _without_images(self, standings: list[Standing]) -> list[Standing]:
        """Behind a message that loses an image no bound thinking stands."""
        rules = self.upcoming.rules
        binds = rule_of(self.asked.name, rules).binds
        shown, same = [], True
        for one in standings:
            message = _without_images(one.message, rules)
            same = same and message is one.message
            shown.append(replace(one, message=message, carried=one.carried and (same or not binds)))
        return shown

    def fits(self, plan: Plan) -> bool:
        """Whether the request fits the model that is asked, with room for what it may write."""
        return self.asked.limits.fits(plan.estimate.tokens, plan.may_write)

    def whole_or_smaller(self, cut: int) -> Plan | None:
        """The request that fits; None if none does."""
        messages = self.upcoming.messages
        plan = self.plan(cut, len(messages))
        if self.fits(plan):
            return plan
        held = max(_last_reply(messages), 0)
        cut = min(cut, held)
        if not _covers_something(messages, cut):
            return None
        plan = self.plan(cut, held)
        return plan if self.fits(plan) else None


def _without_images(message: Message, rules: Rules) -> Message:
    """A message with a word in the place of its images."""
    left = tuple(part for part in message.parts if not {"image", "image-url"} & set(part))
    if len(left) == len(message.parts):
        return message
    omitted = rules.value("compaction.image_omitted")
    text = omitted if is_blank(message.text) else f"{message.text}\n{omitted}"
    return replace(message, text=text, parts=left)


def _frees_enough(upcoming: Upcoming, plan: Plan) -> bool:
    least = int(upcoming.rules.value("compaction.least_freed_percent"))
    freed = upcoming.part(upcoming.standings()[: plan.cut]) - plan.limit
    return least == 0 or freed * 100 >= least * upcoming.estimate().tokens
