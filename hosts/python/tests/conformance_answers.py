"""Answers as a transcript has them: by the contract's names, in its order."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from waybread import (
    Added,
    Compacted,
    ConflictError,
    Denied,
    Full,
    Inserted,
    NotApplied,
    OtherFault,
    OutOfOrderError,
    ReplyCall,
    Request,
    StorageError,
    SummaryRequest,
    Uncertain,
    UnknownGenerationError,
    UnknownIdError,
    UnknownMessageError,
    UnknownRequestError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread import StorageFault, WaybreadError


def answer(given: Any) -> dict[str, Any]:
    """A step's answer under its name."""
    return {_NAMES.get(type(given), "value"): value(given)}


def value(given: Any) -> Any:
    """An answer, or a part of one, as JSON."""
    match given:
        case Enum():
            return given.value
        case list() | tuple():
            return [value(item) for item in given]
        case ReplyCall():
            # One record in a transcript.
            return {**value(given.call), "refused": value(given.refused)}
        case Request() | SummaryRequest():
            fields = _contract_names(vars(given))
            del fields["tail"], fields["body"]
            return {**fields, "body": str(given.body)}
    return _contract_names(vars(given)) if is_dataclass(given) else given


def failure(error: WaybreadError) -> dict[str, Any]:
    """A `session-error`."""
    return {"error": {"cause": error.cause, "message": str(error), "payload": _payload(error)}}


def _payload(error: WaybreadError) -> Any:
    match error:
        case ConflictError():
            return error.length
        case UnknownIdError():
            return error.id
        case UnknownMessageError() | UnknownRequestError() | UnknownGenerationError():
            return error.number
        case OutOfOrderError():
            return error.problem
        case StorageError():
            return {"operation": error.operation, "error": _fault(error.fault)}
    return value(vars(error))


def _fault(fault: StorageFault) -> dict[str, Any]:
    match fault:
        case Denied():
            return {"tag": "denied"}
        case Full():
            return {"tag": "full"}
        case Uncertain():
            return {"tag": "uncertain", "value": fault.words}
        case OtherFault():
            return {"tag": "other", "value": fault.words}
    raise ValueError(f"no case brings about {fault!r}")


def _contract_names(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value(field) for name, field in fields.items()}


_NAMES = {
    Inserted: "inserted",
    Added: "added",
    Request: "request",
    SummaryRequest: "summary-request",
    Compacted: "compacted",
    NotApplied: "not-applied",
}
