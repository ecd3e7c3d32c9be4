"""Steps of a plan or a conformance case, performed on a session.

The steps are those of `conformance/README.md`; a plan (`docs/replay.md`) has five of them.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from waybread._step_settings import Fields, Text, assembly, prompt, spelled, tools
from waybread.messages import (
    Block,
    Delivery,
    Image,
    ImageUrl,
    Message,
    Part,
    Reply,
    Sender,
    UserMessage,
    WrapUp,
)
from waybread.settings import Dialect, Kind, Settings
from waybread.values import (
    Changes,
    Delegated,
    Failure,
    FileChange,
    Outcome,
    Output,
    Read,
    ToolCall,
)

if TYPE_CHECKING:
    from waybread.memory_tree import MemoryTree

Step = Fields
"""A step as its JSON has it."""


def settings(given: Fields, text: Text) -> Settings:
    """The settings of a context or a case; what is left out has the cases' defaults."""
    dialect = given.get("dialect")
    return Settings(
        root=given.get("root", "/work/app"),
        kind=Kind(given.get("kind", "agent")),
        home=given.get("home"),
        overrides=spelled(given.get("overrides", {})),
        dialect=None if dialect is None else Dialect(dialect),
        start=given.get("start"),
        prompt=prompt(given.get("prompt", {}), text),
        assembly=assembly(given.get("assembly", {})),
        tools=tools(given.get("tools", ())),
        recall=given.get("recall", False),
        vision=given.get("vision", True),
        only_tools=given.get("only-tools"),
        without_tools=given.get("without-tools", ()),
        conditions=given.get("conditions", ()),
    )


def tool_call(step: Step, default_id: str) -> ToolCall:
    """The call that a step answers."""
    arguments = spelled(step.get("arguments", "{}"))
    return ToolCall(step.get("call", default_id), step.get("tool", "tool"), arguments)


def message(step: Step, text: Text) -> Message:
    """The message that a step adds."""
    match step:
        case {"user": given}:
            return UserMessage(
                text(given.get("text", "")),
                sender=Sender(given.get("sender", "person")),
                delivery=Delivery(given.get("delivery", "starts-turn")),
                parts=[_part(part, text) for part in given.get("parts", ())],
                date=given.get("date"),
            )
        case {"reply": given}:
            return Reply(spelled(given["json"]), given.get("incomplete", False))
    return WrapUp()


def _part(part: Fields, text: Text) -> Part:
    match part:
        case {"image": image}:
            return Image(image["media-type"], image["base64"])
        case {"image-url": url}:
            return ImageUrl(url)
        case {"block": block}:
            return Block(spelled(block))
    return text(part["text"])


def outcome(step: Step, text: Text) -> Outcome:
    """What came of the call."""
    if "read" in step:
        return Read(**step["read"])
    if "output" in step:
        return Output(text(step["output"]))
    if "failure" in step:
        return Failure(text(step["failure"]))
    if "delegated" in step:
        return Delegated(step["delegated"]["key"], text(step["delegated"]["text"]))
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


def _file_change(file: Fields, text: Text) -> FileChange:
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
