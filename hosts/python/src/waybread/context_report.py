"""What fills a window, part by part (`docs/assembly.md`, "What fills the window")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybread.pressure import Pressure


class ContextKind(str, Enum):
    """What a part of a request is."""

    SYSTEM = "system"

    FRONT = "front"
    """Texts of the user zone that the prompt put in front."""

    TOOLS = "tools"
    SKILLS = "skills"
    SUMMARY = "summary"
    PERSON = "person"
    MACHINE = "machine"
    SUBAGENT = "subagent"
    NOTES = "notes"

    REPLIES = "replies"
    """The model's words."""

    REASONING = "reasoning"
    CALLS = "calls"

    RESULTS = "results"
    """Results of one tool."""

    FRAMING = "framing"
    """Model, parameters and the JSON around everything."""


@dataclass(frozen=True)
class ContextPart:
    """A part of a request.

    Attributes:
        kind: What it is.
        name: A source's, a tool's or a skill's name; empty for the others.
        count: How many there are.
        bytes: Bytes in the body. Those of all parts add up to the body's length.
        tokens: Estimated, and calibrated like the request's. Those of all parts may differ from
            it by rounding.
    """

    kind: ContextKind
    name: str
    count: int
    bytes: int
    tokens: int


@dataclass(frozen=True)
class BigResult:
    """One of the largest results in a request.

    Attributes:
        id: The result's id, `#0012`.
        tool: The tool's name, as it was called.
        bytes: Bytes in the body.
        tokens: Estimated, and calibrated like the request's.
    """

    id: str
    tool: str
    bytes: int
    tokens: int


@dataclass(frozen=True)
class ContextReport:
    """What fills the window.

    Attributes:
        bytes: The body's length in bytes.
        pressure: How full the window is.
        parts: In the order of the document's table.
        biggest: The largest results, the largest first, at most `report.biggest` of them.
    """

    bytes: int
    pressure: Pressure
    parts: tuple[ContextPart, ...]
    biggest: tuple[BigResult, ...]
