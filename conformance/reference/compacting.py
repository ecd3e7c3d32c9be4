"""A session that puts summaries in the place of messages (docs/compaction.md)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import aftermath, asking, summaries
from .aftermath import Generation
from .archive import Archive
from .asking import Begun, Target
from .blocks import Made
from .callwords import call_words
from .casefile import Json
from .conversation import Message
from .errors import SessionError, invalid_argument, out_of_order
from .fallback import Idle, MainRequest, ModelRef, decision, use
from .measured import Measured
from .models import limits_of, name_of
from .pressure import health
from .requests import Kept, Request
from .results import Draft, Inserted, Read, Settings
from .session import Session
from .spelling import OwnWords
from .stages import Asked, Plan, begun_as, fits_asked, planned
from .switches import active_in
from .talk import parameters_of
from .unfolding import unfolded
from .upcoming import Upcoming
from .wanted import Compaction, FallbackModel, Outcome, check_named, check_pending


@dataclass(frozen=True)
class Left:
    """What a compaction leaves: a summary with its note, the prompt, subagents that are out."""

    summary: str
    note: str
    made: Made
    pending: Json


@dataclass
class Compacting(Measured):
    """A conversation that can be compacted.

    `skipped` is the use of a fallback that failed or was too small, until something is added or a
    request built.
    `covered_ids` are the results that summaries stand for, `parts` those of the history archive.
    """

    generations: list[Generation] = field(default_factory=lambda: [Generation(1)])
    covered_ids: set[str] = field(default_factory=set)
    parts: list[str] = field(default_factory=list)
    begun: Begun | None = None
    skipped: Json = None
    last_main: MainRequest | None = None

    def compact_begin(self, wanted: Compaction) -> tuple[Json, Kept]:
        """The request for a summary, or why there is none; and what it keeps."""
        self.check_begun()
        parameters = self.parameters_or_newest(wanted.parameters, "compaction.parameters")
        if wanted.stage == "shorten":
            raise invalid_argument("compaction.stage")
        check_named(wanted.main, "compaction.main")
        if wanted.fallback is not None:
            check_named(wanted.fallback.model, "compaction.target.model")
            parameters_of(wanted.fallback.parameters, "compaction.target.parameters")
        if any(message.open_calls() for message in self.messages):
            raise out_of_order()
        ahead = self.ahead(parameters)
        upcoming = ahead.as_it_stands(parameters)
        past = self.strain.past
        stage = begun_as(upcoming, wanted.stage, past)
        target = self._target(wanted, upcoming, stage)
        plan = planned(upcoming, target.asked, stage, past, wanted.steering)
        self.begun = None
        told = self._told(target, plan)
        if isinstance(plan, str):
            return _not_applied(stage, plan, told), Kept(0, 0)
        covered = frozenset(self._numbers()[: plan.cut])
        begun = Begun(stage, covered, target, plan.limit, parameters)
        made = asking.summary_body(self.requests, target, ahead.front(), plan)
        keep = asking.kept_of(self.requests, made)
        retains = len(self.messages) - plan.cut
        answer = asking.as_json(begun, plan, made, keep.most, retains)
        severity = self._severity(is_fragile=False)[0]
        self.begun = begun
        compacting = {"health": health(self.rules, severity, "compacting")}
        return {"summary-request": answer | compacting}, keep

    def compact_finish(self, outcome: Outcome) -> Json:
        """Puts the summary in its place, or says why not."""
        begun = self.begun
        if begun is None:
            raise out_of_order()
        said = summaries.Answer("", outcome.reason)
        if outcome.reply is not None:
            said = self._read(begun, outcome.reply)
        if said.reason is None:
            return self._applied(begun, said.summary, outcome)
        return self._left(begun, said.reason, retired=outcome.state_retired)

    def main_request_answered(self, request: MainRequest) -> None:
        """Keeps when the main model answered."""
        check_named(request.model, "request.model")
        self.append()
        self.last_main = request

    def fallback_due(self, model: ModelRef, cache_key: str, idle: Idle) -> Json:
        """Whether the main model's cache is cold."""
        return decision(self.last_main, model, cache_key, idle, self.rules)

    def lineage(self) -> Json:
        """The generations, oldest first."""
        return [
            one.as_json(len(self.messages if one.messages is None else one.messages))
            for one in self.generations
        ]

    def generation(self, number: int) -> Json:
        """The messages of a generation, as they were when it ended."""
        if not 0 < number <= len(self.generations):
            raise SessionError("unknown-generation", number)
        ended = self.generations[number - 1].messages
        return self.conversation() if ended is None else ended

    def context_state(self) -> Json:
        """The newest calls of the active generation, and how many turns began."""
        calls = [call for message in self.messages for call in message.calls]
        most = int(self.rules.value("state.calls"))
        newest = calls[max(0, len(calls) - most) :]
        words = [call_words(call, self.places.root, self.rules) for call in newest]
        return {"recent-calls": words, "turns": len(self.turns)}

    def reopen(self, settings: Settings) -> None:
        """Carries the session on; what was begun is not known any more."""
        super().reopen(settings)
        self.begun, self.skipped = None, None

    def forked(self, after: int | None) -> Session:
        """A copy of the session, in which nothing is begun."""
        fork = super().forked(after)
        if isinstance(fork, Compacting):
            fork.begun, fork.skipped = None, None
        return fork

    def rewind(self, first: int, last: int | None) -> None:
        """Takes messages back."""
        super().rewind(first, last)
        self.begun = None

    def build_request(self, given: str) -> tuple[Request, Kept, list[Json]]:
        """The next request, what it keeps of the one before, and results of calls left open."""
        built = super().build_request(given)
        self.begun, self.skipped = None, None
        return built

    def made_room(self) -> None:
        """A generation begins where a request held what is shown shorter."""
        super().made_room()
        if self.room is not None and self.room.sent:
            ended = replace(self.generations[-1], messages=self.conversation())
            newest = Generation(ended.number + 1, "shorten")
            self.generations = [*self.generations[:-1], ended, newest]

    def _added(self, message: Message, closed: list[Json], calls: Json = ()) -> Json:
        self.skipped = None
        return super()._added(message, closed, calls)

    def _take(self, call_id: str, draft: Draft) -> Inserted:
        self.skipped = None
        return super()._take(call_id, draft)

    def _standing_ids(self) -> set[str]:
        return super()._standing_ids() | self.covered_ids

    def _target(self, wanted: Compaction, upcoming: Upcoming, stage: str) -> Target:
        """Which model is asked."""
        asked = Asked(upcoming.name, upcoming.limits, upcoming.parameters)
        main = Target(asked, use=self.skipped)
        if self.skipped is not None:
            return main
        if wanted.unresolved is not None:
            reason = self.rules.filled("fallback.failed", error=wanted.unresolved)
            return replace(main, use=use("skipped", None, reason))
        if wanted.fallback is None or wanted.fallback.model == wanted.main:
            return main
        target = self._fallback_target(wanted.fallback)
        if fits_asked(upcoming, target.asked, stage, wanted.steering):
            return target
        name = wanted.fallback.model
        reason = self.rules.filled("fallback.too_large", model=str(name))
        return replace(main, use=use("skipped", name, reason), too_small=True)

    def _told(self, target: Target, plan: Plan | str) -> Json:
        """The use of a fallback that is told. One that was too small is known from then on."""
        if target.too_small:
            if isinstance(plan, str) and plan != "request-does-not-fit":
                return None
            self.skipped = target.use
        return target.use

    def _fallback_target(self, given: FallbackModel) -> Target:
        parameters = parameters_of(given.parameters)
        name = name_of(parameters)
        limits = limits_of(name, self.rules).instead(given.window, given.max_output)
        return Target(Asked(name, limits, parameters), given.model, given.reason)

    def _read(self, begun: Begun, reply: str) -> summaries.Answer:
        """The reply's summary, if it is one and not too long."""
        said = summaries.answer(reply, self.dialect)
        if said.reason is not None:
            return said
        upcoming = self.as_it_stands(begun.parameters)
        tokens = upcoming.text_tokens(said.summary, begun.target.asked.name)
        over = int(self.rules.value("compaction.over_percent"))
        is_long = tokens * 100 > begun.limit * (100 + over)
        if begun.limit == 0:
            is_long = tokens > self.next_request(begun.parameters).estimate().tokens
        return summaries.Answer("", "too-long") if is_long else said

    def _clears(self, begun: Begun, *, retired: bool) -> bool:
        """Whether the provider's own state is gone."""
        is_stateful = self.rules.value("budget.provider") == "stateful"
        return retired and is_stateful and begun.target.chosen is None

    def _left(self, begun: Begun, reason: str, *, retired: bool) -> Json:
        """Leaves all as it was."""
        chosen, told = begun.target.chosen, begun.target.use
        reruns = chosen is not None and reason != "cancelled"
        is_failure = chosen is None and reason != "cancelled"
        clears = self._clears(begun, retired=retired)
        if is_failure or clears:
            self.append()
        if is_failure:
            self.strain.failed.add(begun.stage)
        if clears:
            self.strain.cleared_at = len(self.requests.built)
        if reruns:
            told = self.skipped = use("skipped", chosen, OwnWords())
        self.begun = None
        return _not_applied(begun.stage, reason, told, reruns=reruns, clears=clears)

    def _applied(self, begun: Begun, summary: str, outcome: Outcome) -> Json:
        """Puts a summary in the place of what it covers."""
        check_pending(outcome.pending)
        before = self.next_request(begun.parameters).estimate().tokens
        covered = [message for message in self.messages if message.number in begun.covered]
        note, warnings = self._archive_note()
        left = Left(summary, note, self.remade(), self.still_out(outcome.pending))
        self.append()
        self.history.setdefault(self.given, self.copied())
        retained = self._adopt(begun, covered, left)
        for number in range(self.messages[0].number, self.given):
            self.history[number] = self.copied()
        if note:
            warnings += self._archive(covered)
        after = self.next_pressure(begun.parameters)
        is_fragile = after.is_fragile
        told = begun.target.use
        if begun.target.chosen is not None:
            told = use("used", begun.target.chosen, begun.target.reason)
        return {
            "compacted": {
                "stage": begun.stage,
                "generation": len(self.generations),
                "message": self.messages[0].number,
                "summary": summary,
                "text": self._shown(self.messages[0].text),
                "covered": len(covered),
                "retained": retained,
                "tokens-before": before,
                "tokens-after": after.estimate.tokens,
                "pressure": after.as_json(),
                "health": health(self.rules, *self._severity(is_fragile=is_fragile)),
                "fallback": told,
                "state-cleared": self._clears(begun, retired=outcome.state_retired),
                "warnings": warnings,
            }
        }

    def still_out(self, named: Json) -> Json:
        """The subagents whose results are still to come: those that the caller names."""
        return named

    def _adopt(self, begun: Begun, covered: list[Message], left: Left) -> int:
        """Begins a new generation; says how many messages stay."""
        ended = replace(self.generations[-1], messages=self.conversation())
        name = None if begun.target.chosen is None else str(begun.target.chosen)
        newest = Generation(ended.number + 1, begun.stage, left.summary, name)
        self.generations = [*self.generations[:-1], ended, newest]
        replayed = list(active_in(self.messages).values())
        table = aftermath.table(self._reads_of(covered), self.rules)
        self.covered_ids |= {one.id for message in covered for one in message.answers()}
        retained = unfolded(self, self.messages[len(covered) :])
        self.messages = aftermath.what_stays(retained)
        stays = len(self.messages)
        self.use_prompt(left.made)
        words = "\n\n".join([left.summary, left.note] if left.note else [left.summary])
        text = self.rules.filled("compaction.summary", summary=words)
        front = [self._summary(left.summary, text if table is None else f"{text}\n\n{table}")]
        if replayed:
            front.append(aftermath.skills_message(self._new_number(), replayed))
        self.messages = front + self.messages
        if left.pending:
            number = self._new_number()
            self.messages.append(aftermath.pending_message(number, left.pending, self.rules))
        self.strain.compacted(begun.stage, len(self.requests.built))
        self.requests.compacted = True
        self.begun = None
        return stays

    def _summary(self, summary: str, text: str) -> Message:
        """The message that holds a summary, with the notes that are owed."""
        number = self._new_number()
        owed = self.notes.note(None, number, self._numbers(), self.rules)
        first = Message(number, "summary", starts_turn=True, text=text, given=summary, note=owed)
        first.summary = summary
        return first

    def _new_number(self) -> int:
        self.given += 1
        return self.given

    def _reads_of(self, messages: list[Message]) -> list[Read]:
        ids = {one.id for message in messages for one in message.answers()}
        return [read for read in self.reads if read.id in ids]

    def _archive_note(self) -> tuple[str, list[str]]:
        """The line that says where the archive is, empty without one; and a warning."""
        if self.rules.value("archive.keep") == "none":
            return "", []
        path, marker = self.rules.value("archive.path"), self.rules.value("archive.marker")
        if self.places.names_machine(path):
            return "", [OwnWords()]
        return self.rules.filled("archive.note", marker=marker, path=path), []

    def _archive(self, covered: list[Message]) -> list[str]:
        """Appends what is covered to the archive; a failure is no more than a warning."""
        part = Archive(self.rules, self.places.root).part(covered)
        if part == "":
            return []
        try:
            self.append()
        except SessionError:
            return [OwnWords()]
        self.parts.append(part)
        return []

    def _severity(self, *, is_fragile: bool) -> tuple[str, str]:
        """How bad it is that so many stages were applied in this turn."""
        count = self.strain.stages_in_turn
        level = sum(count >= int(self.rules.value(key)) for key in ESCALATION)
        return SEVERITIES[min(level + is_fragile, len(SEVERITIES) - 1)]


ESCALATION = ("escalation.warning", "escalation.critical")
SEVERITIES = (("info", "stable"), ("warning", "fragile"), ("critical", "likely-lossy"))


def _not_applied(
    stage: str, reason: str, told: Json, *, reruns: bool = False, clears: bool = False
) -> Json:
    return {
        "not-applied": {
            "stage": stage,
            "reason": reason,
            "message": OwnWords(),
            "rerun-on-main": reruns,
            "fallback": told,
            "state-cleared": clears,
        }
    }
