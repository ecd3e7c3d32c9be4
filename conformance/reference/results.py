"""What goes into a session and what comes out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .assembly import Assembly
from .casefile import Json
from .errors import SessionError
from .prompt import Prompt
from .tools import Tool
from .tree import File

if TYPE_CHECKING:
    from .session import Session


@dataclass(frozen=True)
class Settings:
    """What is fixed when a session begins. Without a dialect only the first four count."""

    kind: str
    root: str
    home: str | None
    overrides: str
    dialect: str | None = None
    start: str | None = None
    prompt: Prompt = field(default_factory=Prompt)
    assembly: Assembly = field(default_factory=Assembly)
    tools: tuple[Tool, ...] = ()
    recall: bool = False
    vision: bool = True
    only_tools: tuple[str, ...] | None = None
    without_tools: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """A model's tool call."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Inserted:
    """A result as it was inserted; `problem` and `certain` as in `run.Answer`."""

    id: str
    text: str
    treatment: str
    refers_to: str | None
    chars_in: int
    problem: str | None = None
    certain: bool = True

    def as_json(self) -> Json:
        """The result as a transcript writes it."""
        return {
            "id": self.id,
            "text": self.text,
            "treatment": self.treatment,
            "refers-to": self.refers_to,
            "chars-in": self.chars_in,
            "chars-out": len(self.text),
        }


@dataclass(frozen=True)
class Read:
    """A read that was answered: in full, or by a stub that names an earlier one."""

    id: str
    path: str
    identity: str
    sha256: str
    lines: tuple[int, int]
    total: int
    stub_of: str | None = None
    is_cut: bool = False
    """Whether its one line is cut, and so not shown."""

    def is_of(self, file: File) -> bool:
        """Whether it showed this content of this file."""
        return (self.identity, self.sha256) == (file.identity, file.sha256)

    def holds(self, lines: tuple[int, int]) -> bool:
        """Whether every one of the lines was shown."""
        return not self.is_cut and self.lines[0] <= lines[0] and lines[1] <= self.lines[1]

    def with_cut(self) -> Read:
        """The same, of a line that is cut."""
        return replace(self, is_cut=True)


@dataclass(frozen=True)
class Search:
    """An output of a tool in `dedupe.by_result`, answered in full."""

    id: str
    key: Hashable
    text: str


@dataclass
class Storage:
    """The failure of an append, if there is to be one: `after` others that pass before it."""

    failure: Json = None
    after: int = 0
    sessions: dict[str, Session] = field(default_factory=dict)
    """The sessions that it holds, by their keys."""

    def append(self) -> None:
        """Raises the failure that was asked for, once."""
        if self.after > 0:
            self.after -= 1
            return
        failure, self.failure = self.failure, None
        if failure is not None:
            raise SessionError("storage", {"operation": "append", "error": failure})


@dataclass(frozen=True)
class Below:
    """What a result is shown from: its first line, what follows, and the cap that cut that."""

    head: str
    text: str
    cap: Json = None
    mark: str = ""
    """What says that the last line is cut."""


@dataclass
class Draft:
    """An answer before storage has taken it."""

    text: str
    stored: str
    treatment: str = "full"
    refers_to: str | None = None
    whole: str | None = None
    read: Read | None = None
    search: Search | None = None
    problem: str | None = None
    certain: bool = True
    body: Below | None = None
