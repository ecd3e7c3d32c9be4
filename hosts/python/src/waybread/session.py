"""One conversation's context: its messages, its results with their ids, and its requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert.arguments import limit, text
from waybread._convert.settings import settings as converted
from waybread._handle import Handle
from waybread._imports import SessionImports
from waybread._session_compaction import Compactions
from waybread._session_conversation import Conversation
from waybread._session_history import History
from waybread._session_prefix import Front
from waybread._session_results import Results

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from waybread.filesystem import FileSystem
    from waybread.settings import Settings
    from waybread.storage import Storage


class Session(Conversation, Results, Front, Compactions, History):
    """A session, opened with `Session.open`.

    A call that raises has changed nothing. Threads may share a session: their calls wait for
    each other. "§" points into `context-hygiene` 3.2.0.
    """

    def __init__(self, handle: Handle) -> None:
        """A session that is open; `Session.open` makes one."""
        self._handle = handle

    @classmethod
    def open(
        cls,
        key: str,
        settings: Settings,
        *,
        storage: Storage,
        filesystem: FileSystem,
        memory_limit: int | None = None,
    ) -> Self:
        """Begin the session `key`, or carry on one that any host began.

        Numbering continues, answered calls stay answered.

        Args:
            key: The session's name in the storage, not empty.
            settings: What is fixed when a session begins. A session carried on must be given
                the same kind and dialect, and the same overrides or none.
            storage: Where the session is kept.
            filesystem: The files that it reads.
            memory_limit: How many bytes the session may hold in memory; None for the 4 GiB that
                WebAssembly allows. A call that needs more raises `TrappedError`.

        Raises:
            InvalidArgumentError: An empty key, a root that is not absolute, a tool twice, or a
                prompt that §10 or §11 refuses.
            InvalidSettingError: An override that is unknown, of the wrong type or out of range.
            SettingsDifferError: The session began with another kind, dialect or other overrides.
            RecordError: The log was written by a newer version, or is damaged.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        handle = Handle(
            text("key", key),
            converted(settings),
            SessionImports(storage, filesystem),
            limit(memory_limit),
        )
        handle.reopen()
        return cls(handle)

    def reopen(self) -> None:
        """Open the session again from its storage, and take in what other writers appended.

        Raises:
            WaybreadError: As `open`.
        """
        self._handle.reopen()

    def close(self) -> None:
        """Free the memory. What was inserted is in the storage. Closing twice is fine."""
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
