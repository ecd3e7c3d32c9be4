"""Steps of a plan or a conformance case, performed on a session.

The steps are those of `conformance/README.md`; a plan (`docs/replay.md`) has three of them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from waybread.settings import Kind, Settings
from waybread.values import (
    Changes,
    Failure,
    FileChange,
    Outcome,
    Output,
    Read,
    ToolCall,
)

if TYPE_CHECKING:
    from waybread.memory_tree import MemoryTree

Step = Mapping[str, Any]
"""A step as its JSON has it."""

Text = Callable[[Any], str]
"""Makes a text of how the JSON spells one."""


def settings(given: Mapping[str, Any]) -> Settings:
    """The settings of a context or a case; what is left out has the cases' defaults."""
    return Settings(
        root=given.get("root", "/work/app"),
        kind=Kind(given.get("kind", "agent")),
        home=given.get("home"),
        overrides=given.get("overrides", {}),
    )


def tool_call(step: Step, default_id: str) -> ToolCall:
    """The call that a step answers."""
    arguments = step.get("arguments", "{}")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return ToolCall(step.get("call", default_id), step.get("tool", "tool"), arguments)


def outcome(step: Step, text: Text) -> Outcome:
    """What came of the call."""
    if "read" in step:
        return Read(**step["read"])
    if "output" in step:
        return Output(text(step["output"]))
    if "failure" in step:
        return Failure(text(step["failure"]))
    changes = step["changes"]
    note = changes.get("note")
    files = [_file_change(file, text) for file in changes["files"]]
    return Changes(files, None if note is None else text(note))


def write_file(tree: MemoryTree, path: str, content: Any, text: Text) -> None:
    """Put what a case calls a file into the tree."""
    match content:
        case {"link": target}:
            tree.link(path, target)
        case {"directory": True}:
            tree.directory(path)
        case {"denied": True}:
            tree.deny(path)
        case {"broken": words}:
            tree.break_(path, words)
        case _:
            tree.write(path, _content(content, text))


def delete_file(tree: MemoryTree, path: str) -> None:
    """Take a file away; one that is not there may be gone already."""
    with suppress(FileNotFoundError):
        tree.delete(path)


def _file_change(file: Mapping[str, Any], text: Text) -> FileChange:
    before, after = (
        None if file.get(side) is None else _content(file[side], text)
        for side in ("before", "after")
    )
    return FileChange(file["path"], before, after)


def _content(content: Any, text: Text) -> str | bytes:
    match content:
        case {"base64": encoded}:
            return base64.b64decode(encoded, validate=True)
        case _:
            return text(content)
