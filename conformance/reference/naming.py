"""How a prompt names a file, and the paths that it must not name (§11)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import invalid_argument
from .paths import Absolute, absolute, is_windows, resolve

NAME = r"[^\W_]"
BEFORE = r"(?<![\w\-.~/\\])"
AFTER = rf"(?=\Z|[/\\]|(?!\.{NAME})[^\w\-])"


@dataclass(frozen=True)
class Places:
    """Where a session lies."""

    root: Absolute
    home: Absolute | None
    kind: str

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
        """Whether a text names the root or home or a path below, in an agent session."""
        tops = [place for place in (self.root, self.home) if place is not None and place.names]
        return self.kind == "agent" and any(
            re.search(BEFORE + re.escape(str(top)) + AFTER, text) for top in tops
        )


def places_of(root: str, home: str | None, kind: str) -> Places:
    """A session's places. Raises `SessionError` for a path that is not absolute."""
    windows = is_windows(root)
    top = absolute(root, windows=windows)
    if top is None:
        raise invalid_argument("settings.root")
    at_home = None if home is None else absolute(home, windows=windows)
    if at_home is None and home is not None:
        raise invalid_argument("settings.home")
    return Places(top, at_home, kind)


def below(place: Absolute, top: Absolute) -> str | None:
    """A path relative to one that it lies in, empty for the same; None if it lies elsewhere."""
    depth = len(top.names)
    if place.top != top.top or place.names[:depth] != top.names:
        return None
    return place.separator.join(place.names[depth:])
