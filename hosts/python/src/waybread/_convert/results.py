"""Tool calls, their outcomes, and results."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from waybread._convert.arguments import flag, items, must_be, number, optional, spelled, text
from waybread._convert.arguments import key as session_key
from waybread._text import scalar_values
from waybread.values import (
    Changes,
    Delegated,
    Failure,
    FileChange,
    Inserted,
    LastRead,
    Output,
    Read,
    ToolCall,
    Treatment,
)

if TYPE_CHECKING:
    from waybread.values import Outcome


def hashed(content: str | bytes) -> dict[str, Any]:
    """`hashed-content`: a content with the SHA-256 of its bytes."""
    data = content if isinstance(content, bytes) else scalar_values(content).encode()
    return {"content": _content(content), "sha256": hashlib.sha256(data).hexdigest()}


def tool_call(call: ToolCall) -> dict[str, Any]:
    """`tool-call`."""
    must_be(ToolCall, "call", call)
    return {
        "id": text("call.id", call.id),
        "name": text("call.name", call.name),
        "arguments": spelled("call.arguments", call.arguments),
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
        case Delegated():
            return ("delegated", _delegated(given))
    raise TypeError(
        f"an outcome is a Read, Changes, Output, Failure or Delegated, not {type(given).__name__}"
    )


def inserted(answer: dict[str, Any]) -> Inserted:
    """`inserted`."""
    return Inserted(**{**answer, "treatment": Treatment(answer["treatment"])})


def last_read(answer: dict[str, Any]) -> LastRead:
    """`last-read`."""
    return LastRead(**answer)


def _read_request(read: Read) -> dict[str, Any]:
    return {
        "path": text("read.path", read.path),
        "offset": optional(number, "read.offset", read.offset),
        "limit": optional(number, "read.limit", read.limit),
        "force": flag("read.force", read.force),
    }


def _change_set(changes: Changes) -> dict[str, Any]:
    return {
        "files": items(_file_change, "FileChange", "changes.files", changes.files),
        "note": optional(text, "changes.note", changes.note),
    }


def _delegated(given: Delegated) -> dict[str, str]:
    return {
        "key": session_key("delegated.key", given.key),
        "text": text("delegated.text", given.text),
    }


def _file_change(name: str, file: FileChange) -> dict[str, Any]:
    must_be(FileChange, name, file)
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
