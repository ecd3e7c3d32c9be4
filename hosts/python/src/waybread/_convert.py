"""Values of this package to values of the component, and back."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from waybread import errors
from waybread._text import scalar_values
from waybread.storage import Conflict, Denied, Full, NotFound, OtherFault
from waybread.values import (
    Changes,
    Failure,
    FileChange,
    Inserted,
    Kind,
    LastRead,
    Output,
    Read,
    Settings,
    ToolCall,
    Treatment,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybread.errors import WaybreadError
    from waybread.storage import StorageFault
    from waybread.values import Outcome

U32_MAX = 2**32 - 1


def text(name: str, value: object) -> str:
    """An argument that must be a text."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a str, not {type(value).__name__}")
    return scalar_values(value)


def _path(name: str, value: object) -> str:
    return text(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def _optional_text(name: str, value: object) -> str | None:
    return None if value is None else text(name, value)


def number(name: str, value: object) -> int | None:
    """An argument that may be a whole number of 32 bits."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be an int or None, not {type(value).__name__}")
    if not 0 <= value <= U32_MAX:
        raise invalid_argument(name, f"is {value}; it must be from 0 to {U32_MAX}")
    return value


def limit(value: object) -> int | None:
    """A limit in bytes, or None for none."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise TypeError(f"`memory_limit` must be an int or None, not {type(value).__name__}")
    if value is not None and value < 1:
        raise invalid_argument("memory_limit", f"is {value}; it must be at least 1")
    return value


def _must_be(type_: type, name: str, value: object) -> None:
    if not isinstance(value, type_):
        raise TypeError(f"`{name}` must be a {type_.__name__}, not {type(value).__name__}")


def invalid_argument(name: str, problem: str) -> errors.InvalidArgumentError:
    """The error of an argument that cannot even be handed to the component."""
    return errors.InvalidArgumentError(f"argument `{name}` {problem}", name, problem)


def hashed(content: str | bytes) -> dict[str, Any]:
    """A content with the SHA-256 of its bytes."""
    data = content if isinstance(content, bytes) else scalar_values(content).encode()
    return {"content": _content(content), "sha256": hashlib.sha256(data).hexdigest()}


def settings(given: Settings) -> dict[str, Any]:
    """`settings`."""
    _must_be(Settings, "settings", given)
    return {
        "kind": _kind(given.kind),
        "root": _path("settings.root", given.root),
        "home": None if given.home is None else _path("settings.home", given.home),
        "overrides": _json("settings.overrides", given.overrides),
    }


def _kind(value: object) -> str:
    kinds = [kind.value for kind in Kind]
    if not isinstance(value, str):
        raise TypeError(f"`settings.kind` must be a Kind, not {type(value).__name__}")
    if value not in kinds:
        raise invalid_argument("settings.kind", f"is `{value}`; it must be {' or '.join(kinds)}")
    return Kind(value).value


def tool_call(call: ToolCall) -> dict[str, Any]:
    """`tool-call`."""
    _must_be(ToolCall, "call", call)
    return {
        "id": text("call.id", call.id),
        "name": text("call.name", call.name),
        "arguments": _json("call.arguments", call.arguments),
    }


def outcome(given: Outcome) -> tuple[str, Any]:
    """`outcome`."""
    match given:
        case Read():
            return ("read", _read_request(given))
        case Changes():
            return ("changes", _change_set(given))
        case Output():
            return ("output", text("output", given.text))
        case Failure():
            return ("failure", text("failure", given.message))
    raise TypeError(f"an outcome is a Read, Changes, Output or Failure, not {type(given).__name__}")


def inserted(answer: dict[str, Any]) -> Inserted:
    """`inserted`."""
    fields = _python_names(answer)
    return Inserted(**{**fields, "treatment": Treatment(fields["treatment"])})


def last_read(answer: dict[str, Any]) -> LastRead:
    """`last-read`."""
    return LastRead(**_python_names(answer))


def session_error(answer: dict[str, Any]) -> WaybreadError:
    """The exception of a `session-error`."""
    message, (cause, payload) = answer["message"], answer["cause"]
    if cause == "storage":
        return errors.StorageError(message, payload["operation"], _storage_fault(*payload["error"]))
    fields = payload.values() if isinstance(payload, dict) else (payload,)
    return _ERRORS[cause](message, *fields)


def _python_names(fields: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in fields.items()}


# Each takes the message and the payload's fields in the contract's order.
_ERRORS: dict[str, Callable[..., WaybreadError]] = {
    error.cause: error
    for error in (
        errors.InvalidArgumentError,
        errors.InvalidSettingError,
        errors.SettingsDifferError,
        errors.CallAnsweredError,
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
    return OtherFault(payload)


def _read_request(read: Read) -> dict[str, Any]:
    _must_be(bool, "read.force", read.force)
    return {
        "path": text("read.path", read.path),
        "offset": number("read.offset", read.offset),
        "limit": number("read.limit", read.limit),
        "force": read.force,
    }


def _list(name: str, value: object) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"`{name}` must be a sequence of FileChange, not {type(value).__name__}")
    return list(value)


def _change_set(changes: Changes) -> dict[str, Any]:
    listed = _list("changes.files", changes.files)
    files = [_file_change(f"changes.files[{n}]", file) for n, file in enumerate(listed)]
    return {"files": files, "note": _optional_text("changes.note", changes.note)}


def _file_change(name: str, file: FileChange) -> dict[str, Any]:
    _must_be(FileChange, name, file)
    return {
        "path": text(f"{name}.path", file.path),
        "before": None if file.before is None else _content(_side(f"{name}.before", file.before)),
        "after": None if file.after is None else hashed(_side(f"{name}.after", file.after)),
    }


def _side(name: str, content: object) -> str | bytes:
    if not isinstance(content, str | bytes):
        raise TypeError(f"`{name}` must be a str, bytes or None, not {type(content).__name__}")
    return content


def _content(content: str | bytes) -> tuple[str, str | int]:
    """`content`: a text, or the size of bytes that are none."""
    if isinstance(content, str):
        return ("text", scalar_values(content))
    try:
        return ("text", content.decode())
    except UnicodeDecodeError:
        return ("binary", len(content))


def _json(name: str, value: Mapping[str, object] | str) -> str:
    """JSON as it was given, or a mapping as compact JSON in its own order."""
    if not isinstance(value, Mapping):
        return text(name, value)
    try:
        spelled = json.dumps(
            dict(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid_argument(name, f"cannot be written as JSON: {error}") from error
    return scalar_values(spelled)
