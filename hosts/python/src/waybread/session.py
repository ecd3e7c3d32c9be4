"""One conversation's context: its results, their ids and the dedupe table."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from waybread import _convert as convert
from waybread._component import Instance, load
from waybread._imports import SessionImports
from waybread.errors import ClosedError, ReentryError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from typing_extensions import Self

    from waybread.filesystem import FileSystem
    from waybread.storage import Storage
    from waybread.values import Inserted, LastRead, Outcome, Settings, ToolCall

_COMPONENT = "waybread.wasm"
_INTERFACE = "waybread:context/context@0.1.0"


class Session:
    """A session, opened with `Session.open`.

    A call that raises has changed nothing. Threads may share a session: their calls wait for
    each other. "§" points into `context-hygiene` 3.2.0.
    """

    def __init__(
        self, key: str, settings: Settings, imports: SessionImports, limit: int | None
    ) -> None:
        self._key = convert.text("key", key)
        self._settings = settings
        self._imports = imports
        self._memory_limit = convert.limit(limit)
        self._lock = threading.Lock()
        self._user: int | None = None
        self._closed = False
        self._instance: Instance | None = None
        self._resource: Any = None

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
                the same kind, and the same overrides or none.
            storage: Where the session is kept.
            filesystem: The files that it reads.
            memory_limit: How many bytes the session may hold in memory; None for the 4 GiB that
                WebAssembly allows. A call that needs more raises `TrappedError`.

        Raises:
            InvalidArgumentError: An empty key, or a root that is not absolute.
            InvalidSettingError: An override that is unknown, of the wrong type or out of range.
            SettingsDifferError: The session began with another kind or other overrides.
            RecordError: The log was written by a newer version, or is damaged.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        session = cls(key, settings, SessionImports(storage, filesystem), memory_limit)
        session.reopen()
        return session

    def insert_result(self, call: ToolCall, outcome: Outcome) -> Inserted:
        """Give a tool call's outcome its id, apply §1 to §6, store the full text.

        Returns:
            What goes to the model.

        Raises:
            InvalidArgumentError: An empty call id, path or set of changes.
            CallAnsweredError: The call has its result already.
            FileSystemError: A read failed for a reason that is not the model's.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        arguments = convert.tool_call(call), convert.outcome(outcome)
        return convert.inserted(self._call("insert-result", *arguments))

    def recall(
        self,
        call: ToolCall,
        id: str,
        *,
        offset: int | None = None,
        limit: int | None = None,
    ) -> Inserted:
        """Answer the model's `recall` (§4): a stored result again, from line `offset`.

        The answer is itself a result. An id that was never given is no error: the model is told.

        Args:
            call: The recall's own call.
            id: The result's id, with or without `#`, in either case, zeros in front or not.
            offset: The first line to show, from 1. 0 and None read as 1.
            limit: How many lines to show, 2000 at most and by default.

        Raises:
            WaybreadError: As `insert_result`.
        """
        arguments = (
            convert.tool_call(call),
            convert.text("id", id),
            convert.number("offset", offset),
            convert.number("limit", limit),
        )
        return convert.inserted(self._call("recall", *arguments))

    def stored_text(self, id: str) -> str:
        """Return a stored result in full, for programs: nothing is inserted.

        Raises:
            UnknownIdError: The session never gave that id.
            StorageError: The storage failed.
        """
        answer: str = self._call("stored-text", convert.text("id", id))
        return answer

    def last_read(self, path: str) -> LastRead | None:
        """Return the newest full read of a file, for tools that insist on one before a change.

        None if there was none or nothing is there. A file has one identity, whatever its name.

        Raises:
            InvalidArgumentError: An empty path.
            FileSystemError: The filesystem failed.
        """
        answer = self._call("last-read", convert.text("path", path))
        return None if answer is None else convert.last_read(answer)

    def resolve_path(self, path: str) -> str:
        """Return the absolute path that a path in a call means (§11). Nothing is looked up.

        Raises:
            InvalidArgumentError: An empty path.
        """
        answer: str = self._call("resolve-path", convert.text("path", path))
        return answer

    def reopen(self) -> None:
        """Open the session again from its storage, and take in what other writers appended.

        Raises:
            WaybreadError: As `open`.
        """
        with self._used():
            self._drop()
            self._instance_and_resource()

    def close(self) -> None:
        """Free the memory. What was inserted is in the storage. Closing twice is fine."""
        with suppress(ClosedError), self._used():
            self._closed = True
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, method: str, *arguments: object) -> Any:
        with self._used():
            instance, resource = self._instance_and_resource()
            return self._answer(instance, f"[method]session.{method}", resource, *arguments)

    def _instance_and_resource(self) -> tuple[Instance, Any]:
        """The open session; opened from storage where a trap took the last one."""
        if self._instance is None:
            settings = convert.settings(self._settings)
            instance = Instance(load(_COMPONENT, _INTERFACE), self._imports, self._memory_limit)
            self._resource = self._answer(instance, "[static]session.open", self._key, settings)
            self._instance = instance
        return self._instance, self._resource

    def _answer(self, instance: Instance, function: str, *arguments: object) -> Any:
        """The function's answer, or its error raised."""
        self._imports.begin()
        stopped = True
        try:
            case, answer = instance.call(function, *arguments)
            stopped = False
        finally:
            # Stopped half-way it can't be used again, and it may be behind its storage.
            if stopped or self._imports.uncertain:
                self._drop()
        if self._imports.interrupted:
            raise self._imports.interrupted
        if case == "err":
            raise convert.session_error(answer) from self._imports.failed
        return answer

    def _drop(self) -> None:
        instance, self._instance, self._resource = self._instance, None, None
        if instance is not None:
            instance.close()

    @contextmanager
    def _used(self) -> Iterator[None]:
        """The session held by this thread; a store may not be entered twice."""
        if self._user == threading.get_ident():
            raise ReentryError("a session's storage and filesystem can't use the session itself")
        with self._lock:
            if self._closed:
                raise ClosedError(f"the session `{self._key}` is closed")
            self._user = threading.get_ident()
            try:
                yield
            finally:
                self._user = None
