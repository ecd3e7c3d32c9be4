"""What a session imports, made of a storage and a filesystem.

An exception that left one of these functions would stop the component for good, so each becomes
the error value that the contract has for it.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

from waybread._calls import Imports
from waybread._convert.arguments import U32_MAX
from waybread._convert.results import hashed
from waybread._text import scalar_values
from waybread.directory import MAX_BYTES
from waybread.filesystem import NotAFileError, UnreadableFileError
from waybread.storage import (
    Conflict,
    Denied,
    Full,
    NotFound,
    OtherFault,
    StorageFault,
    StoredText,
    Uncertain,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybread.filesystem import FileSystem
    from waybread.storage import Storage

    ErrorValue = tuple[str, Any]

_STORAGE = "waybread:context/storage@0.1.0"
_FILESYSTEM = "waybread:context/filesystem@0.1.0"


class SessionImports(Imports):
    """The imported functions of one session.

    Args:
        storage: Where it is kept.
        filesystem: The files that it reads.

    Attributes:
        failed: The exception of the last import that failed since `begin`.
        uncertain: Whether an append failed in a way that leaves open if it was written.
    """

    def __init__(self, storage: Storage, filesystem: FileSystem) -> None:
        self._storage = storage
        self._filesystem = filesystem
        super().__init__(
            {
                (_STORAGE, "append"): self._guarded(self._append, self._append_error),
                (_STORAGE, "read-log"): self._guarded(self._read_log, _storage_error),
                (_STORAGE, "read-text"): self._guarded(self._read_text, _storage_error),
                (_FILESYSTEM, "identify"): self._guarded(self._identify, _file_error),
                (_FILESYSTEM, "read"): self._guarded(self._read, _file_error),
            }
        )
        self.begin()

    def begin(self) -> None:
        """Forget what failed: a new call begins."""
        self.raised = None
        self.failed: BaseException | None = None
        self.uncertain = False

    def another(self) -> SessionImports:
        """The imports of another session on the same storage and files."""
        return SessionImports(self._storage, self._filesystem)

    def check(self) -> None:
        """Raise what failed, if it was no error but Ctrl-C or an exit."""
        if self.failed is not None and not isinstance(self.failed, Exception):
            raise self.failed

    def _guarded(
        self, function: Callable[..., Any], error_value: Callable[[BaseException], ErrorValue]
    ) -> Callable[..., Any]:
        def guarded(*arguments: Any) -> ErrorValue:
            try:
                return ("ok", function(*arguments))
            except BaseException as error:  # noqa: BLE001 - Ctrl-C too; the session raises it again
                self.failed = error
                return ("err", error_value(error))

        return guarded

    def _append(
        self, session: str, length: int, records: list[str], texts: list[dict[str, str]]
    ) -> None:
        self._storage.append(session, length, records, [StoredText(**text) for text in texts])

    def _append_error(self, error: BaseException) -> ErrorValue:
        """What is no known fault may have come after the append was written."""
        self.uncertain = isinstance(error, Uncertain) or not isinstance(error, StorageFault)
        case, payload = _storage_error(error)
        return ("uncertain" if self.uncertain else case, payload)

    def _read_log(self, session: str, start: int) -> list[str]:
        log = self._storage.read_log(session, start)
        if isinstance(log, str):
            raise TypeError("a log must be a sequence of str, not one str")
        return [_text(record) for record in log]

    def _read_text(self, session: str, id: str) -> str:
        return _text(self._storage.read_text(session, id))

    def _identify(self, path: str) -> str:
        return _text(self._filesystem.identify(path))

    def _read(self, path: str) -> dict[str, Any]:
        identity, content = self._filesystem.read(path)
        if not isinstance(content, bytes):
            raise TypeError(f"a file's content must be bytes, not {type(content).__name__}")
        if len(content) > MAX_BYTES:
            size = f"it has {len(content)} bytes, and at most {MAX_BYTES} can be read"
            raise UnreadableFileError(errno.EFBIG, size)
        return {"identity": _text(identity), "hashed": hashed(content)}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a str, not {type(value).__name__}")
    return scalar_values(value)


def _storage_error(error: BaseException) -> ErrorValue:
    case = "other"
    payload: Any = None
    match error:
        case Conflict() if _is_length(error.length):
            case, payload = "conflict", error.length
        case NotFound():
            case = "not-found"
        case Denied():
            case = "denied"
        case Full():
            case = "full"
        case OtherFault() | Uncertain() if isinstance(error.words, str):
            case = "uncertain" if isinstance(error, Uncertain) else "other"
            payload = scalar_values(error.words)
        case _:
            payload = _words(error)
    return (case, payload)


def _file_error(error: BaseException) -> ErrorValue:
    case: str
    payload: str | None = None
    match error:
        case FileNotFoundError() | NotADirectoryError():
            case = "not-found"
        case PermissionError():
            case = "denied"
        case IsADirectoryError():
            case = "is-directory"
        case NotAFileError():
            case = "not-a-file"
        case UnreadableFileError():
            case, payload = "unreadable", _system_words(error)
        case OSError():
            case, payload = "other", _system_words(error)
        case _:
            case, payload = "other", _words(error)
    return (case, payload)


def _system_words(error: OSError) -> str:
    """The system's words, which need no class name in front."""
    return scalar_values(_said(error.strerror or error)) or "OSError"


def _is_length(value: object) -> bool:
    """Whether a user's storage gave a length that the contract can hold."""
    return isinstance(value, int) and 0 <= value <= U32_MAX


def _words(error: BaseException) -> str:
    words = _said(error)
    name = type(error).__name__
    return scalar_values(f"{name}: {words}" if words else name)


def _said(value: object) -> str:
    """What a user's exception says, if it can say anything."""
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - even this is the user's code
        return ""
