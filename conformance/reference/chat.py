"""OpenAI chat completions (requests: Messages, Reasoning)."""

from __future__ import annotations

from .casefile import Json
from .conversation import Message, Reply, ReplyCall, Result
from .dialects import BadReplyError, Dialect, Item, joined_texts, named, objects, typed
from .spelling import compact, is_empty, is_text
from .thinking import Split, split

OWN_KEYS = ("role", "content", "tool_calls", "function_call")
KINDS = {None: "function", "function": "function", "custom": "custom"}


class Chat(Dialect):
    """A message is `{"role", "content", …}`; the system prompt is the first of them."""

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
            given = inner.get("arguments" if kind == "function" else "input", "")
            arguments = str(given) if is_text(given) else compact(given)
            name = named(inner, "name", kind)
            found.append(ReplyCall(named(call, "id", "a call"), name, arguments, kind == "custom"))
        return found

    def text(self, taken: Json) -> str:
        """The content without reasoning."""
        content = taken.get("content")
        if is_text(content):
            return self._split(content).content
        return joined_texts(content or [], ("text",))

    def reply(self, number: int, reply: Reply, *, carried: bool) -> list[Item]:
        """The assistant's message; nothing if there is nothing to send."""
        taken, incomplete = reply.taken, reply.incomplete
        content = taken.get("content") if self.as_given else self._content(taken)
        if incomplete:
            content = self._with_interruption(content)
        thoughts = self._carried(taken) if carried and not self.as_given else {}
        calls = [] if incomplete else [self._call(call) for call in taken.get("tool_calls") or []]
        rest = self._rest(taken)
        if is_empty(content):
            if not (thoughts or calls or rest):
                return []
            if not self.as_given:
                content = self._nothing(content, thoughts, calls, rest)
        sent = {"role": "assistant", "content": content, **thoughts}
        if calls:
            sent["tool_calls"] = calls
        return [Item(number, "assistant", sent | rest)]

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
        return [Item(message.number, "user", {"role": "user", "content": content})]

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

    def tool(self, name: str, description: str, parameters: Json) -> Json:
        """A function."""
        function = {"name": name, "description": description, "parameters": parameters}
        return {"type": "function", "function": function}

    def system(self, text: str) -> Json:
        """The first message."""
        return {"role": self.rules.value("requests.system_role"), "content": text}

    def _split(self, content: str) -> Split:
        return split(content, self.rules.value("reasoning.tags"))

    def _is_reasoning(self, block: Json) -> bool:
        return block.get("type") in self.rules.value("reasoning.blocks")

    def _content(self, taken: Json) -> Json:
        """The content without its reasoning."""
        content = taken.get("content")
        if isinstance(content, list):
            return [block for block in content if not self._is_reasoning(block)]
        return self._split(content).content if is_text(content) else None

    def _reasoning(self, taken: Json) -> str:
        for name in self.rules.value("reasoning.fields"):
            if is_text(taken.get(name)) and taken[name] != "":
                return str(taken[name])
        content = taken.get("content")
        if isinstance(content, list):
            texts = [_thought(block) for block in content if self._is_reasoning(block)]
            return "\n\n".join(text for text in texts if text)
        return self._split(content).reasoning if is_text(content) else ""

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
        function = call.get("function")
        if isinstance(function, dict) and not is_text(function.get("arguments", "")):
            arguments = compact(function["arguments"])
            call = call | {"function": function | {"arguments": arguments}}
        if call.get("type") is None:
            call = _with_type({name: value for name, value in call.items() if name != "type"})
        return self._resent(call)

    @staticmethod
    def _nothing(content: Json, thoughts: Json, calls: Json, rest: Json) -> str | None:
        """How a content is spelled in which nothing stands."""
        if calls:
            return None
        return "" if content == "" or (thoughts and not rest) else None

    def _resent(self, value: Json) -> Json:
        """An object without what is never sent again."""
        not_resent = self.rules.value("requests.not_resent")
        return {name: inner for name, inner in value.items() if name not in not_resent}

    def _rest(self, taken: Json) -> Json:
        """What else the message has."""
        reasoning = [
            *("reasoning_content", *self.rules.value("reasoning.fields")),
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
