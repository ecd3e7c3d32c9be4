"""The blocks that stand at the front of every request (assembly: Sources and zones)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from .assembly import Named, Texts
from .casefile import Json
from .naming import Places
from .prompt import Change, Prompt, start_below
from .rules import Rules
from .thinking import is_blank

CONTEXT = Path(__file__).parent.parent / "prompts" / "blocks" / "context.md"
JOINTS = {"system": "\n\n", "user": "\n"}
"""What stands between the blocks of a zone."""


@dataclass(frozen=True)
class Block:
    """A block as it was made; `part` is None of the component's own."""

    part: str | None
    name: str
    zone: str
    text: str
    given_bytes: int
    truncated: bool = False

    @property
    def size(self) -> int:
        """Bytes of its text."""
        return len(self.text.encode())

    def as_json(self) -> Json:
        """The block as `prompt-report` answers it."""
        return {
            "part": self.part,
            "name": self.name,
            "zone": self.zone,
            "bytes": self.size,
            "given-bytes": self.given_bytes,
            "truncated": self.truncated,
        }


@dataclass(frozen=True)
class InFront:
    """A message in front of the conversation; its zone is its role."""

    zone: str
    text: str


@dataclass(frozen=True)
class Made:
    """A prompt that was made."""

    blocks: tuple[Block, ...] = ()
    told: tuple[Change, ...] = ()
    """Instruction files that were read, as a note says them."""

    @property
    def standing(self) -> list[Block]:
        """The blocks of which something is left."""
        return [block for block in self.blocks if block.text != ""]

    @property
    def system(self) -> str:
        """The whole system zone."""
        return _joined("system", [block for block in self.standing if block.zone == "system"])

    def messages(self, *, in_order: bool) -> list[InFront]:
        """What stands in front: in the order of the steps, or the system zone and the user's."""
        blocks = self.standing
        if not in_order:
            blocks = sorted(blocks, key=lambda block: block.zone == "user")
        runs = groupby(blocks, lambda block: block.zone)
        return [InFront(zone, _joined(zone, list(run))) for zone, run in runs]


@dataclass(frozen=True)
class Surroundings:
    """What the component's own blocks are made of, and what it read."""

    start: str | None
    recall: bool
    texts: Texts


def made(prompt: Prompt, around: Surroundings, places: Places, rules: Rules) -> Made:
    """The prompt."""
    given, texts = _Given(prompt, places, rules), around.texts
    blocks = [
        *given.words("preamble"),
        *_own(around, places, rules),
        *given.instructions("global-instructions", texts.of_home),
        *given.instructions("project-instructions", texts.of_project),
        *_held(given.files(texts.context), budget("assembly.project_context_bytes", rules)),
        *_held(given.skills(texts.skills), budget("assembly.skill_bytes", rules)),
        *given.words("phase-prompt"),
        *given.date(),
    ]
    read = (*texts.of_home, *texts.of_project)
    told = (Change("instructions", places.name(path), text.rstrip("\n")) for path, text in read)
    return Made(
        tuple(block for block in blocks if block.given_bytes > 0),
        tuple(change for change in told if change.text != ""),
    )


def budget(key: str, rules: Rules) -> int:
    """A budget in bytes; 0 is the default."""
    return int(rules.value(key)) or int(rules.default(key))


def cut(text: str, count: int) -> str:
    """The first bytes of a text, up to a whole character, without white space at its end."""
    return text.encode()[:count].decode(errors="ignore").rstrip(" \t\r\n")


@dataclass(frozen=True)
class _Given:
    """Blocks of what the caller gave and of what was read."""

    prompt: Prompt
    places: Places
    rules: Rules

    def words(self, part: str) -> list[Block]:
        """The harness's own words."""
        return [
            _block(part, name, "system", text.rstrip("\n")) for name, text in self._sources(part)
        ]

    def instructions(self, part: str, read: tuple[Named, ...]) -> list[Block]:
        """Instruction files, by the names that a prompt has for them."""
        blocks = []
        for path, text in [*self._sources(part), *read]:
            name, text_left = self.places.name(path), text.rstrip("\n")
            if text_left:
                framed = self.rules.filled("prompt.instructions", name=name, text=text_left)
                blocks.append(_block(part, name, "system", framed))
        return blocks

    def files(self, read: tuple[Named, ...]) -> list[Block]:
        """Files of the project."""
        found = [*self._sources("project-context"), *read]
        return [_block("project-context", name, "user", text) for name, text in found]

    def skills(self, read: tuple[Named, ...]) -> list[Block]:
        """Skills, in their frame."""
        blocks = [_block("skill", name, "user", text) for name, text in self._sources("skill")]
        for name, text in read:
            framed = self.rules.filled("assembly.skill_block", name=name, text=text)
            blocks.append(_block("skill", name, "user", framed))
        frame = str(self.rules.value("assembly.skill_frame"))
        if is_blank(frame) or all(block.text == "" for block in blocks):
            return blocks
        return [_block(None, "skills", "user", frame), *blocks]

    def date(self) -> list[Block]:
        """The date of the first source that tells one."""
        source = self.prompt.session_date
        if source is None:
            return []
        text = self.rules.filled("assembly.session_date", date=source.text.rstrip("\n"))
        return [_block("session-date", source.name, "user", text)]

    def _sources(self, part: str) -> list[Named]:
        sources = self.prompt.sources
        return [(source.name, source.text) for source in sources if source.part == part]


def _held(blocks: list[Block], most: int) -> list[Block]:
    """Blocks that share a budget in their order."""
    held = []
    for block in blocks:
        if block.size <= most:
            held.append(block)
            most -= block.size
            continue
        text = cut(block.text, most)
        held.append(
            Block(block.part, block.name, block.zone, text, block.given_bytes, truncated=True)
        )
        most = 0
    return held


def _joined(zone: str, blocks: list[Block]) -> str:
    return JOINTS[zone].join(block.text for block in blocks)


def _block(part: str | None, name: str, zone: str, text: str) -> Block:
    return Block(part, name, zone, text, len(text.encode()))


def _own(around: Surroundings, places: Places, rules: Rules) -> list[Block]:
    """The component's own blocks."""
    own = []
    if places.kind == "agent":
        own.append(("environment", _environment(places, around.start, rules)))
    if around.recall:
        own.append(("context", CONTEXT.read_text(encoding="utf-8").rstrip("\n")))
    return [_block(None, name, "system", text) for name, text in own]


def _environment(places: Places, start: str | None, rules: Rules) -> str:
    root = places.root
    lines = [rules.text("env.project", name=root.names[-1] if root.names else root.top)]
    inside = start_below(places, start)
    if inside:
        lines.append(rules.text("env.started", path=inside))
    return "\n".join(lines)
