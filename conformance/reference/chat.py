"""OpenAI chat completions (requests: Messages, Reasoning)."""

from __future__ import annotations

from .blocks import InFront
from .casefile import Json
from .conversation import Message, Reply, ReplyCall, Result
from .dialects import (
    BadReplyError,
    Dialect,
    Item,
    arguments_of,
    joined_texts,
    named,
    objects,
    typed,
)
from .spelling import is_empty, is_text
from .thinking import Split, split

OWN_KEYS = ("role", "content", "tool_calls", "function_call")
KINDS = {None: "function", "function": "function", "custom": "custom"}
ARGUMENTS = {"function": "arguments", "custom": "input"}
OWN_REASONING = ("reasoning_content",)


class Chat(Dialect):
    """A message is `{"role", "content", …}`; the system prompt is the first of them."""

    name = "openai-chat"
    system_key = None
    messages_key = "messages"

    def taken(self, given: Json) -> Json:
        """The message of the first choice, or the message itself."""
        message = given
        if isinstance(given, dict) and "choices" in given:
            choices = objects(given["choices"], "choices")
            if not choices:
                raise BadReplyError("there is no choice")
            message = choices[0].get("message")
        if not isinstance(message, dict) or not {"role", "content", "tool_calls"} & set(message):
            raise BadReplyError("there is no message")
        if message.get("role", "assistant") != "assistant":
            raise BadReplyError("the role is another's")
        content = message.get("content")
        if content is not None and not is_text(content):
            typed(content, "content")
        if message.get("function_call") is not None:
            raise BadReplyError("function_call is of an old API")
        if message.get("tool_calls") is not None:
            objects(message["tool_calls"], "tool_calls")
        return message

    def calls(self, taken: Json) -> list[ReplyCall]:
        """Functions, and custom tools with their input as it is."""
        found = []
        for call in taken.get("tool_calls") or []:
            kind = KINDS.get(call.get("type"))
            inner = None if kind is None else call.get(kind)
            if kind is None or not isinstance(inner, dict):
                raise BadReplyError("a call that is neither a function nor custom")
            custom = kind == "custom"
            arguments = arguments_of(inner.get(ARGUMENTS[kind]), custom=custom)
            name = named(inner, "name", kind)
            found.append(ReplyCall(named(call, "id", "a call"), name, arguments, custom))
        return found

    def text(self, taken: Json) -> str:
        """The content without reasoning."""
        content = taken.get("content")
        if is_text(content):
            return self._split(content, taken).content
        return joined_texts(self._said(content or [], taken), ("text",))

    def reply(self, number: int, reply: Reply, *, carried: bool) -> list[Item]:
        """The assistant's message; nothing if there is nothing to send."""
        taken, incomplete = reply.taken, reply.incomplete
        content = taken.get("content") if self.as_given else self._content(taken)
        content = None if content == [] else content
        if incomplete:
            content = self._with_interruption(content)
        thoughts = self._carried(taken) if carried and not self.as_given else {}
        calls = [] if incomplete else [self._call(call) for call in taken.get("tool_calls") or []]
        rest = self._rest(taken)
        if is_empty(content):
            if not (thoughts or calls or rest):
                return []
            if not calls:
                content = ""
            elif not self.as_given:
                content = None
        sent = {"role": "assistant", "content": content, **thoughts}
        if calls:
            sent["tool_calls"] = calls
        return [Item(number, "assistant", sent | rest)]

    def with_key(self, items: list[Item]) -> list[Item]:
        """With `reasoning_content` behind the content."""
        return [Item(one.number, one.role, _with_key(one.json)) for one in items]

    def reasoning_sent(self, sent: list[Json]) -> list[str]:
        """`reasoning_content`."""
        texts = (message.get("reasoning_content") for message in sent)
        return [str(text) for text in texts if is_text(text)]

    def others_sent(self, sent: list[Json]) -> list[Json]:
        """Blocks of a content list: images, audio."""
        return [
            block
            for message in sent
            for block in _blocks(message["content"])
            if block.get("type") != "text" and not self._is_reasoning(block)
        ]

    def thoughts_sent(self, sent: list[Json]) -> list[Json]:
        """Fields with reasoning, and, as given, blocks of a content list."""
        names = [*OWN_REASONING, *self.rules.value("reasoning.fields")]
        names += self.rules.value("reasoning.details")
        return [
            value
            for message in sent
            for value in (
                *(message.get(name) for name in dict.fromkeys(names)),
                *filter(self._is_reasoning, _blocks(message["content"])),
            )
            if value is not None
        ]

    def words_sent(self, sent: list[Json], reply: Reply) -> list[str]:
        """The content as it stands, or the texts of its blocks."""
        content = sent[0]["content"]
        if not isinstance(content, list):
            ending = self.interrupted if reply.incomplete else ""
            return [(content or "").removesuffix(ending).removesuffix("\n\n" if ending else "")]
        blocks = content[:-1] if reply.incomplete else content
        return [block["text"] for block in blocks if _is_text_block(block)]

    def plain_reply(self, number: int, text: str) -> Item:
        """A message whose content is a string."""
        return Item(number, "assistant", {"role": "assistant", "content": text})

    def result(self, number: int, call: ReplyCall, result: Result) -> Item:
        """A message of the role `tool`."""
        sent = {"role": "tool", "tool_call_id": call.id, "content": result.text}
        return Item(number, "tool", sent)

    def user(self, message: Message) -> list[Item]:
        """A string if there are no parts, a list of blocks otherwise."""
        if message.parts:
            return super().user(message)
        content = "\n\n".join(
            [message.text] if message.note is None else [message.text, message.note]
        )
        sent = {"role": self.user_role(message), "content": content}
        return [Item(message.number, "user", sent)]

    def part(self, part: Json) -> Json:
        """A block of a user's message."""
        if "block" in part:
            return part["block"]
        if "text" in part:
            return {"type": "text", "text": part["text"]}
        url = part.get("image-url")
        if url is None:
            image = part["image"]
            url = f"data:{image['media-type']};base64,{image['base64']}"
        return {"type": "image_url", "image_url": {"url": url}}

    def in_front(self, message: InFront) -> Item:
        """A system message, or one of the user's."""
        sent = {"role": "user", "content": message.text}
        return Item(0, "user", self.system(message.text) if message.zone == "system" else sent)

    def tool(self, name: str, description: str, parameters: Json) -> Json:
        """A function."""
        function = {"name": name, "description": description, "parameters": parameters}
        return {"type": "function", "function": function}

    def system(self, text: str) -> Json:
        """A message of the system's."""
        return {"role": self.rules.value("requests.system_role"), "content": text}

    def _field(self, taken: Json) -> str:
        """The first field with reasoning in it; empty if there is none."""
        texts = (taken.get(name) for name in self.rules.value("reasoning.fields"))
        return next((str(text) for text in texts if is_text(text) and text != ""), "")

    def _split(self, content: str, taken: Json) -> Split:
        templated = self._field(taken) == ""
        return split(content, self.rules.value("reasoning.tags"), templated=templated)

    def _said(self, blocks: Json, taken: Json) -> list[Json]:
        """Blocks whose texts are without reasoning; a text that was nothing else is gone."""
        said = []
        for block in blocks:
            left = self._split(block["text"], taken).content if _is_text_block(block) else None
            if left is None or left == block["text"]:
                said.append(block)
            elif left:
                said.append(block | {"text": left})
        return said

    def _thought(self, block: Json, taken: Json) -> str:
        """The reasoning in a block."""
        if self._is_reasoning(block):
            return _thought(block)
        return self._split(block["text"], taken).reasoning if _is_text_block(block) else ""

    def _is_reasoning(self, block: Json) -> bool:
        return block.get("type") in self.rules.value("reasoning.blocks")

    def _content(self, taken: Json) -> Json:
        """The content without its reasoning."""
        content = taken.get("content")
        if isinstance(content, list):
            blocks = self._said(content, taken)
            return [block for block in blocks if not self._is_reasoning(block)]
        return self._split(content, taken).content if is_text(content) else None

    def _reasoning(self, taken: Json) -> str:
        field, inside = self._field(taken), self._inside(taken)
        return "\n\n".join(text for text in (field, "" if inside in field else inside) if text)

    def _inside(self, taken: Json) -> str:
        """The reasoning that stands in the content."""
        content = taken.get("content")
        if isinstance(content, list):
            texts = [self._thought(block, taken) for block in content]
            return "\n\n".join(text for text in texts if text)
        return self._split(content, taken).reasoning if is_text(content) else ""

    def _details(self, taken: Json) -> Json:
        names = self.rules.value("reasoning.details")
        return {name: taken[name] for name in names if not is_empty(taken.get(name))}

    def _carried(self, taken: Json) -> Json:
        reasoning = self._reasoning(taken)
        own = {"reasoning_content": reasoning} if reasoning else {}
        return own | self._details(taken)

    def _with_interruption(self, content: Json) -> Json:
        if is_empty(content):
            return self.interrupted
        if isinstance(content, list):
            return [*content, {"type": "text", "text": self.interrupted}]
        return f"{content}\n\n{self.interrupted}"

    def _call(self, call: Json) -> Json:
        """A call with its type, and its arguments as a string."""
        kind = KINDS[call.get("type")]
        key = ARGUMENTS[kind]
        arguments = arguments_of(call[kind].get(key), custom=kind == "custom")
        call = call | {kind: call[kind] | {key: arguments}}
        if call.get("type") is None:
            call = _with_type({name: value for name, value in call.items() if name != "type"})
        return self._resent(call)

    def _resent(self, value: Json) -> Json:
        """An object without what is never sent again."""
        not_resent = self.rules.value("requests.not_resent")
        return {name: inner for name, inner in value.items() if name not in not_resent}

    def _rest(self, taken: Json) -> Json:
        """What else the message has."""
        reasoning = [
            *(*OWN_REASONING, *self.rules.value("reasoning.fields")),
            *self.rules.value("reasoning.details"),
        ]
        left_out = OWN_KEYS if self.as_given else (*OWN_KEYS, *reasoning)
        return {
            name: value
            for name, value in self._resent(taken).items()
            if name not in left_out and value is not None
        }


def _with_type(call: Json) -> Json:
    """A call without a type is a function; it says so behind its id."""
    typed = {}
    for name, value in call.items():
        typed[name] = value
        if name == "id":
            typed["type"] = "function"
    return typed


def _with_key(message: Json) -> Json:
    first = {"role": message["role"], "content": message["content"], "reasoning_content": ""}
    return first | message


def _blocks(content: Json) -> list[Json]:
    """The blocks of a content that is a list of them."""
    return content if isinstance(content, list) else []


def _is_text_block(block: Json) -> bool:
    return block.get("type") == "text" and is_text(block.get("text"))


def _thought(block: Json) -> str:
    """A reasoning block's text: a string, or a list of blocks with text."""
    for name in ("thinking", "text"):
        value = block.get(name)
        if is_text(value):
            return str(value)
        if isinstance(value, list):
            return "".join(
                inner["text"]
                for inner in value
                if isinstance(inner, dict) and is_text(inner.get("text"))
            )
    return ""
