"""What is fixed when a session begins.

"§" points into `context-hygiene` 3.2.0; how settings become a request is in `docs/requests.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from waybread.assembly import Assembly

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence


class Kind(str, Enum):
    """What the requests of a session carry of earlier results (§2)."""

    AGENT = "agent"
    """Every result is sent again with every request: a CLI, an evaluation script."""

    CHAT = "chat"
    """No earlier reply's tool results are sent with the next reply: an earlier turn's replies are
    sent as their text. A stub names only what is in the request being built."""


class Dialect(str, Enum):
    """The provider's API that requests are built for and replies come from."""

    OPENAI_CHAT = "openai-chat"
    """OpenAI chat completions, and the many servers that speak it."""

    ANTHROPIC_MESSAGES = "anthropic-messages"
    """Anthropic messages."""

    OPENAI_RESPONSES = "openai-responses"
    """OpenAI responses."""


class PromptPart(str, Enum):
    """Which part of the system prompt a source is. The parts stand in this order.

    The session's own blocks (environment, §11; context, §9) follow the preamble.
    """

    PREAMBLE = "preamble"
    """The harness's own words: no date or time (§10.2), no absolute path of the machine (§11)."""

    GLOBAL_INSTRUCTIONS = "global-instructions"
    """The person's instruction files for every project."""

    PROJECT_INSTRUCTIONS = "project-instructions"
    """The project's instruction files."""

    PROJECT_CONTEXT = "project-context"
    """Of the project's files: in the user zone, within a budget (`docs/assembly.md`)."""

    SKILL = "skill"
    """A skill that is in the prompt for the whole session: in the user zone, within a budget."""

    PHASE_PROMPT = "phase-prompt"
    """The harness's words for a phase of its work. Checked like the preamble."""

    SESSION_DATE = "session-date"
    """The date on which the session began, as the model is to read it: last, in the user zone."""


@dataclass(frozen=True)
class PromptSource:
    """A source of the system prompt.

    Attributes:
        part: Which part it is. Sources of one part stand in the order given.
        text: The words.
        name: Of instructions: the file's path, absolute or relative to the root, which the prompt
            names as `Session.name_path` does. Of the other parts: what errors call it.
    """

    part: PromptPart
    text: str
    name: str | os.PathLike[str] = ""


class ChangeKind(str, Enum):
    """What can change during a session and is told at the end, as a note (§10.3)."""

    MODE = "mode"
    """The permission mode: `name` is the mode's, `text` its description."""

    PLAN = "plan"
    """The plan: `name` is empty."""

    MEMORY = "memory"
    """A memory: `name` is the path of its file."""

    INSTRUCTIONS = "instructions"
    """An instruction file: `name` is its path."""

    PERSONALITY = "personality"
    """The personality that was chosen: `name` is empty, `text` its description."""

    MCP_INSTRUCTIONS = "mcp-instructions"
    """An MCP server's instructions: `name` is the server's."""


@dataclass(frozen=True)
class Change:
    """The value that something has now (§10.3).

    Attributes:
        kind: What it is.
        name: Its name, where the kind has one.
        text: The value. Empty: it has none any more; a mode has one.
    """

    kind: ChangeKind
    name: str | os.PathLike[str] = ""
    text: str = ""


@dataclass(frozen=True)
class Prompt:
    """What the system prompt is made of (§10.1).

    Attributes:
        sources: Its words.
        told: What the sources tell of things that can change: a note is owed only for what
            differs (§10.3).
    """

    sources: Sequence[PromptSource] = ()
    told: Sequence[Change] = ()


@dataclass(frozen=True)
class Tool:
    """A tool that the model may call (§10.4).

    Attributes:
        name: Not empty, unique in the session.
        description: What the model is told of it.
        parameters: The JSON Schema of its arguments: a mapping, or the JSON itself, which is
            carried as it is spelled. Empty text: no arguments.
        definition: The tool as the dialect spells it, a JSON object: for tools that the provider
            defines. `description` and `parameters` are not used then.
        requires: Conditions that can come and go (`page`, `plan-mode`). The tool is offered all
            the same; a call while one is not met is answered `unavailable`.
        unavailable: What such a call is answered. None: `tools.unavailable` of `loop.json`.
        kinds: The kinds of session that offer it. Empty: all.
        vision: Whether it is left out for a model that sees no images.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, object] | str = ""
    definition: Mapping[str, object] | str | None = None
    requires: Sequence[str] = ()
    unavailable: str | None = None
    kinds: Sequence[Kind] = ()
    vision: bool = False


@dataclass(frozen=True)
class Settings:
    """What is fixed when a session begins. It is kept in the session's log.

    Attributes:
        root: The project root, an absolute path; relative paths are resolved against it (§11).
            A session carried on elsewhere may name another root.
        kind: What the requests carry of earlier results.
        home: The person's home directory, absolute; `~/…` in a path resolves against it.
            Without one, `~` is a name like any other.
        overrides: Changes to the rules' texts and numbers, in the shape of
            `conformance/loop.json`, naming only what differs:
            `{"context": {"cap": {"max_lines": 600}}}`. A mapping, or the JSON itself.
        dialect: The API that requests are built for. None: a session of results only. It builds
            no requests, takes results for any call, and uses nothing of what follows.
        start: The directory that the person started in, absolute or relative to the root, at or
            below the root. None: the root.
        prompt: Made into the system prompt once (§10.1); a text is one source, the preamble. What
            a later `open` gives is used when the prompt is next made again; one that gives no
            sources and tells nothing keeps what was given.
        assembly: What the session itself reads and puts beside the sources of `prompt`. What a
            later `open` gives is used when the prompt is next made again; one that gives none keeps
            what was given.
        tools: In the order in which they are sent. Fixed when the session begins: what a later
            `open` gives is not used (§10.4).
        recall: Whether the model is told of ids and recall (§9), and offered the tool `recall`,
            after `tools`, if none of them has that name.
        vision: Whether the model sees images.
        only_tools: A subagent's narrowing: only the tools of these names are offered. None: all.
        without_tools: Names of tools that the configuration or the person switched off.
        conditions: The conditions that are met as the session begins.
    """

    root: str | os.PathLike[str]
    kind: Kind = Kind.AGENT
    home: str | os.PathLike[str] | None = None
    overrides: Mapping[str, object] | str = field(default_factory=dict)
    dialect: Dialect | None = None
    start: str | os.PathLike[str] | None = None
    prompt: Prompt | str = field(default_factory=Prompt)
    assembly: Assembly = field(default_factory=Assembly)
    tools: Sequence[Tool] = ()
    recall: bool = True
    vision: bool = True
    only_tools: Sequence[str] | None = None
    without_tools: Sequence[str] = ()
    conditions: Sequence[str] = ()
