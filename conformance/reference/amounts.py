"""What the pieces of a request cost in tokens (compaction: Tokens of a request).

Everything is in thousandths of a token of one vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import weights
from .blocks import InFront
from .casefile import Json
from .conversation import Message, Result, Standing
from .data import Data
from .dialects import Dialect
from .spelling import compact, parse_object
from .thinking import is_blank
from .tools import Tool, parameters_of

THOUSAND = 1000


@dataclass(frozen=True)
class Amounts:
    """Costs in one vocabulary."""

    dialect: Dialect
    vocabulary: str

    def front(self, tools: list[Tool], messages: list[InFront]) -> int:
        """A request without its conversation."""
        spent = self._setting("request") + sum(map(self.tool, tools))
        return spent + sum(self._message(one.zone, one.text) for one in messages)

    def message(self, standing: Standing) -> int:
        """A message as a request holds it, a reply with its results."""
        message = standing.message
        if message.reply is None:
            return self._user(message)
        if not standing.whole:
            return self._earlier_reply(message)
        results = zip(message.calls, message.results, strict=True)
        return self._reply(message, carried=standing.carried) + sum(
            self._result(call.id, result) for call, result in results if result is not None
        )

    def text(self, text: str) -> int:
        """A text as it is shown."""
        nul = self.dialect.rules.nul
        return weights.cost(text.replace("\0", nul), self.vocabulary)

    def _setting(self, name: str) -> int:
        return int(self.dialect.rules.value(f"tokens.{name}")) * THOUSAND

    def json(self, value: Json) -> int:
        """JSON as it is sent."""
        return weights.cost(compact(value, self.dialect.rules.nul), self.vocabulary)

    def block(self, block: Json) -> int:
        """A block or an item as it is sent, its data apart."""
        words, tokens = Data(self.dialect.rules).split(block)
        return self.json(words) + tokens * THOUSAND

    def _message(self, role: str, *texts: str) -> int:
        return self._setting("message") + sum(map(self.text, (role, *texts)))

    def tool(self, tool: Tool) -> int:
        """A tool."""
        spent = self._setting("tool")
        if tool.definition is not None:
            return spent + self.json(parse_object(tool.definition))
        words = sum(map(self.text, ("function", tool.name, tool.description)))
        return spent + words + self.json(parameters_of(tool))

    def _user(self, message: Message) -> int:
        spent = self._message("user", message.text, message.note or "")
        return spent + sum(map(self.part, message.parts))

    def part(self, part: Json) -> int:
        """A part of a message to the model."""
        part = self.dialect.shown(part)
        if "text" in part:
            return self.text(part["text"])
        if "block" in part:
            return self.block(part["block"])
        data = Data(self.dialect.rules)
        if "image-url" in part:
            return data.url(part["image-url"]) * THOUSAND
        return data.image(part["image"]["base64"]) * THOUSAND

    def _earlier_reply(self, message: Message) -> int:
        """A reply of an earlier turn in a chat."""
        incomplete = self._is_incomplete(message)
        if is_blank(message.text) and not incomplete:
            return 0
        return self._assistant(message)

    def _assistant(self, message: Message) -> int:
        """A reply's words."""
        ending = self.dialect.interrupted if self._is_incomplete(message) else ""
        return self._message("assistant", message.text, ending)

    def _reply(self, message: Message, *, carried: bool) -> int:
        if message.reply is None:
            return 0
        items = self.dialect.reply(message.number, message.reply, carried=carried)
        if not items:
            return 0
        sent = [item.json for item in items]
        reasoning = self.dialect.reasoning_sent(sent)
        others = self.dialect.others_sent(sent)
        calls = sum(self._call(call.id, call.name, call.arguments) for call in message.calls)
        spent = self._assistant(message) + calls
        return spent + sum(map(self.block, others)) + sum(map(self.text, reasoning))

    def _call(self, *texts: str) -> int:
        return self._setting("call") + sum(map(self.text, texts))

    def _result(self, call_id: str, result: Result) -> int:
        return self._message("tool", call_id, result.text)

    @staticmethod
    def _is_incomplete(message: Message) -> bool:
        return message.reply is not None and message.reply.incomplete
