"""What a path in a call means (§11; ruling: Identity). Nothing is looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass

DRIVE = re.compile(r"[A-Za-z]:(?=[\\/])")
SHARE = re.compile(r"[\\/]{2}[^\\/]+[\\/]+[^\\/]+")


@dataclass(frozen=True)
class Absolute:
    """An absolute path in pieces: its top (`/`, a drive or a share) and the names below."""

    top: str
    names: tuple[str, ...]
    separator: str

    def __str__(self) -> str:
        return self.top + self.separator.join(self.names)

    @property
    def is_windows(self) -> bool:
        """Whether both slashes separate its names, and their letters may be of either case."""
        return self.separator == "\\"

    def compared(self) -> str:
        """What is equal for spellings of one path: Windows tells no cases of a-z apart."""
        whole = str(self)
        lowered = re.sub("[A-Z]", lambda letter: letter[0].lower(), whole)
        return lowered if self.is_windows else whole

    def joined(self, names: list[str]) -> Absolute:
        """This path with more names, `.` and `..` taken out. `..` at the top stays there."""
        kept = list(self.names)
        for name in names:
            if name == "..":
                kept = kept[:-1]
            elif name not in ("", "."):
                kept.append(name)
        return Absolute(self.top, tuple(kept), self.separator)


def absolute(path: str, *, windows: bool) -> Absolute | None:
    """The path in pieces, or None if it is not absolute."""
    if not windows:
        return _under("/", path[1:], "/") if path.startswith("/") else None
    drive = DRIVE.match(path)
    if drive:
        return _under(drive[0].upper() + "\\", path[drive.end() :], "\\")
    share = SHARE.match(path)
    if share:
        server, name = re.split(r"[\\/]+", share[0][2:])
        return _under(f"\\\\{server}\\{name}\\", path[share.end() :], "\\")
    return None


def is_windows(root: str) -> bool:
    """Whether a root makes paths Windows paths."""
    return root.startswith("\\\\") or DRIVE.match(root) is not None


def resolve(path: str, root: Absolute, home: Absolute | None) -> Absolute:
    """A path of a call against the root, or against home where it begins with `~`."""
    windows = root.separator == "\\"
    names = split(path, windows=windows)
    if names[0] == "~" and home is not None:
        return home.joined(names[1:])
    given = absolute(path, windows=windows)
    if given is not None:
        return given
    if windows and names[0] == "":
        return Absolute(root.top, (), root.separator).joined(names)
    return root.joined(names)


def split(path: str, *, windows: bool) -> list[str]:
    """The names between separators."""
    return re.split(r"[\\/]", path) if windows else path.split("/")


def _under(top: str, rest: str, separator: str) -> Absolute:
    return Absolute(top, (), separator).joined(split(rest, windows=separator == "\\"))
