"""The system prompt and its checks (§10.1, §10.2, §11; requests: The system prompt)."""

from __future__ import annotations

from dataclasses import dataclass

from .casefile import Json, expand
from .clock import names_moment
from .errors import invalid_argument
from .naming import Places, below
from .rules import Rules
from .thinking import is_blank

INSTRUCTIONS = ("global-instructions", "project-instructions")
OWN_WORDS = ("preamble", "phase-prompt")
"""Parts that are the harness's own words."""
NAMED = ("mode", "memory", "instructions", "mcp-instructions")


@dataclass(frozen=True)
class Source:
    """A source of the system prompt."""

    part: str
    name: str
    text: str


@dataclass(frozen=True)
class Change:
    """The value that something has."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """What the system prompt is made of, and what it tells."""

    sources: tuple[Source, ...] = ()
    told: tuple[Change, ...] = ()

    @property
    def session_date(self) -> Source | None:
        """The source that tells the date; a blank one is none."""
        dates = (source for source in self.sources if source.part == "session-date")
        return next((source for source in dates if not is_blank(source.text)), None)


def prompt_of(given: Json) -> Prompt:
    """A prompt in the cases' form."""
    sources = (
        Source(one["part"], one.get("name", ""), expand(one["text"]))
        for one in given.get("sources", [])
    )
    return Prompt(tuple(sources), tuple(map(change_of, given.get("told", []))))


def change_of(given: Json) -> Change:
    """A change in the cases' form; the newlines at its end are no part of it."""
    text = expand(given.get("text", "")).rstrip("\n")
    return Change(given["kind"], given.get("name", ""), text)


def check_prompt(prompt: Prompt, argument: str, places: Places, rules: Rules) -> None:
    """Raises `SessionError` for what no prompt may say."""
    for position, source in enumerate(prompt.sources):
        place = f"{argument}.sources[{position}]"
        if source.part in INSTRUCTIONS:
            if source.name == "":
                raise invalid_argument(f"{place}.name")
            continue
        if source.part not in OWN_WORDS:
            continue
        if places.names_machine(source.name):
            raise invalid_argument(f"{place}.name")
        dated = rules.value("prompt.dates") == "refuse" and names_moment(source.text)
        if places.names_machine(source.text) or dated:
            raise invalid_argument(f"{place}.text")
    for position, change in enumerate(prompt.told):
        check_change(change, f"{argument}.told[{position}]", places)


def check_change(change: Change, argument: str, places: Places) -> None:
    """Raises `SessionError` for a name that is missing, or a path of the machine in it."""
    if change.kind in NAMED and change.name == "":
        raise invalid_argument(f"{argument}.name")
    is_path = change.kind in ("memory", "instructions")
    if not is_path and places.names_machine(change.name):
        raise invalid_argument(f"{argument}.name")
    if change.kind == "mode" and (
        change.text.strip("\n") == "" or places.names_machine(change.text)
    ):
        raise invalid_argument(f"{argument}.text")


def start_below(places: Places, start: str | None) -> str:
    """The start directory relative to the root, empty for the root. Raises `SessionError`."""
    inside = "" if start is None else below(places.absolute(start), places.root)
    if inside is None:
        raise invalid_argument("settings.start")
    return inside
