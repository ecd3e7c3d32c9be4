"""How a prompt names a file, and the paths that it must not name (§11; requests: Checks)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .errors import invalid_argument
from .paths import Absolute, absolute, is_windows, resolve
from .rules import Rules

LETTER = r"[^\W_]"
OUTSIDE = r"[^\w\-.~/\\]"
BEFORE = (
    r"(?:(?<![\w\-.~/\\])|(?<=://file)|(?<=file://localhost)"
    rf"|(?<=\A-[A-Za-z])|(?<={OUTSIDE}-[A-Za-z]))"
)
AFTER = rf"(?=\Z|[/\\]|(?!\.{LETTER})[^\w\-])"
NO_HOST = r"(?!(?<=:)//(?![/\\]))"


@dataclass(frozen=True)
class Places:
    """Where a session lies, and whether texts may not name it."""

    root: Absolute
    home: Absolute | None
    kind: str
    checked: bool

    def absolute(self, path: str) -> Absolute:
        """The absolute path that a path means."""
        return resolve(path, self.root, self.home)

    def name(self, path: str) -> str:
        """Relative to the root in the project, `~/…` under home, else (and in a chat) absolute."""
        place = self.absolute(path)
        if self.kind == "chat":
            return str(place)
        inside = below(place, self.root)
        if inside is not None:
            return inside or "."
        at_home = None if self.home is None else below(place, self.home)
        if at_home is None:
            return str(place)
        return f"~{place.separator}{at_home}" if at_home else "~"

    def names_machine(self, text: str) -> bool:
        """Whether a text names the root or home or a path below, where none may."""
        tops = [place for place in (self.root, self.home) if place is not None]
        return self.checked and any(
            re.search(_spelled(top), text) for top in tops if _is_unmistakable(top)
        )


def places_of(root: str, home: str | None, kind: str, rules: Rules) -> Places:
    """A session's places. Raises `SessionError` for a path that is not absolute."""
    windows = is_windows(root)
    top = absolute(root, windows=windows)
    if top is None:
        raise invalid_argument("settings.root")
    at_home = None if home is None else absolute(home, windows=windows)
    if at_home is None and home is not None:
        raise invalid_argument("settings.home")
    checked = kind == "agent" and rules.value("prompt.paths") == "refuse"
    return Places(top, at_home, kind, checked)


def below(place: Absolute, top: Absolute) -> str | None:
    """A path relative to one that it lies in, empty for the same; None if it lies elsewhere."""
    depth = len(top.names)
    beginning = replace(place, names=place.names[:depth])
    if beginning.compared() != top.compared():
        return None
    return place.separator.join(place.names[depth:])


def _is_unmistakable(top: Absolute) -> bool:
    """Whether it can be no route: below the top, and in Unix by more than one name."""
    return len(top.names) >= (1 if top.is_windows else 2)


def _spelled(top: Absolute) -> str:
    """A pattern of every spelling of a root or home: slashes doubled, `.` between, any case."""
    if not top.is_windows:
        return BEFORE + NO_HOST + "/+" + _joined(top.names, "/") + AFTER
    slash = r"[/\\]"
    names = [name for name in str(top).split("\\") if name]
    joined = f"(?ai:{_joined(tuple(names), slash)})"
    if top.top.startswith("\\"):
        return BEFORE + NO_HOST + slash + "{2,}" + joined + AFTER
    return f"(?:{BEFORE}|(?<={slash}))" + joined + AFTER


def _joined(names: tuple[str, ...], slash: str) -> str:
    return rf"{slash}+(?:\.{slash}+)*".join(map(re.escape, names))
