"""Prompts, tools and changes as a plan or a conformance case has them.

`conformance/README.md` gives their form and what stands for a field that is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from waybread.assembly import Assembly
from waybread.settings import (
    Change,
    ChangeKind,
    Kind,
    Prompt,
    PromptPart,
    PromptSource,
    Tool,
)

Fields = Mapping[str, Any]

Text = Callable[[Any], str]
"""Makes a text of how the JSON spells one."""


def spelled(value: Any) -> str:
    """JSON that a case has: a text as it is, all else compact in the order written."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def prompt(given: Fields, text: Text) -> Prompt:
    """What a system prompt is made of."""
    return Prompt(
        [_source(source, text) for source in given.get("sources", ())],
        [change(told, text) for told in given.get("told", ())],
    )


def assembly(given: Fields) -> Assembly:
    """What is read when a prompt is made."""
    return Assembly(
        scope=given.get("scope", ""),
        instructions=given.get("instructions", False),
        context_files=given.get("context-files", ()),
        ignore=given.get("ignore", ()),
        skill_roots=given.get("skill-roots", ()),
        skills=given.get("skills", ()),
    )


def change(given: Fields, text: Text) -> Change:
    """The value of something that can change."""
    return Change(ChangeKind(given["kind"]), given.get("name", ""), text(given.get("text", "")))


def tools(given: Any) -> list[Tool]:
    """Tools, in their order."""
    return [_tool(tool) for tool in given]


def _source(given: Fields, text: Text) -> PromptSource:
    return PromptSource(PromptPart(given["part"]), text(given["text"]), given.get("name", ""))


def _tool(given: Fields) -> Tool:
    definition = given.get("definition")
    return Tool(
        name=given["name"],
        description=given.get("description", ""),
        parameters=spelled(given.get("parameters", "")),
        definition=None if definition is None else spelled(definition),
        requires=given.get("requires", ()),
        unavailable=given.get("unavailable"),
        kinds=[Kind(kind) for kind in given.get("kinds", ())],
        vision=given.get("vision", False),
    )
