"""What a call of the component failed with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread import errors
from waybread.storage import Conflict, Denied, Full, NotFound, OtherFault, Uncertain

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybread.errors import WaybreadError
    from waybread.storage import StorageFault


def session_error(answer: dict[str, Any]) -> WaybreadError:
    """The exception of a `session-error`."""
    message, (cause, payload) = answer["message"], answer["cause"]
    if cause == "storage":
        return errors.StorageError(message, payload["operation"], _storage_fault(*payload["error"]))
    fields = payload.values() if isinstance(payload, dict) else (payload,)
    return _ERRORS[cause](message, *fields)


# Each takes the message and the payload's fields in the contract's order.
_ERRORS: dict[str, Callable[..., WaybreadError]] = {
    error.cause: error
    for error in (
        errors.InvalidArgumentError,
        errors.InvalidSettingError,
        errors.SettingsDifferError,
        errors.CallAnsweredError,
        errors.UnknownCallError,
        errors.UnknownMessageError,
        errors.UnknownRequestError,
        errors.UnknownGenerationError,
        errors.OutOfOrderError,
        errors.UnknownIdError,
        errors.NewerRecordError,
        errors.DamagedRecordError,
        errors.ConflictError,
        errors.FileSystemError,
    )
}


def _storage_fault(case: str, payload: Any) -> StorageFault:
    match case:
        case "conflict":
            return Conflict(payload)
        case "not-found":
            return NotFound()
        case "denied":
            return Denied()
        case "full":
            return Full()
        case "uncertain":
            return Uncertain(payload)
    return OtherFault(payload)
