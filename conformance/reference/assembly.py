"""What the component looks for and reads itself (assembly: Instruction files)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from .casefile import Json
from .errors import SessionError, invalid_argument
from .naming import Places, below
from .paths import Absolute, split
from .prompt import INSTRUCTIONS, Prompt
from .rules import Rules
from .thinking import is_blank
from .tree import FileError, Tree

PASSED_OVER = ("not-found", "denied", "is-directory", "not-a-file")
SKILL_FILE = "SKILL.md"

Named = tuple[str, str]
"""A name, of an instruction file its path, and a text."""
Group = tuple[Named, ...]


@dataclass(frozen=True)
class Assembly:
    """What is looked for."""

    scope: str = ""
    instructions: bool = False
    context_files: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    skill_roots: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()


@dataclass(frozen=True)
class Texts:
    """What was read."""

    of_home: Group
    of_project: Group
    context: Group
    skills: Group


def assembly_of(given: Json) -> Assembly:
    """An assembly in the cases' form."""
    return Assembly(
        given.get("scope", ""),
        given.get("instructions", False),
        tuple(given.get("context-files", [])),
        tuple(given.get("ignore", [])),
        tuple(given.get("skill-roots", [])),
        tuple(given.get("skills", [])),
    )


def check_assembly(assembly: Assembly, argument: str, places: Places) -> None:
    """Raises `SessionError` for a context file that is not in the project, or a skill's name."""
    for position, path in enumerate(assembly.context_files):
        if path == "" or below(places.absolute(path), places.root) is None:
            raise invalid_argument(f"{argument}.context-files[{position}]")
    for position, name in enumerate(assembly.skills):
        check_skill(name, f"{argument}.skills[{position}]", places)


def check_skill(name: str, argument: str, places: Places) -> None:
    """Raises `SessionError` for a name that is no folder's in the skill roots."""
    if name in ("", ".", "..") or len(split(name, windows=places.root.is_windows)) > 1:
        raise invalid_argument(argument)


@dataclass(frozen=True)
class Looking:
    """Where files may lie, and what is in them. `start` is relative to the root."""

    places: Places
    start: str
    rules: Rules
    tree: Tree
    global_instructions: str
    """Those that whoever opened the session has too."""

    def of_home(self, given: set[str]) -> list[list[Absolute]]:
        """Where the person's own instruction file may lie."""
        home, name = self.places.home, self.global_instructions
        return [] if home is None or is_blank(name) else [_but(given, [self._in(home, name)])]

    def of_project(self, given: set[str]) -> list[list[Absolute]]:
        """Where instruction files may lie, in each folder from the top one down to the start."""
        names = self.rules.value("assembly.instruction_files")
        return [
            _but(given, [self._in(folder, name) for name in names]) for folder in self._folders()
        ]

    def context_files(self, assembly: Assembly) -> list[str]:
        """The project's files that are not left out, relative to the root."""
        found = [self._inside(path) or "" for path in assembly.context_files]
        ignore = [name for name in map(self._inside, assembly.ignore) if name]
        separator = self.places.root.separator
        return [
            path
            for path in dict.fromkeys(found)
            if not any(f"{separator}{path}".endswith(f"{separator}{name}") for name in ignore)
        ]

    def first_of_each(self, folders: list[list[Absolute]]) -> Group:
        """The first file of each folder that can be read, by its path."""
        found = (self._first(paths) for paths in folders)
        return tuple(one for one in found if one is not None)

    def files(self, names: list[str]) -> Group:
        """Files below the root."""
        texts = ((name, self._text(self._in(self.places.root, name))) for name in names)
        return tuple((name, text) for name, text in texts if text is not None)

    def skills(self, assembly: Assembly) -> Group:
        """Skills by their names."""
        texts = ((name, self.skill(name, assembly)) for name in assembly.skills)
        return tuple((name, text) for name, text in texts if text is not None)

    def skill(self, name: str, assembly: Assembly) -> str | None:
        """A skill's text; None if no folder has it."""
        tops = [self.places.absolute(root) for root in assembly.skill_roots]
        found = self._first([self._in(self._in(top, name), SKILL_FILE) for top in tops])
        return None if found is None else found[1]

    def texts(self, assembly: Assembly, prompt: Prompt) -> Texts:
        """What an assembly finds. Raises `SessionError` for a file that the host cannot read."""
        given = {
            self.places.absolute(source.name).compared()
            for source in prompt.sources
            if source.part in INSTRUCTIONS
        }
        of_home, of_project = (
            self.first_of_each(folders) if assembly.instructions else ()
            for folders in (self.of_home(given), self.of_project(given))
        )
        context = self.files(self.context_files(assembly))
        return Texts(of_home, of_project, context, self.skills(assembly))

    def _inside(self, path: str) -> str | None:
        """A path relative to the root; None if it lies elsewhere."""
        return below(self.places.absolute(path), self.places.root)

    def _folders(self) -> list[Absolute]:
        """From the top one down to the root, and on to where the person started."""
        root, home = self.places.root, self.places.home
        last = self._in(root, self.start)
        folders = [replace(last, names=last.names[:depth]) for depth in range(len(last.names) + 1)]
        if home is not None and below(root, home):
            return folders[len(home.names) + 1 :]
        return folders

    def _in(self, folder: Absolute, path: str) -> Absolute:
        return folder.joined(split(path, windows=folder.is_windows))

    def _first(self, paths: list[Absolute]) -> Named | None:
        for path in paths:
            text = self._text(path)
            if text is not None:
                return str(path), text
        return None

    def _text(self, path: Absolute) -> str | None:
        """A file's text; None if it is passed over. Raises `SessionError` for the host's errors."""
        try:
            return self.tree.read(path).text
        except FileError as error:
            if error.case in PASSED_OVER:
                return None
            raise SessionError("filesystem", {"path": str(path), "problem": None}) from None


def _but(given: set[str], paths: list[Absolute]) -> list[Absolute]:
    """The paths before one that the caller gave itself, which is not read again."""
    return list(takewhile(lambda path: path.compared() not in given, paths))
