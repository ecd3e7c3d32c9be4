"""What the model was told of things that change, and what it is owed (§10.3; requests: Notes)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .naming import Places
from .prompt import Change, Prompt
from .rules import Rules

PLACES = {
    "mode": "mode",
    "plan": "plan",
    "memory": "memory",
    "instructions": "instructions",
    "personality": "personality",
    "mcp-instructions": "mcp",
}
ONE_OF_ITS_KIND = ("mode", "plan", "personality")
ALWAYS = 0

Key = tuple[str, str]
"""A thing: its kind, and its name where there can be several."""


@dataclass(frozen=True)
class Said:
    """That the model was told a value: in a prompt, or by a message (0: before there was any)."""

    key: Key
    value: Change
    message: int | None


@dataclass
class Notes:
    """The values that things have, and everything that was said, oldest first."""

    values: dict[Key, Change] = field(default_factory=dict)
    read: set[Key] = field(default_factory=set)
    """Of what has a value: what the session read itself, and was not told otherwise since."""
    said: list[Said] = field(default_factory=list)
    dates: list[tuple[str, int]] = field(default_factory=list)
    session_date: str | None = None
    """What the prompt says, which is read before all messages."""

    def give(self, changes: tuple[Change, ...], places: Places) -> None:
        """Values that things have now."""
        for change in changes:
            shown = _shown(change, places)
            self.values[_key(shown)] = shown
            self.read.discard(_key(shown))

    def say(self, change: Change, places: Places, message: int) -> None:
        """What the model knows as of a message, by its own doing."""
        shown = _shown(change, places)
        self.said.append(Said(_key(shown), shown, message))

    def say_in_prompt(self, prompt: Prompt, read: tuple[Change, ...], places: Places) -> None:
        """A prompt was made: what an earlier one said is not said any more."""
        self.said = [said for said in self.said if said.message is not None]
        for key in self.read:
            self.values[key] = replace(self.values[key], text="")
        self.read = {_key(change) for change in read}
        self.values |= {_key(change): change for change in read}
        for change in (*(_shown(change, places) for change in prompt.told), *read):
            self.said.append(Said(_key(change), change, None))
        date = prompt.session_date
        self.session_date = None if date is None else date.text.strip()

    def note(
        self,
        date: str | None,
        number: int,
        standing: Collection[int],
        rules: Rules,
    ) -> str | None:
        """The note of message `number`, which says all that is owed; None if nothing is."""
        blocks: dict[str, list[str]] = {}
        for key, value in sorted(self.values.items()):
            if self._is_owed(key, value, standing):
                place = PLACES[value.kind]
                text = value.text or rules.text("note.empty")
                blocks.setdefault(place, []).append(
                    rules.text(f"note.{place}", name=value.name, text=text)
                )
                self.said.append(Said(key, value, number))
        told = [text for text, message in self.dates if message in standing]
        told = told or ([] if self.session_date is None else [self.session_date])
        if date is not None and told[-1:] != [date]:
            self.dates.append((date, number))
            blocks["date"] = [rules.text("note.date", text=date)]
        ordered = [block for place in (*PLACES.values(), "date") for block in blocks.get(place, [])]
        if not ordered:
            return None
        return rules.text("note.frame", blocks=_within(rules, "\n\n".join(ordered)))

    def _is_owed(self, key: Key, value: Change, standing: Collection[int]) -> bool:
        told = [
            said.value
            for said in self.said
            if said.key == key and (said.message in (None, ALWAYS) or said.message in standing)
        ]
        if not told:
            return value.text != ""
        return told[-1] != value and (told[-1].text, value.text) != ("", "")


def _within(rules: Rules, blocks: str) -> str:
    """Blocks that do not end their frame: its closing tag is spelled otherwise in them."""
    lines = rules.text("note.frame", blocks="\n").rsplit("\n", 1)
    last = [line.strip() for line in lines if line.strip()][-1:]
    if not last or not last[0].startswith("</"):
        return blocks
    tag = re.escape(last[0].rstrip(">"))
    return re.sub(tag, lambda found: f"&lt;{found[0][1:]}", blocks, flags=re.IGNORECASE | re.ASCII)


def _shown(change: Change, places: Places) -> Change:
    """A change as it is shown, a file by its name."""
    is_file = change.kind in ("memory", "instructions")
    name = places.name(change.name) if is_file else change.name
    return Change(change.kind, name, change.text)


def _key(change: Change) -> Key:
    return change.kind, "" if change.kind in ONE_OF_ITS_KIND else change.name
