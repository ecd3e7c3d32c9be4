"""A conversation in which skills come and go (assembly: Skills that come and go)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .assembly import check_skill
from .blocks import budget, cut
from .casefile import Json
from .conversation import Message
from .errors import invalid_argument
from .switches import Switches, active_in, with_envelopes
from .talk import Talk


@dataclass
class Skilled(Talk):
    """A conversation with skills."""

    switches: Switches = field(default_factory=Switches)

    def enable_skill(self, name: str, text: str | None) -> Json:
        """Switches a skill on; what was cut of its text."""
        if name == "":
            raise invalid_argument("name")
        if text is None:
            check_skill(name, "name", self.places)
        found = self.looking().skill(name, self.assembly) if text is None else text
        if found is None:
            raise invalid_argument("name")
        size, cap = len(found.encode()), budget("assembly.skill_bytes", self.rules)
        if size > cap:
            found = f"{cut(found, cap)}\n\n{self.rules.filled('skills.truncated', cap=cap)}"
        self.append()
        self.switches.enable(name, found)
        return {"bytes": size, "cap": cap} if size > cap else None

    def disable_skill(self, name: str) -> None:
        """Switches a skill off."""
        if name not in self.switches.on:
            raise invalid_argument("name")
        self.append()
        del self.switches.on[name]

    def skills(self) -> Json:
        """The skills that are on, then others that the model holds active."""
        active, on = active_in(self.messages), self.switches.on
        return [
            {"name": name, "enabled": name in on, "active": name in active}
            for name in [*on, *(name for name in active if name not in on)]
        ]

    def with_skills(self, message: Message) -> Message:
        """A message with what is to be told of skills ahead of its text, behind its notice."""
        if not message.starts_turn:
            return message
        active = active_in(self.messages)
        return with_envelopes(message, self.switches.owed(active, self.rules), self.rules)
