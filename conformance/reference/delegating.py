"""A session that gives parts of its work away (assembly: Subagents, Snapshots)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .assembly import Assembly, assembly_of
from .casefile import Json
from .compacting import Compacting
from .conversation import last_reply
from .errors import invalid_argument, out_of_order
from .incoming import UserMessage
from .inline import escaped
from .naming import places_of
from .prompt import Prompt, prompt_of
from .report import report
from .results import Call, Draft, Inserted, Settings
from .rules import Ordinals, come_to_the_same
from .snapshots import snapshot
from .tools import Offer, first_list
from .wanted import is_line


@dataclass(frozen=True)
class Delegate:
    """A subagent; its state is empty once nothing is to come of it.

    `since` is the newest message when it was delegated, `calls` those that were open then, one of
    which may be its own, as long as they have no result.
    """

    kind: str
    state: str
    since: int = 0
    calls: frozenset[str] = frozenset()

    @property
    def ended(self) -> Delegate:
        """The same with nothing to come."""
        return replace(self, state="", calls=frozenset())


@dataclass(frozen=True)
class Delegation:
    """Work that is given to a subagent."""

    key: str
    kind: str
    prompt: Prompt
    assembly: Assembly
    only_tools: tuple[str, ...] | None


def delegation_of(step: Json) -> Delegation:
    """What `delegate` is given."""
    only = step.get("only-tools")
    return Delegation(
        step["key"],
        step["kind"],
        prompt_of(step.get("prompt", {})),
        assembly_of(step.get("assembly", {})),
        None if only is None else tuple(only),
    )


@dataclass
class Delegating(Compacting):
    """A conversation with subagents, in the order in which they were first delegated."""

    subagents: dict[str, Delegate] = field(default_factory=dict)
    answering: str | None = None
    """The subagent whose answer is being inserted."""
    speaking: str | None = None
    """The one that was still to come, alone, when a message was added."""

    def check_delegation(self, given: Delegation) -> None:
        """Raises `SessionError` for a key or kind that cannot stand in the line of subagents."""
        for name, value in (("key", given.key), ("kind", given.kind)):
            if not is_line(value):
                raise invalid_argument(f"delegation.{name}")

    def settings_for(self, given: Delegation) -> Settings:
        """What a subagent's session is opened with, or carried on."""
        prompt, date = given.prompt, self.in_force.session_date
        keeps_its_own = given.key in self.subagents and prompt == Prompt()
        if not keeps_its_own and prompt.session_date is None and date is not None:
            prompt = replace(prompt, sources=(*prompt.sources, date))
        own, places = self.settings, self.places
        tools = self.toolbox.left
        return Settings(
            kind=own.kind,
            root=str(places.root),
            home=None if places.home is None else str(places.home),
            overrides=own.overrides,
            dialect=own.dialect,
            start=self.start,
            prompt=prompt,
            assembly=given.assembly,
            tools=tools,
            recall=own.recall and any(tool.name == "recall" for tool in tools),
            vision=own.vision,
            only_tools=given.only_tools,
            conditions=tuple(sorted(self.toolbox.conditions)),
        )

    def check_follow_up(self, only_tools: tuple[str, ...] | None) -> None:
        """Raises `SessionError` for tools that leave out one that this subagent began with."""
        if only_tools is not None and not {tool.name for tool in self.began_with} <= {*only_tools}:
            raise invalid_argument("delegation.only-tools")

    def ordinal_of(self, key: str) -> int:
        """The how manieth a subagent is, from 1, or would be."""
        return [*dict.fromkeys([*self.subagents, key])].index(key) + 1

    def kept(self, above: Ordinals, number: int) -> str | None:
        """The text of a result of this session, or of a subagent's."""
        depth = len(self.above)
        if len(above) == depth or above[:depth] != self.above:
            return super().kept(above, number)
        keys = [key for key in self.subagents if self.ordinal_of(key) == above[depth]]
        children = [self.storage.sessions[key] for key in keys]
        known = [child for child in children if child.above == above[: depth + 1]]
        return known[0].kept(above, number) if known else None

    def holds_only(self, above: Ordinals, opening: Settings) -> bool:
        """Whether the session is new, and was opened with nothing else than these settings."""
        own = self.settings
        offer = Offer(opening.kind, opening.vision, opening.only_tools, opening.without_tools)
        places = places_of(opening.root, opening.home, opening.kind, self.rules)
        return (
            self.is_new
            and self.above == above
            and (own.kind, own.dialect) == (opening.kind, opening.dialect)
            and come_to_the_same(own.overrides, opening.overrides)
            and come_to_the_same(opening.overrides, own.overrides)
            and (self.places, self.start) == (places, opening.start)
            and (self.opened, self.opened_assembly) == (opening.prompt, opening.assembly)
            and self.offer == offer
            and own.recall == opening.recall
            and list(self.began_with) == first_list(opening.tools, offer, recall=opening.recall)
            and self.toolbox.conditions == frozenset(opening.conditions)
        )

    def delegate(self, key: str, kind: str) -> None:
        """A subagent was given work."""
        self.append()
        reply = last_reply(self.messages)
        calls = frozenset(call.id for call in reply.open_calls()) if reply else frozenset()
        self.subagents[key] = Delegate(kind, "running", self._newest(), calls)

    def delegate_progress(self, key: str, state: str) -> None:
        """How far a subagent is."""
        if key not in self.subagents:
            raise invalid_argument("key")
        if not is_line(state):
            raise invalid_argument("state")
        known = self.subagents[key]
        if known.state in ("", state):
            return
        self.append()
        is_end = state in self.rules.value("delegation.ended")
        self.subagents[key] = known.ended if is_end else replace(known, state=state)

    def delegates(self) -> Json:
        """The subagents."""
        return [
            {"key": key, "kind": one.kind, "state": one.state}
            for key, one in self.subagents.items()
        ]

    def delegated(self, call: Call, key: str, text: str) -> Inserted:
        """A subagent's answer."""
        self._check(call)
        if key not in self.subagents:
            raise invalid_argument("delegated.key")
        draft = self._held(key, text)
        self.answering = key
        try:
            return self._insert(call, draft)
        finally:
            self.answering = None

    def _held(self, key: str | None, text: str) -> Draft:
        """What a subagent says, held to what it may bring."""
        line = self.rules.text("bracket", id=self.next_id())
        if key is not None:
            kind, named = escaped(self.subagents[key].kind), escaped(key)
            line = self.rules.filled("delegation.bracket", id=self.next_id(), kind=kind, key=named)
        most = int(self.rules.value("delegation.max_chars"))
        cap = {"max_chars": most, "head_chars": most // 2, "tail_chars": most // 4}
        cut = {"cut": self.rules.section("cap")["cut"]}
        return self._capped_draft(line, text, text, cap | cut)

    def _answered(self, call_id: str, inserted: Inserted) -> None:
        super()._answered(call_id, inserted)
        is_none_of_its = inserted.treatment == "failed" or self.answering is not None
        for key, one in self.subagents.items():
            left = one.calls - {call_id}
            if key == self.answering or (is_none_of_its and one.calls and not left):
                self.subagents[key] = one.ended
            elif left != one.calls:
                calls = left if is_none_of_its else frozenset[str]()
                self.subagents[key] = replace(one, calls=calls)

    def _only_pending(self) -> str | None:
        """The subagent of which something is to come, if there is one alone."""
        pending = [key for key, one in self.subagents.items() if one.state]
        return pending[0] if len(pending) == 1 else None

    def add_user(self, message: UserMessage) -> Json:
        """What the person, a machine or a subagent says."""
        self.speaking = self._only_pending()
        return super().add_user(message)

    def held(self, message: UserMessage) -> UserMessage:
        """A subagent's message as it is shown; the whole is kept."""
        if message.sender != "subagent":
            return message
        text = self._kept_and_shown(message.text)
        parts = tuple(
            part | {"text": self._kept_and_shown(part["text"])} if "text" in part else part
            for part in message.parts
        )
        only = self._only_pending()
        if only is not None:
            self.subagents[only] = self.subagents[only].ended
        return replace(message, text=text, parts=parts)

    def _kept_and_shown(self, text: str) -> str:
        draft = self._held(self.speaking, text)
        if draft.treatment != "capped":
            return text
        self.texts.append(text)
        return self._shown(draft.text)

    def rewind(self, first: int, last: int | None) -> None:
        """Takes messages back, and what was delegated there."""
        before = set(self._numbers())
        super().rewind(first, last)
        gone = before - set(self._numbers())
        for key, one in self.subagents.items():
            if one.since in gone:
                self.subagents[key] = one.ended

    def still_out(self, named: Json) -> Json:
        """The subagents whose results are still to come, then others that the caller names."""
        pending = {
            key: {"id": key, "kind": one.kind, "state": one.state}
            for key, one in self.subagents.items()
            if one.state
        }
        for one in named:
            pending.setdefault(one["id"], one)
        return list(pending.values())

    def snapshot(self) -> Json:
        """What the newest request held."""
        newest = self.requests.built[-1] if self.requests.built else None
        standing = set(self._numbers())
        if newest is None or not {message.number for message in newest.messages} <= standing:
            raise out_of_order()
        return snapshot(self.requests, newest)

    def context_report(self, given: str) -> Json:
        """What the next request would hold, part by part."""
        self.check_begun()
        parameters = self.parameters_or_newest(given)
        ahead = self.ahead(parameters)
        told = report(ahead.as_it_stands(parameters), ahead.front(), ahead.made)
        pressure = self.next_pressure(parameters).as_json()
        return {"bytes": told["bytes"], "pressure": pressure, **told}
