"""What the three dialects have in common: their names for things, and what makes a reply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from .blocks import InFront
from .casefile import Json
from .conversation import Message, Reply, ReplyCall, Result
from .rules import Rules
from .spelling import compact, is_text
from .thinking import is_blank


class BadReplyError(Exception):
    """A reply that is not what the dialect makes."""


@dataclass(frozen=True)
class Item:
    """What a request's list of messages holds one of; in Anthropic, a block of a message.

    `number` is that of the message it comes from.
    """

    number: int
    role: str
    json: Json


class Dialect(ABC):
    """How one provider's API spells a conversation."""

    name: str
    system_key: str | None
    messages_key: str
    arguments_are_json = False
    """Whether a call's arguments stand as JSON and not as a text."""
    wants_thinking_of_open_loops = False
    """Whether the last reply's reasoning is wanted until a reply follows its calls' results."""
    counts_thinking = False
    """Whether a request says how much of what a reply may write is for thinking."""

    image_omitted: str | None = None
    """What stands for an image, where the model sees none."""
    text_type = "text"
    """The type of a user's text block."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @abstractmethod
    def taken(self, given: Json) -> Json:
        """What is taken of a reply's JSON. Raises `BadReplyError`."""

    @abstractmethod
    def calls(self, taken: Json) -> list[ReplyCall]:
        """The calls to be run. Raises `BadReplyError`."""

    @abstractmethod
    def text(self, taken: Json) -> str:
        """The visible text."""

    @abstractmethod
    def reply(self, number: int, reply: Reply, *, carried: bool) -> list[Item]:
        """A reply, its reasoning carried or not."""

    def with_key(self, items: list[Item]) -> list[Item]:
        """A reply's items with the key of their reasoning, where the dialect has one."""
        return items

    @abstractmethod
    def reasoning_sent(self, sent: list[Json]) -> list[str]:
        """The texts of the reasoning in a reply's items (compaction: Tokens of a request)."""

    @abstractmethod
    def others_sent(self, sent: list[Json]) -> list[Json]:
        """What stands in a reply's items that is neither words, reasoning nor a call."""

    @abstractmethod
    def thoughts_sent(self, sent: list[Json]) -> list[Json]:
        """Reasoning as it stands in a reply's items: texts of fields, other JSON."""

    @abstractmethod
    def words_sent(self, sent: list[Json], reply: Reply) -> list[str]:
        """The visible texts as they stand in a reply's items, without `replies.interrupted`."""

    @abstractmethod
    def plain_reply(self, number: int, text: str) -> Item:
        """An assistant's message that is text alone."""

    @abstractmethod
    def result(self, number: int, call: ReplyCall, result: Result) -> Item:
        """A call's result."""

    @abstractmethod
    def part(self, part: Json) -> Json:
        """A part of a user message, as a block."""

    @abstractmethod
    def tool(self, name: str, description: str, parameters: Json) -> Json:
        """A tool."""

    @abstractmethod
    def system(self, text: str) -> Json:
        """The system prompt: what stands under `system_key`, or first among the messages."""

    @abstractmethod
    def in_front(self, message: InFront) -> Item:
        """A message in front of the conversation, which stands in the list of messages."""

    def user(self, message: Message) -> list[Item]:
        """A message that is no reply."""
        blocks = self.blocks(message)
        return [Item(message.number, "user", {"role": "user", "content": blocks})]

    def user_role(self, message: Message) -> str:
        """The role of a message that is no reply: a summary may be the system's."""
        is_system = self.rules.value("compaction.summary_role") == "system"
        if message.summary is not None and is_system:
            return str(self.rules.value("requests.system_role"))
        return "user"

    def blocks(self, message: Message) -> list[Json]:
        """Text, parts and note of a message, without blank texts."""
        texts = [{"text": message.text}, *message.parts]
        if message.note is not None:
            texts.append({"text": message.note})
        return [self._block(part) for part in texts if not is_blank_part(part)]

    def shown(self, part: Json) -> Json:
        """A part as the model sees it: of an image that it does not see, a text."""
        if self.image_omitted is None or not is_image(part):
            return part
        return {"text": self.image_omitted}

    def _block(self, part: Json) -> Json:
        shown = self.part(self.shown(part))
        marked = is_image(part) and "cache_control" in part.get("block", {})
        if self.image_omitted is None or not marked:
            return shown
        return shown | {"cache_control": part["block"]["cache_control"]}

    @property
    def as_given(self) -> bool:
        """Whether replies stand as they came (3.1.0)."""
        return bool(self.rules.value("reasoning.carry") == "as-given")

    @property
    def interrupted(self) -> str:
        """What stands at the end of an incomplete reply."""
        return str(self.rules.value("replies.interrupted"))


def is_image(part: Json) -> bool:
    """Whether a part is an image, also as a block."""
    kind = part.get("block", {}).get("type")
    is_block = kind in ("image", "image_url", "input_image") if is_text(kind) else False
    return is_block or "image" in part or "image-url" in part


def is_blank_part(part: Json) -> bool:
    """Whether a part is a text with nothing to read in it."""
    return "text" in part and is_blank(part["text"])


def arguments_of(given: Json, *, custom: bool = False) -> str:
    """A call's arguments as a text: other JSON compact, none `{}`; a custom tool's are plain."""
    if given is None:
        return "" if custom else "{}"
    return str(given) if is_text(given) else compact(given)


def joined_texts(blocks: list[Json], kinds: tuple[str, ...]) -> str:
    """The text of blocks: joined where they follow one another, else with a blank line between."""
    runs: list[str] = []
    follows = False
    for block in blocks:
        is_one = block.get("type") in kinds and is_text(block.get("text"))
        if is_one and follows:
            runs[-1] += block["text"]
        elif is_one:
            runs.append(block["text"])
        follows = is_one
    return "\n\n".join(run for run in runs if run)


def objects(value: Json, place: str) -> list[Json]:
    """A list of objects. Raises `BadReplyError`."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadReplyError(f"{place} is no list of objects")
    return value


def typed(value: Json, place: str) -> list[Json]:
    """A list of objects that say their type. Raises `BadReplyError`."""
    items = objects(value, place)
    for item in items:
        named(item, "type", place)
    return items


def named(value: Json, key: str, place: str) -> str:
    """A string that is there and not empty. Raises `BadReplyError`."""
    found = value.get(key)
    if not is_text(found) or found == "":
        raise BadReplyError(f"{place} has no {key}")
    return str(found)
