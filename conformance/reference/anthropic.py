"""Anthropic messages (requests: Messages, Reasoning). An item is a block; `body` merges them."""

from __future__ import annotations

from .blocks import InFront
from .casefile import Json
from .conversation import Message, Reply, ReplyCall, Result
from .dialects import Dialect, Item, joined_texts, named, typed
from .spelling import compact, is_empty, is_text
from .thinking import is_blank


class Anthropic(Dialect):
    """A message is a role and a list of blocks; the system prompt stands beside the messages."""

    name = "anthropic-messages"
    system_key = "system"
    messages_key = "messages"
    arguments_are_json = True
    wants_thinking_of_open_loops = True
    counts_thinking = True

    def taken(self, given: Json) -> Json:
        """The content blocks of a response, or a list of them."""
        blocks = given.get("content") if isinstance(given, dict) else given
        if isinstance(given, dict) and is_text(blocks):
            blocks = [{"type": "text", "text": blocks}]
        return typed(blocks, "content")

    def calls(self, taken: Json) -> list[ReplyCall]:
        """The blocks of type `tool_use`."""
        return [
            ReplyCall(
                named(block, "id", "a call"),
                named(block, "name", "a call"),
                compact(_with_input(block)["input"]),
            )
            for block in taken
            if _is_call(block)
        ]

    def text(self, taken: Json) -> str:
        """The text blocks."""
        return joined_texts(taken, ("text",))

    def reply(self, number: int, reply: Reply, *, carried: bool) -> list[Item]:
        """The blocks as they came, without blank texts and reasoning that nothing follows."""
        incomplete = reply.incomplete
        blocks = [
            block
            for block in reply.taken
            if not _is_blank_text(block)
            and (carried or not self._is_reasoning(block))
            and not (incomplete and self._is_broken_off(block, reply.taken))
        ]
        while blocks and self._is_reasoning(blocks[-1]):
            blocks.pop()
        if incomplete:
            blocks.append({"type": "text", "text": self.interrupted})
        return [Item(number, "assistant", _with_input(block)) for block in blocks]

    def reasoning_sent(self, sent: list[Json]) -> list[str]:
        """The `thinking` or `text` of reasoning blocks."""
        blocks = [block for block in sent if self._is_reasoning(block)]
        texts = ([block.get("thinking"), block.get("text")] for block in blocks)
        found = (next(filter(is_text, pair), None) for pair in texts)
        return [str(text) for text in found if text is not None]

    def others_sent(self, sent: list[Json]) -> list[Json]:
        """Calls that the provider runs, with their results, and what else there is."""
        return [
            block
            for block in sent
            if block.get("type") not in ("text", "tool_use") and not self._is_reasoning(block)
        ]

    def thoughts_sent(self, sent: list[Json]) -> list[Json]:
        """Reasoning blocks."""
        return [block for block in sent if self._is_reasoning(block)]

    def words_sent(self, sent: list[Json], reply: Reply) -> list[str]:
        """The texts of text blocks."""
        own = sent[:-1] if reply.incomplete else sent
        texts = (block.get("text") for block in own if block.get("type") == "text")
        return [str(text) for text in texts if is_text(text)]

    def plain_reply(self, number: int, text: str) -> Item:
        """A text block of the assistant's."""
        return Item(number, "assistant", {"type": "text", "text": text})

    def result(self, number: int, call: ReplyCall, result: Result) -> Item:
        """A block of the user's."""
        sent: Json = {"type": "tool_result", "tool_use_id": call.id, "content": result.text}
        return Item(number, "user", sent | ({"is_error": True} if result.failed else {}))

    def user(self, message: Message) -> list[Item]:
        """Its blocks."""
        return [Item(message.number, "user", block) for block in self.blocks(message)]

    def user_role(self, message: Message) -> str:  # noqa: ARG002
        """A summary is the user's, too."""
        return "user"

    def part(self, part: Json) -> Json:
        """A block of a user's message."""
        if "block" in part:
            return part["block"]
        if "text" in part:
            return {"type": "text", "text": part["text"]}
        if "image-url" in part:
            return {"type": "image", "source": {"type": "url", "url": part["image-url"]}}
        image = part["image"]
        source = {"type": "base64", "media_type": image["media-type"], "data": image["base64"]}
        return {"type": "image", "source": source}

    def in_front(self, message: InFront) -> Item:
        """A block of the user's."""
        return Item(0, "user", {"type": "text", "text": message.text})

    def tool(self, name: str, description: str, parameters: Json) -> Json:
        """A tool."""
        return {"name": name, "description": description, "input_schema": parameters}

    def system(self, text: str) -> Json:
        """A list of one block."""
        return [{"type": "text", "text": text}]

    def _is_broken_off(self, block: Json, blocks: Json) -> bool:
        """Whether a block of an incomplete reply cannot be sent."""
        kind = block.get("type")
        runs = is_text(kind) and kind.endswith("tool_use") and not _has_result(block, blocks)
        return _is_call(block) or runs or _is_unsigned(block)

    def _is_reasoning(self, block: Json) -> bool:
        return block.get("type") in self.rules.value("reasoning.blocks")


def _has_result(call: Json, blocks: Json) -> bool:
    """Whether a call that the provider runs has its result beside it."""
    return any(block.get("tool_use_id") == call.get("id") for block in blocks)


def _is_call(block: Json) -> bool:
    return bool(block.get("type") == "tool_use")


def _with_input(block: Json) -> Json:
    """A call with its input, though it be empty."""
    without = _is_call(block) and block.get("input") is None
    return block | {"input": {}} if without else block


def _is_unsigned(block: Json) -> bool:
    return block.get("type") == "thinking" and is_empty(block.get("signature"))


def _is_blank_text(block: Json) -> bool:
    return block.get("type") == "text" and is_text(block.get("text")) and is_blank(block["text"])
