"""What a session reads into its prompt, and the blocks that the prompt is made of.

`docs/assembly.md` has the order, the zones and the budgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from waybread.settings import PromptPart


@dataclass(frozen=True)
class Assembly:
    """What the session itself looks for and reads, through its filesystem, for the prompt.

    Attributes:
        scope: A name for it, which changes nothing.
        instructions: Whether instruction files are looked for (`assembly.instruction_files`).
        context_files: Files of the project that go into the prompt, in this order: relative to the
            root, not out of it.
        ignore: Of those, what is left out: a whole relative path, its end, or a name.
        skill_roots: Folders that skills are looked for in; the first that has one counts. Relative
            to the root, absolute, or `~/…`.
        skills: Skills that are in the prompt for the whole session.
    """

    scope: str = ""
    instructions: bool = False
    context_files: Sequence[str | os.PathLike[str]] = ()
    ignore: Sequence[str] = ()
    skill_roots: Sequence[str | os.PathLike[str]] = ()
    skills: Sequence[str] = ()


class Zone(str, Enum):
    """Whose words a block of the prompt is."""

    SYSTEM = "system"
    USER = "user"


@dataclass(frozen=True)
class PromptBlock:
    """A block of the prompt as it was made.

    Attributes:
        part: What it was given or read as. None: a block of the session's own (environment,
            context, the frame of skills).
        name: As the prompt names it; the own blocks are `environment`, `context` and `skills`.
        zone: Where it stands.
        bytes: Bytes of its text in the prompt.
        given_bytes: Bytes of it as it was given or read.
        truncated: Whether its budget cut it; 0 bytes: there was nothing left of the budget.
    """

    part: PromptPart | None
    name: str
    zone: Zone
    bytes: int
    given_bytes: int
    truncated: bool
