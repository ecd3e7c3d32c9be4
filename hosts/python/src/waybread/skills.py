"""Skills that come and go during a session (`docs/assembly.md`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SkillChange:
    """A skill that was told to the model, or taken back if it is not `active`."""

    name: str
    active: bool


@dataclass(frozen=True)
class SkillState:
    """A skill, as the harness knows it.

    Attributes:
        name: The skill's name.
        enabled: Whether it is switched on.
        active: Whether the model was last told that it is active.
    """

    name: str
    enabled: bool
    active: bool


@dataclass(frozen=True)
class SkillTruncated:
    """A skill's text that was cut.

    Attributes:
        bytes: Bytes of its text.
        cap: The most of them that are sent (`assembly.skill_bytes`).
    """

    bytes: int
    cap: int
