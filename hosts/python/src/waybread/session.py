"""One conversation's context: its messages, its results with their ids, and its requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert.arguments import key as session_key
from waybread._convert.arguments import limit, must_read, must_store
from waybread._convert.settings import delegation
from waybread._convert.settings import settings as converted
from waybread._handle import Handle
from waybread._imports import SessionImports
from waybread._opening import Opening
from waybread._session_compaction import Compactions
from waybread._session_conversation import Conversation
from waybread._session_delegates import Delegates
from waybread._session_history import History
from waybread._session_inspection import Inspection
from waybread._session_prefix import Front
from waybread._session_results import Results
from waybread._session_skills import Skills
from waybread.assembly import Assembly
from waybread.settings import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from typing_extensions import Self

    from waybread.filesystem import FileSystem
    from waybread.settings import Settings
    from waybread.storage import Storage

_NO_PROMPT = Prompt()
_NO_ASSEMBLY = Assembly()


class Session(Conversation, Results, Front, Skills, Delegates, Compactions, History, Inspection):
    """A session, opened with `Session.open`.

    A call that raises has changed nothing, unless the fault of its `StorageError` is `Uncertain` or
    Python raised in the middle of it (Ctrl-C): then it was done whole or not at all.

    Threads may share a session: their calls wait for each other. "§" points into
    `context-hygiene` 3.2.0.
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
        must_store("storage", storage)
        must_read("filesystem", filesystem)
        handle = Handle(
            Opening(session_key("key", key), converted(settings)),
            SessionImports(storage, filesystem),
            limit(memory_limit),
        )
        handle.reopen()
        return cls(handle)

    def delegate(
        self,
        key: str,
        kind: str,
        *,
        prompt: Prompt | str = _NO_PROMPT,
        assembly: Assembly = _NO_ASSEMBLY,
        only_tools: Sequence[str] | None = None,
    ) -> Self:
        """Give a part of the work to a subagent, and return its session.

        It has this session's storage, files, memory limit, dialect, kind, root, home, overrides and
        session date, and none of its messages. Both can be used at once, and each is to be closed.
        Its answer is given to this session as the outcome `Delegated` of the call that asked for
        it. `docs/assembly.md` has the rules ("Subagents").

        Args:
            key: The key of its session: a new one's, one's that this session delegated before (a
                follow-up), or one's that holds nothing but the opening that it would get. One line
                without control characters, `<` and `;`, like `kind`.
            kind: What kind of subagent it is.
            prompt: Its prompt; a text is one source, the preamble. What this session's is made of
                is not inherited, but for the session's date. A follow-up that gives none keeps the
                prompt that the subagent has.
            assembly: What is read for its prompt: this session's is not inherited. A follow-up that
                gives none keeps what the subagent has.
            only_tools: The tools that it is offered, of this session's. None: all. A follow-up goes
                on with the subagent's own, and may leave out none of them.

        Raises:
            WaybreadError: As `open`.
            InvalidArgumentError: A key or kind that is no such line, this session's own key or
                another session's, or `only_tools` of a follow-up that leave out a tool that the
                subagent has.
            OutOfOrderError: The session has no dialect.
        """
        given = delegation(key, kind, prompt, assembly, only_tools)
        return type(self)(self._handle.delegate(given))

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
