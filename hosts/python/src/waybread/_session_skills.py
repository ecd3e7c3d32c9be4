"""The part of a session that deals with skills that come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import assembly as convert

if TYPE_CHECKING:
    from waybread._handle import Handle
    from waybread.skills import SkillState, SkillTruncated


class Skills:
    """Skills, told ahead of the next message (`docs/assembly.md`, "Skills that come and go").

    Nothing that was sent changes. A session needs a dialect for it.
    """

    _handle: Handle

    def enable_skill(self, name: str, text: str | None = None) -> SkillTruncated | None:
        """Switch a skill on: its text goes ahead of the next person's message that starts a turn.

        A skill that is on already keeps its place and takes the new text.

        Args:
            name: The skill's name, not empty.
            text: What the model is to read. None: `NAME/SKILL.md` in the first of the assembly's
                skill roots that has it.

        Returns:
            What was cut of the text; None if nothing was.

        Raises:
            InvalidArgumentError: An empty name, or a skill that no root has.
            FileSystemError: The filesystem failed.
            OutOfOrderError: The session has no dialect.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        arguments = given.text("name", name), given.optional(given.text, "text", text)
        return convert.skill_truncated(self._handle.call("enable-skill", *arguments))

    def disable_skill(self, name: str) -> None:
        """Switch a skill off: the next person's message that starts a turn says so.

        Raises:
            InvalidArgumentError: The skill is not on.
            OutOfOrderError: The session has no dialect.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        self._handle.call("disable-skill", given.text("name", name))

    def skills(self) -> list[SkillState]:
        """Return the skills that are on, in the order in which they were switched on.

        Then those that are off and of which the model was not told so yet.
        """
        return [convert.skill_state(state) for state in self._handle.look("skills")]
