"""A session with a dialect: messages in, requests out (§8-§11; docs/requests.md)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TypeVar

from . import blocks, body, tools
from .anthropic import Anthropic
from .assembly import Assembly, Looking, check_assembly
from .blocks import InFront, Made, Surroundings
from .casefile import Json
from .chat import Chat
from .conversation import Message, Reply, Result, current_turn, last_reply
from .dialects import Dialect
from .errors import SessionError, invalid_argument, out_of_order
from .incoming import GivenReply, UserMessage
from .models import name_of
from .notes import Notes
from .prompt import Change, Prompt, check_change, check_prompt, start_below
from .repair import Around
from .requests import Ahead, Kept, Request, Requests
from .responses import Responses
from .results import Call, Inserted, Settings
from .session import Session
from .spelling import compact, parse_object
from .thinking import is_blank
from .tools import Offer, Tool, Toolbox
from .usage import usage_of

T = TypeVar("T")
Own = TypeVar("Own", bound="Talk")

DIALECTS: dict[str, type[Dialect]] = {
    "openai-chat": Chat,
    "anthropic-messages": Anthropic,
    "openai-responses": Responses,
}


@dataclass
class Talk(Session):
    """A conversation with a model."""

    messages: list[Message] = field(default_factory=list)
    given: int = 0
    notes: Notes = field(default_factory=Notes)
    newest: Prompt = field(default_factory=Prompt)
    in_force: Prompt = field(default_factory=Prompt)
    opened: Prompt = field(default_factory=Prompt)
    assembly: Assembly = field(default_factory=Assembly)
    opened_assembly: Assembly = field(default_factory=Assembly)
    made: Made = field(default_factory=Made)
    start: str | None = None
    sent: int = 0
    """How many results there were when the last request was built."""
    history: dict[int, Talk] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        settings = self.settings
        self._check_opening(settings)
        tools.check_tools(settings.tools, "settings.tools")
        self.dialect = DIALECTS[settings.dialect or ""](self.rules)
        omits = self.rules.value("requests.images_without_vision") == "omit"
        if omits and not settings.vision:
            self.dialect.image_omitted = str(self.rules.value("requests.image_omitted"))
        self.requests = Requests(self.dialect, settings.kind)
        self.offer = Offer(
            settings.kind, settings.vision, settings.only_tools, settings.without_tools
        )
        listed = tools.first_list(settings.tools, self.offer, recall=settings.recall)
        self.toolbox = Toolbox(listed, frozenset(settings.conditions))
        self.began_with = tuple(listed)
        self.start = settings.start
        self._give(settings.prompt)
        self.opened = settings.prompt
        self.assembly = self.opened_assembly = settings.assembly
        self.use_prompt(self.remade())

    def reopen(self, settings: Settings) -> None:
        """Carries the session on. Raises `SessionError` and changes nothing then."""
        before = self.places, self.openers_global
        super().reopen(settings)
        try:
            self._check_opening(settings)
        except SessionError:
            self.places, self.openers_global = before
            raise
        self.requests.fresh = True
        prompt, assembly = settings.prompt, settings.assembly
        if prompt == Prompt():
            prompt = self.opened
        if assembly == Assembly():
            assembly = self.opened_assembly
        given = settings.start, prompt, assembly
        self.is_new = self.is_new and given == (self.start, self.opened, self.opened_assembly)
        self.start = settings.start
        if prompt != self.opened:
            self._give(prompt)
            self.opened = prompt
        if assembly != self.opened_assembly:
            self.assembly = self.opened_assembly = assembly

    def add_user(self, message: UserMessage) -> Json:
        """What the person or a machine says."""
        if not (message.starts_turn or self.messages):
            raise out_of_order()
        number, closed = self._next_message()
        message = self.held(message)
        note = None
        if message.starts_turn:
            note = self.notes.note(message.date, number, self._numbers(), self.rules)
        starts, parts = message.starts_turn, message.parts
        added = Message(number, message.sender, starts, message.text, message.text, note, parts)
        return self._added(self.with_skills(added), closed)

    def held(self, message: UserMessage) -> UserMessage:
        """A message as it is shown, once open calls are closed."""
        return message

    def with_skills(self, message: Message) -> Message:
        """A message with what is to be told of skills ahead of its text."""
        return message

    def add_wrap_up(self) -> Json:
        """The harness's request for a last answer."""
        self.check_begun()
        number, closed = self._next_message()
        text = self.rules.value("wrap_up.message")
        added = Message(number, "machine", starts_turn=False, text=text, given=text)
        added.withdraws_tools = True
        return self._added(added, closed)

    def around(self) -> Around:
        """What is known where a reply comes in."""
        reply = last_reply(self.messages)
        left_open = [] if reply is None else [call.id for call in reply.open_calls()]
        newest = self.requests.built[-1].parameters if self.requests.built else {}
        unstored = newest.get("store") is False
        return Around(self.given + 1, {*self.answered, *left_open}, unstored)

    def add_reply(self, given: GivenReply) -> Json:
        """The model's reply."""
        self.check_begun()
        number, closed = self._next_message()
        text = self.dialect.text(given.taken)
        added = Message(number, "model", starts_turn=False, text=text, given=given.json)
        added.reply = Reply(given.taken, given.incomplete, given.unstored)
        added.calls, added.results = given.calls, [None] * len(given.calls)
        wraps_up = any(message.withdraws_tools for message in current_turn(self.messages))
        self.messages.append(added)
        refused = [
            self._refused(call.id, call.name, problem, wraps_up=wraps_up)
            for call, problem in zip(given.calls, given.problems, strict=True)
        ]
        self.messages.pop()
        calls = [
            {"id": call.id, "name": call.name, "arguments": call.arguments, "refused": answer}
            for call, answer in zip(given.calls, refused, strict=True)
        ]
        return self._added(added, closed, calls)

    def build_request(self, given: str) -> tuple[Request, Kept, list[Json]]:
        """The next request, what it keeps of the one before, and results of calls left open."""
        self.check_begun()
        parameters = parameters_of(given)
        made = self.made_for(parameters)
        self.append()
        closed = self.answer_open_calls()
        self.use_prompt(made)
        self.make_room(parameters)
        self.sent = len(self.texts)
        ahead = Ahead(name_of(parameters), list(self.toolbox.listed), self.in_front())
        request, keep = self.requests.build(parameters, self.front(), self.messages, ahead)
        request.parameters, request.made = parameters, self.made
        self.requests.built.append(request)
        self.requests.fresh = False
        return request, keep, closed

    def make_room(self, parameters: Json) -> None:
        """Does what makes a request fit that is about to be built."""

    def check_begun(self) -> None:
        """Raises `SessionError` where there is no message."""
        if not self.messages:
            raise out_of_order()

    def rewind(self, first: int, last: int | None) -> None:
        """Takes messages back. Those that a compaction retained stand behind its summary."""
        numbers = self._numbers()
        last = numbers[-1] if last is None and numbers else last
        for number in (first, last):
            if number not in numbers:
                raise SessionError("unknown-message", number)
        start, end = numbers.index(first), numbers.index(last or 0) + 1
        if end <= start:
            raise invalid_argument("last")
        taken, left = self.messages[start:end], self.messages[:start] + self.messages[end:]
        if any(message.is_front for message in taken):
            raise invalid_argument("first")
        if left and left[0].reply is not None:
            raise SessionError("invalid-argument", {"argument": None, "problem": None})
        kept_ids = {one.id for message in left for one in message.answers()}
        named = {one.refers_to for message in left for one in message.answers()} - {None}
        if not named <= kept_ids:
            raise invalid_argument("last")
        self.append()
        self.history.setdefault(self.given, self.copied())
        self.messages = left

    def check_fork(self, after: int | None) -> None:
        """Raises `SessionError` where there was no message `after`."""
        if after is not None and not 0 < after <= self.given:
            raise SessionError("unknown-message", after)

    def forked(self, after: int | None) -> Session:
        """The session as it was before anything after message `after` was added or taken back."""
        self.check_fork(after)
        self.storage.append()
        times = [] if after is None else [time for time in self.history if time >= after]
        past = self.history[min(times)] if times else None
        fork = (past or self).copied()
        known = self.history.items()
        fork.history = {number: one for number, one in known if not past or number < fork.given}
        return fork

    def copied(self: Own) -> Own:  # noqa: PYI019 - `Self` came with 3.11
        """A copy that shares the files, the storage and what was."""
        shared = (self.tree, self.storage, self.rules, self.history)
        return copy.deepcopy(self, {id(one): one for one in shared})

    def note(self, change: Change, *, by_model: bool) -> None:
        """What something is now."""
        check_change(change, "change", self.places)
        self.append()
        self.notes.give((change,), self.places)
        if by_model:
            self.notes.say(change, self.places, self._newest())

    def set_prompt(self, prompt: Prompt) -> None:
        """What the system prompt is to be made of."""
        check_prompt(prompt, "prompt", self.places, self.rules)
        self.append()
        self._give(prompt)

    def set_assembly(self, assembly: Assembly) -> None:
        """What is to be read when the prompt is next made again."""
        check_assembly(assembly, "assembly", self.places)
        self.append()
        self.assembly = assembly

    def prompt_report(self) -> Json:
        """The blocks of the prompt."""
        return [block.as_json() for block in self.made.blocks]

    def set_condition(self, name: str, *, met: bool) -> None:
        """Whether something that tools require is there."""
        if name == "":
            raise invalid_argument("name")
        self.append()
        self.toolbox.set_condition(name, met=met)

    def withdraw_tool(self, name: str, refusal: str) -> None:
        """What a tool's calls are answered from now on."""
        if not self.toolbox.has(name):
            raise invalid_argument("name")
        if is_blank(refusal):
            raise invalid_argument("refusal")
        self.append()
        self.toolbox.withdrawn[name] = refusal

    def connect_server(self, name: str, given: tuple[Tool, ...], instructions: str | None) -> None:
        """A server's tools, once; its instructions are told."""
        change = Change("mcp-instructions", name, instructions or "")
        if name == "" or self.places.names_machine(name):
            raise invalid_argument("name")
        tools.check_tools(given, "tools")
        self.append()
        self.toolbox.add(given, self.offer)
        if not is_blank(instructions or ""):
            self.notes.give((change,), self.places)

    def record_usage(self, number: int, given: str) -> Json:
        """What was reported of a request."""
        if not 0 < number <= len(self.requests.built):
            raise SessionError("unknown-request", number)
        try:
            usage = usage_of(parse_object(given))
        except ValueError:
            usage = None
        if usage is None:
            raise invalid_argument("usage")
        self.append()
        self.requests.built[number - 1].usage = usage
        return usage

    def cache_report(self) -> Json:
        """Every request."""
        return [request.report() for request in self.requests.built]

    def conversation(self) -> Json:
        """Every message that was not taken back."""
        return [message.as_json() for message in self.messages]

    def prefix(self) -> Json:
        """What stands at the front of every request."""
        tools_sent = compact(self._spelled_tools(), self.rules.nul)
        return {"system": self.made.system, "tools": tools_sent}

    def _check_opening(self, settings: Settings) -> None:
        check_prompt(settings.prompt, "settings.prompt", self.places, self.rules)
        check_assembly(settings.assembly, "settings.assembly", self.places)
        start_below(self.places, settings.start)

    def _give(self, prompt: Prompt) -> None:
        self.newest, self.told_at = prompt, self.places
        self.notes.give(prompt.told, self.places)

    def looking(self) -> Looking:
        """Where the session's files are looked for."""
        start = start_below(self.places, self.start)
        kept = self.rules.value("assembly.global_instructions")
        return Looking(
            self.places, start, self.rules, self.tree, kept if kept == self.openers_global else ""
        )

    def remade(self) -> Made:
        """The prompt as it would be made now. Raises `SessionError`, and changes nothing then."""
        texts = self.looking().texts(self.assembly, self.newest)
        recall = self.settings.recall and self.toolbox.has("recall")
        around = Surroundings(self.start, recall, texts)
        return blocks.made(self.newest, around, self.places, self.rules)

    def made_for(self, parameters: Json) -> Made | None:
        """The prompt made again for another model than the last request's, None for the same."""
        before = self.requests.built[-1] if self.requests.built else None
        model = compact(parameters["model"], self.rules.nul) if "model" in parameters else None
        return None if before is None or before.body.model == model else self.remade()

    def use_prompt(self, made: Made | None) -> None:
        """Takes a prompt that was made again, if there is one."""
        if made is not None:
            self.made, self.in_force = made, self.newest
            self.notes.say_in_prompt(self.newest, made.told, self.told_at)

    def in_front(self) -> list[InFront]:
        """The messages that stand in front of the conversation."""
        return self.made.messages(in_order=isinstance(self.dialect, Chat))

    def front(self) -> body.Front:
        """What stands before the messages."""
        return body.front(self.dialect, self._spelled_tools(), self.in_front())

    def _spelled_tools(self) -> list[Json]:
        return [tools.spelled(tool, self.dialect) for tool in self.toolbox.listed]

    def _numbers(self) -> list[int]:
        return [message.number for message in self.messages]

    def _newest(self) -> int:
        return self.messages[-1].number if self.messages else 0

    def _next_message(self) -> tuple[int, list[Json]]:
        """The number of a message that is added now; results of calls that were left open."""
        self.append()
        self.history.setdefault(self.given, self.copied())
        closed = self.answer_open_calls()
        self.given += 1
        return self.given, closed

    def _added(self, message: Message, closed: list[Json], calls: Json = ()) -> Json:
        self.messages.append(message)
        note = None if message.note is None else self._shown(message.note)
        return {
            "number": message.number,
            "note": note,
            "skills": [{"name": one.name, "active": one.is_active} for one in message.envelopes],
            "calls": list(calls),
            "closed": closed,
        }

    def answer_open_calls(self) -> list[Json]:
        """Answers the calls that are still open."""
        reply = last_reply(self.messages)
        sentence = self.rules.value("replies.unanswered")
        open_calls = [] if reply is None else reply.open_calls()
        return [self._take(call.id, self._refusal(sentence)).as_json() for call in open_calls]

    def _refused(self, call_id: str, name: str, problem: str | None, *, wraps_up: bool) -> Json:
        """The result that a call gets in place of being run, if it gets one."""
        sentence = self.toolbox.refusal(name, self.rules)
        sentence = problem if sentence is None else sentence
        if wraps_up:
            sentence = self.rules.value("wrap_up.refused")
        return None if sentence is None else self._take(call_id, self._refusal(sentence)).as_json()

    def _check(self, call: Call) -> None:
        if call.id == "":
            raise invalid_argument("call.id")
        reply = last_reply(self.messages)
        open_ids = [] if reply is None else [one.id for one in reply.open_calls()]
        if call.id in open_ids:
            return
        if call.id in self.answered:
            raise SessionError("call-answered", {"call": call.id, "id": self.answered[call.id]})
        raise SessionError("unknown-call", {"call": call.id, "open": open_ids})

    def _answered(self, call_id: str, inserted: Inserted) -> None:
        super()._answered(call_id, inserted)
        reply = last_reply(self.messages)
        if reply is not None:
            failed = inserted.treatment == "failed"
            reply.answer(call_id, Result(inserted.id, inserted.text, failed, inserted.refers_to))

    def _table(self, results: list[T]) -> list[T]:
        messages = self.messages
        turn = current_turn(messages) if self.settings.kind == "chat" else messages
        return _of(_ids(turn), results)

    def _standing(self, results: list[T]) -> list[T]:
        return _of(self._standing_ids(), results)

    def _standing_ids(self) -> set[str]:
        """The ids of the results that were not taken back."""
        return _ids(self.messages)


def parameters_of(given: str, argument: str = "parameters") -> Json:
    """A request's parameters. Raises `SessionError`."""
    try:
        return body.parameters_of(given)
    except ValueError:
        raise invalid_argument(argument) from None


def _ids(messages: list[Message]) -> set[str]:
    """The ids of the results of calls in messages."""
    return {one.id for message in messages for one in message.answers()}


def _of(ids: set[str], results: list[T]) -> list[T]:
    """Those of the results that have one of the ids."""
    return [result for result in results if getattr(result, "id", None) in ids]
