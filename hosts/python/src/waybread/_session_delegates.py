"""The part of a session that deals with subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread.delegates import DelegateState

if TYPE_CHECKING:
    from waybread._handle import Handle


class Delegates:
    """What is known of those that `Session.delegate` gave work to (`docs/assembly.md`).

    A session needs a dialect for it.
    """

    _handle: Handle

    def delegate_progress(self, key: str, state: str) -> None:
        """Say how far a subagent is.

        Its state stands in the line of those whose results are still to come
        (`docs/compaction.md`). A state of `delegation.ended` ends it, and of one that has ended
        nothing more is told.

        Args:
            key: The key of its session.
            state: `running`, `queued`, `finished`, of those that end it `answered`, `failed`,
                `cancelled`, or other words, one line without control characters, `<` and `;`.

        Raises:
            InvalidArgumentError: The key was not delegated, or the state is no such line.
            OutOfOrderError: The session has no dialect.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        self._handle.call("delegate-progress", given.key("key", key), given.text("state", state))

    def delegates(self) -> list[DelegateState]:
        """Return the subagents, in the order in which they were first delegated."""
        return [DelegateState(**state) for state in self._handle.look("delegates")]
