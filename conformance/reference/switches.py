"""Skills that are switched on and off (assembly: Skills that come and go)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .conversation import Message
from .rules import Rules
from .skills import Envelope, enclosed, notice_of


@dataclass
class Switches:
    """The skills that are on, in the order of switching on."""

    on: dict[str, str] = field(default_factory=dict)

    def enable(self, name: str, text: str) -> None:
        """Switches a skill on; one that is on keeps its place."""
        self.on[name] = text

    def owed(self, active: dict[str, Envelope], rules: Rules) -> list[Envelope]:
        """What the next message has to tell: what is off, then what is on and not told so."""
        off = (name for name in active if name not in self.on)
        on = (_active(name, text, rules) for name, text in self.on.items())
        return [
            *(enclosed(name, rules.filled("skills.inactive", name=name), rules) for name in off),
            *(one for one in on if active.get(one.name) != one),
        ]


def _active(name: str, text: str, rules: Rules) -> Envelope:
    body = rules.filled("skills.active", name=name, text=text)
    return enclosed(name, body, rules, on=True)


def active_in(messages: Iterable[Message]) -> dict[str, Envelope]:
    """The skills that the model was told last, in the order in which it was told them."""
    standing: dict[str, Envelope] = {}
    for message in messages:
        for envelope in message.envelopes:
            standing.pop(envelope.name, None)
            if envelope.is_active:
                standing[envelope.name] = envelope
    return standing


def with_envelopes(message: Message, envelopes: list[Envelope], rules: Rules) -> Message:
    """A message with envelopes ahead of its text, behind a notice that it begins with."""
    notice = notice_of(message.text, rules)
    texts = [*(one.text for one in envelopes), message.text.removeprefix(notice)]
    text = notice + "\n\n".join(text for text in texts if text)
    return replace(message, text=text, envelopes=tuple(envelopes))
