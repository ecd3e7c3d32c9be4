"""How far a random conversation has come, and how its steps are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

from reference.casefile import Json

from .generate import named


@dataclass
class Course:
    """How far a conversation has come, as far as its steps foretell it."""

    dialect: str
    ids: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    messages: int = 0
    failing: bool = False
    subagents: int = 0


Make = Callable[[st.DrawFn, Course], list[Json]]
"""Draws steps that belong together."""


def do(name: str, /, **choices: st.SearchStrategy[Json]) -> Make:
    """A step whose fields are drawn each for itself."""
    fields = st.fixed_dictionaries(choices)
    return lambda draw, _: [named(do=name, **draw(fields))]
