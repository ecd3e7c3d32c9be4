"""The history archive: what summaries stand for, as Markdown (compaction: The history archive)."""

from __future__ import annotations

from dataclasses import dataclass

from .callwords import call_words
from .conversation import Message
from .paths import Absolute
from .rules import Rules
from .thinking import is_blank

HEADINGS = {"person": "person", "machine": "machine", "subagent": "machine", "model": "model"}


@dataclass(frozen=True)
class Archive:
    """How messages are written."""

    rules: Rules
    root: Absolute

    def part(self, messages: list[Message]) -> str:
        """Messages as a part of the archive; empty if none of them has a body."""
        written = [
            f"{self._text(heading)}\n\n{body}"
            for heading, body in map(self._entry, messages)
            if body != ""
        ]
        return "\n\n".join(written) + "\n" if written else ""

    def _text(self, name: str) -> str:
        return str(self.rules.value(f"archive.{name}"))

    def _entry(self, message: Message) -> tuple[str, str]:
        """A message's heading by its setting, and its body."""
        if message.summary is not None:
            return "summary", message.summary
        if message.speaker == "subagent":
            pieces = [self._text("subagent")]
        elif message.reply is not None:
            pieces = [message.text, self._calls(message)]
        else:
            pieces = self._user(message)
        body = "\n\n".join(piece for piece in pieces if not is_blank(piece))
        return HEADINGS[message.speaker], body

    def _user(self, message: Message) -> list[str]:
        skills = [
            self.rules.filled("archive.skill", name=envelope.name)
            for envelope in message.envelopes
            if envelope.is_active
        ]
        images = [part for part in message.parts if {"image", "image-url"} & set(part)]
        texts = [str(part["text"]) for part in message.parts if "text" in part]
        marks = "\n".join(self._text("image") for _ in images)
        return ["\n".join(skills), message.words, marks, *texts]

    def _calls(self, message: Message) -> str:
        omitted = self.rules.value("archive.omit_tools")
        return "\n".join(
            self.rules.filled(
                "archive.call",
                call=call_words(call, self.root, self.rules),
                status=self._text("failed" if result is None or result.failed else "ok"),
            )
            for call, result in zip(message.calls, message.results, strict=True)
            if call.name not in omitted
        )
