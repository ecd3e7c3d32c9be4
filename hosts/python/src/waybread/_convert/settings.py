"""What is fixed when a session begins, and the changes to it that a note tells."""

from __future__ import annotations

from typing import Any

from waybread._convert.arguments import (
    case,
    flag,
    items,
    must_be,
    optional,
    path,
    spelled,
    text,
    texts,
)
from waybread._convert.arguments import key as session_key
from waybread.assembly import Assembly
from waybread.settings import (
    Change,
    ChangeKind,
    Dialect,
    Kind,
    Prompt,
    PromptPart,
    PromptSource,
    Settings,
    Tool,
)


def settings(given: Settings) -> dict[str, Any]:
    """`settings`."""
    must_be(Settings, "settings", given)
    return {
        "kind": case(Kind, "settings.kind", given.kind),
        "dialect": optional(_dialect, "settings.dialect", given.dialect),
        "root": path("settings.root", given.root),
        "home": optional(path, "settings.home", given.home),
        "overrides": spelled("settings.overrides", given.overrides),
        "start": optional(path, "settings.start", given.start),
        "prompt": prompt("settings.prompt", given.prompt),
        "assembly": assembly("settings.assembly", given.assembly),
        "tools": tools("settings.tools", given.tools),
        "recall": flag("settings.recall", given.recall),
        "vision": flag("settings.vision", given.vision),
        "only_tools": optional(texts, "settings.only-tools", given.only_tools),
        "without_tools": texts("settings.without-tools", given.without_tools),
        "conditions": texts("settings.conditions", given.conditions),
    }


def prompt(name: str, given: Prompt | str) -> dict[str, Any]:
    """`prompt`; a text is the preamble."""
    if isinstance(given, str):
        given = Prompt([PromptSource(PromptPart.PREAMBLE, given, "prompt")])
    must_be(Prompt, name, given)
    return {
        "sources": items(_source, "PromptSource", f"{name}.sources", given.sources),
        "told": items(change, "Change", f"{name}.told", given.told),
    }


def assembly(name: str, given: Assembly) -> dict[str, Any]:
    """`assembly`."""
    must_be(Assembly, name, given)
    return {
        "scope": text(f"{name}.scope", given.scope),
        "instructions": flag(f"{name}.instructions", given.instructions),
        "context_files": _paths(f"{name}.context-files", given.context_files),
        "ignore": texts(f"{name}.ignore", given.ignore),
        "skill_roots": _paths(f"{name}.skill-roots", given.skill_roots),
        "skills": texts(f"{name}.skills", given.skills),
    }


def delegation(
    key: str, kind: str, given: Prompt | str, read: Assembly, only_tools: object
) -> dict[str, Any]:
    """`delegation`."""
    return {
        "key": session_key("delegation.key", key),
        "kind": text("delegation.kind", kind),
        "prompt": prompt("delegation.prompt", given),
        "assembly": assembly("delegation.assembly", read),
        "only_tools": optional(texts, "delegation.only-tools", only_tools),
    }


def change(name: str, given: Change) -> dict[str, Any]:
    """`change`."""
    must_be(Change, name, given)
    return {
        "kind": case(ChangeKind, f"{name}.kind", given.kind),
        "name": path(f"{name}.name", given.name),
        "text": text(f"{name}.text", given.text),
    }


def tools(name: str, given: object) -> list[dict[str, Any]]:
    """Tools, in their order."""
    return items(_tool, "Tool", name, given)


def _paths(name: str, given: object) -> list[str]:
    return items(path, "str or PathLike", name, given)


def _dialect(name: str, given: object) -> str:
    return case(Dialect, name, given)


def _source(name: str, given: PromptSource) -> dict[str, Any]:
    must_be(PromptSource, name, given)
    return {
        "part": case(PromptPart, f"{name}.part", given.part),
        "name": path(f"{name}.name", given.name),
        "text": text(f"{name}.text", given.text),
    }


def _tool(name: str, given: Tool) -> dict[str, Any]:
    must_be(Tool, name, given)
    return {
        "name": text(f"{name}.name", given.name),
        "description": text(f"{name}.description", given.description),
        "parameters": spelled(f"{name}.parameters", given.parameters),
        "definition": optional(spelled, f"{name}.definition", given.definition),
        "requires": texts(f"{name}.requires", given.requires),
        "unavailable": optional(text, f"{name}.unavailable", given.unavailable),
        "kinds": items(_kind, "Kind", f"{name}.kinds", given.kinds),
        "vision": flag(f"{name}.vision", given.vision),
    }


def _kind(name: str, given: object) -> str:
    return case(Kind, name, given)
