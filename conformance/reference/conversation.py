"""Messages, replies and their calls, and which of them a request is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from .casefile import Json
from .skills import Envelope


@dataclass(frozen=True)
class ReplyCall:
    """A call of a reply, as it was read from it."""

    id: str
    name: str
    arguments: str
    custom: bool = False


@dataclass(frozen=True)
class Result:
    """A result as the model is shown it."""

    id: str
    text: str
    failed: bool
    refers_to: str | None = None


@dataclass(frozen=True)
class Reply:
    """A model's reply: what of it is sent, in the dialect's own form."""

    taken: Json
    incomplete: bool
    unstored: bool = False


@dataclass
class Message:
    """A message of the conversation. `results` stand in the order of the calls, None if open.

    `summary` is what a model wrote of the messages in whose place it stands. `envelopes` are those
    of skills that the session put ahead of the text. `lists_pending`: a compaction put it there, to
    tell of subagents. `unbound`: what stands before it is not what its thinking was made behind.
    """

    number: int
    speaker: str
    starts_turn: bool
    text: str
    given: str
    note: str | None = None
    parts: tuple[Json, ...] = ()
    withdraws_tools: bool = False
    reply: Reply | None = None
    calls: list[ReplyCall] = field(default_factory=list)
    results: list[Result | None] = field(default_factory=list)
    summary: str | None = None
    replays_skills: bool = False
    lists_pending: bool = False
    envelopes: tuple[Envelope, ...] = ()
    unbound: bool = False

    @property
    def is_front(self) -> bool:
        """Whether a compaction put it at the front of the conversation."""
        return self.summary is not None or self.replays_skills

    @property
    def words(self) -> str:
        """The text without envelopes."""
        if self.replays_skills:
            return ""
        return self.given if self.envelopes else self.text

    def open_calls(self) -> list[ReplyCall]:
        """The calls without a result."""
        return [
            call for call, result in zip(self.calls, self.results, strict=True) if result is None
        ]

    def answer(self, call_id: str, result: Result) -> None:
        """Gives a call its result."""
        self.results[[call.id for call in self.calls].index(call_id)] = result

    def answers(self) -> list[Result]:
        """The results that there are."""
        return [result for result in self.results if result is not None]

    def as_json(self) -> Json:
        """The message as `conversation` answers it."""
        return {
            "number": self.number,
            "speaker": self.speaker,
            "starts-turn": self.starts_turn,
            "text": self.text,
            "given": self.given,
            "note": self.note,
            "incomplete": self.reply is not None and self.reply.incomplete,
            "results": ["" if result is None else result.id for result in self.results],
        }


@dataclass(frozen=True)
class Standing:
    """How a message stands in a request.

    A reply stands with its calls and results (`whole`) or as words alone, and with its reasoning
    (`carried`) or without; `keyed`: also with the key of one that is empty.
    """

    message: Message
    whole: bool
    carried: bool
    keyed: bool = False


def current_turn(messages: list[Message]) -> list[Message]:
    """The messages from the last one that starts a turn; all of them if none does."""
    starts = [place for place, message in enumerate(messages) if message.starts_turn]
    return messages[starts[-1] :] if starts else messages


def last_reply(messages: list[Message]) -> Message | None:
    """The newest reply."""
    return next((message for message in reversed(messages) if message.reply is not None), None)
