"""Answers as a transcript has them: by the contract's names, in its order."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from waybread import (
    Added,
    ConflictError,
    Denied,
    Full,
    Inserted,
    OtherFault,
    OutOfOrderError,
    Request,
    StorageError,
    UnknownIdError,
    UnknownMessageError,
    UnknownRequestError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread import StorageFault, WaybreadError


def answer(given: Any) -> dict[str, Any]:
    """A step's answer under its name."""
    match given:
        case Inserted():
            return {"inserted": value(given)}
        case Added():
            return {
                "added": {**value(given), "calls": [_call(call) for call in value(given.calls)]}
            }
        case Request():
            fields = value(given)
            del fields["tail"], fields["body"]
            return {"request": {**fields, "body": str(given.body)}}
    return {"value": value(given)}


def value(given: Any) -> Any:
    """An answer, or a part of one, as JSON."""
    if isinstance(given, Enum):
        return given.value
    if isinstance(given, list | tuple):
        return [value(item) for item in given]
    if is_dataclass(given):
        return _contract_names(vars(given))
    return given


def failure(error: WaybreadError) -> dict[str, Any]:
    """A `session-error`."""
    return {"error": {"cause": error.cause, "message": str(error), "payload": _payload(error)}}


def _call(call: dict[str, Any]) -> dict[str, Any]:
    """A reply's call, which is one record in a transcript."""
    return {**call["call"], "refused": call["refused"]}


def _payload(error: WaybreadError) -> Any:
    match error:
        case ConflictError():
            return error.length
        case UnknownIdError():
            return error.id
        case UnknownMessageError() | UnknownRequestError():
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
        case OtherFault():
            return {"tag": "other", "value": fault.words}
    raise ValueError(f"no case brings about {fault!r}")


def _contract_names(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value(field) for name, field in fields.items()}
