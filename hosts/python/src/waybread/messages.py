"""Messages: what is added to a conversation, and what a conversation holds.

"§" points into `context-hygiene` 3.2.0; how each dialect spells a message is in
`docs/requests.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from waybread.skills import SkillChange
    from waybread.values import Inserted, ToolCall


class Sender(str, Enum):
    """Who speaks in a message that is no reply."""

    PERSON = "person"

    MACHINE = "machine"
    """A job's or a team's note, a harness's task."""

    SUBAGENT = "subagent"
    """What a subagent brought: a person's words are not in it, and the history archive leaves it
    out."""


class Delivery(str, Enum):
    """Where a message stands (§8)."""

    STARTS_TURN = "starts-turn"
    """It starts a turn: earlier turns' reasoning is no longer sent, and notes that wait go with
    it."""

    STEP_BOUNDARY = "step-boundary"
    """It is delivered at a step boundary of the running turn: words that the person adds, a job's
    note. It carries no note."""


@dataclass(frozen=True)
class Image:
    """An image.

    Attributes:
        media_type: `image/png`.
        data: The file's bytes, or a text that is their base64 already.
    """

    media_type: str
    data: bytes | str


@dataclass(frozen=True)
class ImageUrl:
    """An image that the provider fetches."""

    url: str


@dataclass(frozen=True)
class Block:
    """A content block as the dialect spells it.

    Attributes:
        json: An object: a mapping, or the JSON itself, which is carried as it is spelled.
    """

    json: Mapping[str, object] | str


Part = str | Image | ImageUrl | Block
"""A part of a message beside its text; a `str` is a further text."""


@dataclass(frozen=True)
class UserMessage:
    """A message to the model.

    Attributes:
        text: May be empty if there are parts, which follow it.
        sender: Who speaks.
        delivery: Where it stands (§8).
        parts: Images and other content beside the text.
        date: The person's date: a `datetime.date`, or one line as the model is to read it. A note
            tells it with the session's first message and with the next that starts a turn after
            it changed (§10.3).
    """

    text: str
    sender: Sender = Sender.PERSON
    delivery: Delivery = Delivery.STARTS_TURN
    parts: Sequence[Part] = ()
    date: dt.date | str | None = None


@dataclass(frozen=True)
class Reply:
    """A model's reply.

    Attributes:
        json: What the provider gave: the whole response, or of it the message (OpenAI chat), the
            content blocks (Anthropic) or the output items (OpenAI responses). The text of the
            HTTP response is best, for it is carried as it is spelled; parsed JSON will do.
        incomplete: Assembled from a stream that broke off. It is sent with a note that says so,
            and without its calls, which nobody is to run.
    """

    json: Mapping[str, object] | Sequence[object] | str
    incomplete: bool = False


@dataclass(frozen=True)
class WrapUp:
    """The harness's message that asks for a last answer without tools (§10.4).

    Its text is `wrap_up` of `loop.json`. The tools stay listed; calls in the reply are answered
    with a refusal.
    """


Message = UserMessage | Reply | WrapUp
"""What is added to the conversation."""


@dataclass(frozen=True)
class ReplyCall:
    """A call of a reply.

    Attributes:
        call: The call, with its id and arguments as they are sent.
        refused: The result that the session gave in its place: the tool is unavailable or
            withdrawn, the reply is that to a wrap-up, or the arguments are no JSON object. None:
            the call is open, to be run.
    """

    call: ToolCall
    refused: Inserted | None


@dataclass(frozen=True)
class Added:
    """A message as it was added.

    Attributes:
        number: The message's number, from 1, never given twice in a session.
        note: The note that went with it (§10.3), as the model reads it.
        skills: Skills whose envelopes went ahead of its text, in their order.
        calls: A reply's calls, in its order.
        closed: Results that calls got which were left open: they say that none came.
    """

    number: int
    note: str | None
    skills: tuple[SkillChange, ...]
    calls: tuple[ReplyCall, ...]
    closed: tuple[Inserted, ...]

    @property
    def open_calls(self) -> tuple[ToolCall, ...]:
        """The calls that are to be run; the others have their results already."""
        return tuple(made.call for made in self.calls if made.refused is None)


class Speaker(str, Enum):
    """Who a message of the conversation is from."""

    PERSON = "person"
    MACHINE = "machine"
    SUBAGENT = "subagent"
    MODEL = "model"

    SUMMARY = "summary"
    """A compaction: its summary stands for what came before (§7)."""


@dataclass(frozen=True)
class StoredMessage:
    """A message of the conversation, as it is stored.

    Attributes:
        number: The message's number.
        speaker: Who it is from.
        starts_turn: Whether it started a turn (§8).
        text: A reply's visible text, without reasoning; another message's text.
        given: What `Session.add_message` was given: a reply's JSON; another message's text.
        note: The note that went with it.
        incomplete: Whether it is a reply that broke off.
        results: The ids of the results of a reply's calls, in the order of the calls; an empty
            text where one is open.
    """

    number: int
    speaker: Speaker
    starts_turn: bool
    text: str
    given: str
    note: str | None
    incomplete: bool
    results: tuple[str, ...]
