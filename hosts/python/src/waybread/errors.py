"""What a session's call can raise.

Every exception of this package is a `WaybreadError`. Where the component refused a call there is
one class for each `cause` of `wit/context.wit`, with that cause's fields; its text is the
component's own sentence, the same in every host. A call that raises one changed nothing, unless it
is a `StorageError` whose fault is `Uncertain`.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybread.storage import StorageFault


class WaybreadError(Exception):
    """Anything that went wrong in this package."""

    cause: ClassVar[str | None] = None
    """The name in `wit/context.wit`, and `trapped`; None for what only this host can meet."""

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied, and crosses to another process: with its fields and what caused it."""
        state = {**self.__dict__, "__cause__": _crossing(self.__cause__)}
        return _remade, (type(self), self.args), state


def _remade(kind: type[WaybreadError], args: tuple[object, ...]) -> WaybreadError:
    """An error without its fields: a constructor takes them one by one, and each its own."""
    error = kind.__new__(kind)
    error.args = args
    return error


def _crossing(cause: BaseException | None) -> BaseException | None:
    """What caused an error, if it can be copied: a pool waits for ever for an error that can't."""
    try:
        pickle.loads(pickle.dumps(cause))  # noqa: S301 - what was made a moment ago
    except Exception:  # noqa: BLE001 - anybody's class, and anything it does
        return None
    return cause


class InvalidArgumentError(WaybreadError):
    """An argument that no session accepts.

    Attributes:
        argument: The argument, by its path in the contract: `call.id`, `changes.files[2].path`.
        problem: What is wrong with it.
    """

    cause = "invalid-argument"

    def __init__(self, message: str, argument: str, problem: str) -> None:
        super().__init__(message)
        self.argument = argument
        self.problem = problem


class InvalidSettingError(WaybreadError):
    """A setting that is unknown, of the wrong type, out of range or at odds with another.

    Attributes:
        key: The setting's dotted name: `context.cap.head_lines`.
        problem: What is wrong with it.
    """

    cause = "invalid-setting"

    def __init__(self, message: str, key: str, problem: str) -> None:
        super().__init__(message)
        self.key = key
        self.problem = problem


class SettingsDifferError(WaybreadError):
    """A setting given at a later open that is not what the session began with.

    Attributes:
        name: `kind`, `dialect` or `overrides`.
        kept: What the session began with.
        given: What was given now.
    """

    cause = "settings-differ"

    def __init__(self, message: str, name: str, kept: str, given: str) -> None:
        super().__init__(message)
        self.name = name
        self.kept = kept
        self.given = given


class CallAnsweredError(WaybreadError):
    """A second result for one call.

    Attributes:
        call: The call's id.
        id: The id of the result that it has.
    """

    cause = "call-answered"

    def __init__(self, message: str, call: str, id: str) -> None:
        super().__init__(message)
        self.call = call
        self.id = id


class UnknownCallError(WaybreadError):
    """A result for a call that is not open.

    Attributes:
        call: The call's id.
        open: The ids of the calls that are open.
    """

    cause = "unknown-call"

    def __init__(self, message: str, call: str, open: Iterable[str]) -> None:
        super().__init__(message)
        self.call = call
        self.open = tuple(open)


class UnknownMessageError(WaybreadError):
    """No message of the conversation has this number.

    Attributes:
        number: The number.
    """

    cause = "unknown-message"

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


class UnknownRequestError(WaybreadError):
    """No request of the session has this number.

    Attributes:
        number: The number.
    """

    cause = "unknown-request"

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


class UnknownGenerationError(WaybreadError):
    """The session has no generation of this number.

    Attributes:
        number: The number.
    """

    cause = "unknown-generation"

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


class OutOfOrderError(WaybreadError):
    """The call does not fit what the session is or where it stands.

    Attributes:
        problem: Why.
    """

    cause = "out-of-order"

    def __init__(self, message: str, problem: str) -> None:
        super().__init__(message)
        self.problem = problem


class UnknownIdError(WaybreadError):
    """`stored_text` was asked for an id that the session never gave.

    Attributes:
        id: The id.
    """

    cause = "unknown-id"

    def __init__(self, message: str, id: str) -> None:
        super().__init__(message)
        self.id = id


class RecordError(WaybreadError):
    """A record of the log that this version cannot use.

    Attributes:
        position: Its position in the log, from 0.
        problem: What is wrong with it.
    """

    def __init__(self, message: str, position: int, problem: str) -> None:
        super().__init__(message)
        self.position = position
        self.problem = problem


class NewerRecordError(RecordError):
    """A record written by a newer version. Nothing of the session is used."""

    cause = "newer-record"


class DamagedRecordError(RecordError):
    """Not a record, or one that does not fit the records before it."""

    cause = "damaged-record"


class ConflictError(WaybreadError):
    """Another writer appended to this session, and `Session.reopen` carries on.

    Of `Session.fork`: there is a session of the new key.

    Attributes:
        length: The length of the log now, in records.
    """

    cause = "conflict"

    def __init__(self, message: str, length: int) -> None:
        super().__init__(message)
        self.length = length


class StorageError(WaybreadError):
    """A storage call that failed. Where the storage raised, that exception is `__cause__`.

    Attributes:
        operation: `append`, `read-log` or `read-text`.
        fault: Why.
    """

    cause = "storage"

    def __init__(self, message: str, operation: str, fault: StorageFault) -> None:
        super().__init__(message)
        self.operation = operation
        self.fault = fault


class FileSystemError(WaybreadError):
    """A file that could not be read for a reason no model can act on.

    Where the filesystem raised, that exception is `__cause__`.

    Attributes:
        path: The absolute path.
        problem: Why.
    """

    cause = "filesystem"

    def __init__(self, message: str, path: str, problem: str) -> None:
        super().__init__(message)
        self.path = path
        self.problem = problem


class TrappedError(WaybreadError):
    """The component stopped in the middle of a call, for want of memory for example.

    Nothing that was inserted before is lost: the next call opens the session again from storage.
    The call that trapped was inserted in full or not at all; made again, it says which.
    """

    cause = "trapped"


class ClosedError(WaybreadError):
    """A session was used after it was closed."""


class ReentryError(WaybreadError):
    """A session was used by its own storage or filesystem, in the middle of one of its calls."""
