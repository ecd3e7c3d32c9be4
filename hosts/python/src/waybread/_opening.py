"""How a session of the component is opened, at first and again from its storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from waybread._convert.settings import assembly, prompt
from waybread.assembly import Assembly
from waybread.settings import Prompt

_PROMPT_KEPT = {
    "prompt": prompt("settings.prompt", Prompt()),
    "assembly": assembly("settings.assembly", Assembly()),
}
"""An `open` that says nothing of the prompt keeps it as the log has it."""


@dataclass(frozen=True)
class Opening:
    """What a session is opened with.

    Attributes:
        key: The session's name in the storage.
        settings: `settings`, as the component takes them.
    """

    key: str
    settings: dict[str, Any]

    def of_subagent(self, key: str) -> Opening:
        """The opening of a session that this one delegated: prompt and tools stand in its log."""
        return Opening(key, {**self.settings, **_PROMPT_KEPT})
