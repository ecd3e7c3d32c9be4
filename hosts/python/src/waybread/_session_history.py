"""The part of a session that tells what a compaction left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import compaction as convert
from waybread._convert.messages import stored_message
from waybread._files import replace

if TYPE_CHECKING:
    import os

    from waybread._handle import Handle
    from waybread.compaction import ContextState, Generation
    from waybread.messages import StoredMessage


class History:
    """Generations, the history archive, and what is worth keeping (`docs/compaction.md`)."""

    _handle: Handle

    def lineage(self) -> list[Generation]:
        """Return the generations of the conversation, oldest first; the last one is active."""
        return [convert.generation(one) for one in self._handle.look("lineage")]

    def generation(self, number: int) -> list[StoredMessage]:
        """Return the messages of a generation, as they were when it ended.

        Those of the active one are what `conversation` returns.

        Args:
            number: The generation's number, from 1.

        Raises:
            UnknownGenerationError: The session has no such generation.
            StorageError: The storage failed.
        """
        answer = self._handle.call("generation", given.number("number", number))
        return [stored_message(message) for message in answer]

    def history(self) -> str:
        """Return what summaries stand for, as Markdown, oldest first ("The history archive").

        Empty where there is none: nothing was compacted, or `archive.keep` is `none`.

        Raises:
            StorageError: The storage failed.
        """
        answer: str = self._handle.call("history")
        return answer

    def write_history(self, path: str | os.PathLike[str]) -> bool:
        """Write the history archive to a file, in UTF-8, in place of what the file held.

        A reader finds the old file or the new one, never a part. The archive is whole each time,
        so a file that was lost comes back.

        Args:
            path: The file, in a folder that is there.

        Returns:
            Whether there was anything to write: of an empty history nothing is.

        Raises:
            StorageError: The storage failed.
            OSError: The file could not be written.
        """
        history = self.history()
        if history:
            replace(path, history)
        return bool(history)

    def context_state(self) -> ContextState:
        """Return what is worth keeping of the session beside its conversation.

        As `docs/compaction.md` says under "State beside the conversation".
        """
        return convert.context_state(self._handle.look("context-state"))
