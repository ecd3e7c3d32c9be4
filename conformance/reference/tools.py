"""The tool list, and calls that are answered in a tool's place (§10.4; requests: Tools)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from .casefile import Json
from .dialects import Dialect
from .errors import invalid_argument
from .inline import escaped
from .rules import Rules
from .spelling import parse_object, passed
from .thinking import is_blank

RECALL = Path(__file__).parent.parent / "prompts" / "tools" / "recall.json"
NO_PARAMETERS = '{"type":"object","properties":{}}'


@dataclass(frozen=True)
class Tool:
    """A tool that the model may call."""

    name: str
    description: str
    parameters: str
    definition: str | None
    requires: tuple[str, ...]
    unavailable: str | None
    kinds: tuple[str, ...]
    vision: bool


@dataclass(frozen=True)
class Offer:
    """What is fixed for a session and leaves tools out."""

    kind: str
    vision: bool
    only: tuple[str, ...] | None
    without: tuple[str, ...]

    def lets_pass(self, tool: Tool) -> bool:
        """Whether a session offers a tool."""
        return (
            (not tool.kinds or self.kind in tool.kinds)
            and (self.vision or not tool.vision)
            and (self.only is None or tool.name in self.only)
            and tool.name not in self.without
        )


def tool_of(given: Json) -> Tool:
    """A tool in the cases' form."""
    parameters, definition = given.get("parameters", ""), given.get("definition")
    return Tool(
        given["name"],
        given.get("description", ""),
        passed(parameters),
        None if definition is None else passed(definition),
        tuple(given.get("requires", [])),
        given.get("unavailable"),
        tuple(given.get("kinds", [])),
        given.get("vision", False),
    )


def check_tools(tools: tuple[Tool, ...], argument: str) -> None:
    """Raises `SessionError` for a name that is empty or there twice, bad JSON, a blank refusal."""
    seen = set()
    for position, tool in enumerate(tools):
        place = f"{argument}[{position}]"
        if tool.name == "" or tool.name in seen:
            raise invalid_argument(f"{place}.name")
        seen.add(tool.name)
        if tool.definition is not None:
            _check_object(tool.definition, f"{place}.definition")
        elif tool.parameters != "":
            _check_object(tool.parameters, f"{place}.parameters")
        if tool.unavailable is not None and is_blank(tool.unavailable):
            raise invalid_argument(f"{place}.unavailable")


def _check_object(value: str, argument: str) -> None:
    try:
        parse_object(value)
    except ValueError:
        raise invalid_argument(argument) from None


def first_list(tools: tuple[Tool, ...], offer: Offer, *, recall: bool) -> list[Tool]:
    """The list that a session begins with."""
    added = list(tools)
    if recall and all(tool.name != "recall" for tool in tools):
        added.append(tool_of(json.loads(RECALL.read_text(encoding="utf-8"))))
    return [tool for tool in added if offer.lets_pass(tool)]


def spelled(tool: Tool, dialect: Dialect) -> Json:
    """A tool as the dialect sends it."""
    if tool.definition is not None:
        return parse_object(tool.definition)
    return dialect.tool(tool.name, tool.description, parameters_of(tool))


def parameters_of(tool: Tool) -> Json:
    """A tool's parameters as they are sent."""
    return parse_object(tool.parameters or NO_PARAMETERS)


@dataclass
class Toolbox:
    """The tools that are listed, and what stands in the way of their calls."""

    listed: list[Tool]
    conditions: frozenset[str]
    withdrawn: dict[str, str] = field(default_factory=dict)

    @property
    def left(self) -> tuple[Tool, ...]:
        """The tools that were not withdrawn."""
        return tuple(tool for tool in self.listed if tool.name not in self.withdrawn)

    def has(self, name: str) -> bool:
        """Whether a tool is listed."""
        return any(tool.name == name for tool in self.listed)

    def add(self, tools: tuple[Tool, ...], offer: Offer) -> None:
        """Lists a server's tools, those of names that are new."""
        self.listed += [tool for tool in tools if not self.has(tool.name) and offer.lets_pass(tool)]

    def set_condition(self, name: str, *, met: bool) -> None:
        """Whether something that tools require is there."""
        self.conditions = self.conditions | {name} if met else self.conditions - {name}

    def refusal(self, name: str, rules: Rules) -> str | None:
        """What a call is answered in the tool's place, if it is not to be run."""
        if name in self.withdrawn:
            return self.withdrawn[name]
        tool = next((tool for tool in self.listed if tool.name == name), None)
        if tool is None or all(condition in self.conditions for condition in tool.requires):
            return None
        if tool.unavailable is not None:
            return tool.unavailable
        return rules.filled("tools.unavailable", name=escaped(name))
