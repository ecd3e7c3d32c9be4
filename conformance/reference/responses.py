"""OpenAI responses (requests: Messages, Reasoning)."""

from __future__ import annotations

from .blocks import InFront
from .casefile import Json
from .conversation import Message, Reply, ReplyCall, Result
from .dialects import Dialect, Item, arguments_of, joined_texts, named, typed
from .spelling import is_empty, is_text

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}


class Responses(Dialect):
    """A request is a list of items: messages, reasoning, calls and their outputs."""

    name = "openai-responses"
    system_key = "instructions"
    messages_key = "input"

    def taken(self, given: Json) -> Json:
        """The output items of a response, or a list of them."""
        return typed(given.get("output") if isinstance(given, dict) else given, "output")

    def calls(self, taken: Json) -> list[ReplyCall]:
        """Function calls, and custom ones with their input as it is."""
        found = []
        for item in taken:
            kind = item.get("type")
            if kind in CALLS:
                custom = kind == "custom_tool_call"
                arguments = arguments_of(item.get(CALLS[kind]), custom=custom)
                call_id, name = named(item, "call_id", kind), named(item, "name", kind)
                found.append(ReplyCall(call_id, name, arguments, custom))
        return found

    def text(self, taken: Json) -> str:
        """The text of its messages."""
        texts = [_message_text(item) for item in taken if item.get("type") == "message"]
        return "\n\n".join(text for text in texts if text)

    def reply(self, number: int, reply: Reply, *, carried: bool) -> list[Item]:
        """The items as they came; without ids where their reasoning is left out."""
        taken, incomplete = reply.taken, reply.incomplete
        kept = [
            item
            for item in taken
            if not _is_reasoning(item)
            or (
                (carried or self.as_given)
                and not ((incomplete or reply.unstored) and _is_open(item))
            )
        ]
        if len(kept) < len(taken):
            kept = [
                item if _is_reasoning(item) else _without_id(item)
                for item in kept
                if item.get("type") in ("reasoning", "message", *CALLS)
            ]
        items = [
            _with_arguments(_without_nulls(item))
            for item in kept
            if not (incomplete and item.get("type") in CALLS)
        ]
        if all(map(_is_reasoning, items)):
            items = []
        sent = [Item(number, "assistant", item) for item in items]
        return [*sent, self.plain_reply(number, self.interrupted)] if incomplete else sent

    def reasoning_sent(self, sent: list[Json]) -> list[str]:
        """The texts of the parts of a reasoning item's summary and content."""
        return [
            str(part["text"])
            for item in filter(_is_reasoning, sent)
            for parts in (item.get("summary"), item.get("content"))
            if isinstance(parts, list)
            for part in parts
            if isinstance(part, dict) and is_text(part.get("text"))
        ]

    def others_sent(self, sent: list[Json]) -> list[Json]:
        """Items that the provider made by itself."""
        own = ("message", "reasoning", *CALLS)
        return [item for item in sent if item.get("type") not in own]

    def thoughts_sent(self, sent: list[Json]) -> list[Json]:
        """Reasoning items."""
        return list(filter(_is_reasoning, sent))

    def words_sent(self, sent: list[Json], reply: Reply) -> list[str]:
        """The texts of messages."""
        own = sent[:-1] if reply.incomplete else sent
        messages = (item.get("content") for item in own if item.get("type") == "message")
        return [text for content in messages for text in _texts(content)]

    def plain_reply(self, number: int, text: str) -> Item:
        """An assistant's message."""
        content = [{"type": "output_text", "text": text}]
        message = {"type": "message", "role": "assistant", "content": content}
        return Item(number, "assistant", message)

    def result(self, number: int, call: ReplyCall, result: Result) -> Item:
        """The output of a call."""
        kind = "custom_tool_call_output" if call.custom else "function_call_output"
        return Item(number, "tool", {"type": kind, "call_id": call.id, "output": result.text})

    def user(self, message: Message) -> list[Item]:
        """A message of blocks."""
        role = self.user_role(message)
        sent = {"type": "message", "role": role, "content": self.blocks(message)}
        return [Item(message.number, "user", sent)]

    def part(self, part: Json) -> Json:
        """A block of a user's message."""
        if "block" in part:
            return part["block"]
        if "text" in part:
            return {"type": "input_text", "text": part["text"]}
        url = part.get("image-url")
        if url is None:
            image = part["image"]
            url = f"data:{image['media-type']};base64,{image['base64']}"
        return {"type": "input_image", "image_url": url}

    def in_front(self, message: InFront) -> Item:
        """A message of the user's."""
        content = [{"type": "input_text", "text": message.text}]
        return Item(0, "user", {"type": "message", "role": "user", "content": content})

    def tool(self, name: str, description: str, parameters: Json) -> Json:
        """A function."""
        return {
            "type": "function",
            "name": name,
            "description": description,
            "parameters": parameters,
        }

    def system(self, text: str) -> Json:
        """The instructions."""
        return text


def _message_text(item: Json) -> str:
    content = item.get("content")
    if is_text(content):
        return str(content)
    return joined_texts(content, ("output_text",)) if isinstance(content, list) else ""


def _texts(content: Json) -> list[str]:
    """The texts of a message, each as it stands."""
    if is_text(content):
        return [str(content)]
    parts = [part for part in content if isinstance(part, dict)] if content else []
    texts = (part.get("text") for part in parts if part.get("type") == "output_text")
    return [str(text) for text in texts if is_text(text)]


def _is_reasoning(item: Json) -> bool:
    return bool(item.get("type") == "reasoning")


def _is_open(item: Json) -> bool:
    """Whether reasoning is not encrypted, so the provider could not read it again."""
    return is_empty(item.get("encrypted_content"))


def _without_nulls(item: Json) -> Json:
    """An item without what is null in it or in a part of its content."""
    content = item.get("content")
    if isinstance(content, list):
        parts = [_named(part) if isinstance(part, dict) else part for part in content]
        item = item | {"content": parts}
    return _named(item)


def _with_arguments(item: Json) -> Json:
    """A call with its arguments as a text; other items as they are."""
    kind = item.get("type")
    if kind not in CALLS:
        return item
    key = CALLS[kind]
    return item | {key: arguments_of(item.get(key), custom=kind == "custom_tool_call")}


def _named(value: Json) -> Json:
    return {name: inner for name, inner in value.items() if inner is not None}


def _without_id(item: Json) -> Json:
    return {name: value for name, value in item.items() if name != "id"}
