"""A tree of files in memory, for tests, recordings and chats on a server."""

from __future__ import annotations

import errno
import ntpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_LINKS = 40
"""How many symbolic links one path may follow, as Linux has it."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")

_Place = tuple[str, ...]
"""A path without links: its names, led by the drive where it is a Windows path."""


@dataclass(frozen=True)
class _Link:
    target: str


@dataclass(frozen=True)
class _Broken:
    error: OSError


@dataclass(frozen=True)
class _Folder:
    """A directory that is there though nothing lies in it."""


_Entry = bytes | _Link | _Broken | _Folder


class MemoryTree:
    r"""Files by absolute path. A folder is there where something lies in it.

    Paths that begin with a drive letter or `\\` are Windows paths: both slashes separate.

    Args:
        files: The first files, by path: text or bytes.
    """

    def __init__(self, files: Mapping[str, str | bytes] | None = None) -> None:
        _check("files", "a mapping of paths to str or bytes", Mapping | None, files)
        self._entries: dict[_Place, _Entry] = {}
        for path, content in (files or {}).items():
            self.write(path, content)

    def write(self, path: str, content: str | bytes) -> None:
        """Put a file at the path, in place of whatever is there."""
        _check("content", "str or bytes", str | bytes, content)
        self._put(path, content.encode() if isinstance(content, str) else content)

    def link(self, path: str, target: str) -> None:
        """Put a symbolic link at the path; the target is absolute or relative to its folder."""
        self._put(path, _Link(target))

    def directory(self, path: str) -> None:
        """Make a directory that stays when nothing lies in it."""
        self._put(path, _Folder())

    def deny(self, path: str) -> None:
        """Put a file at the path that may not be read."""
        self._put(path, _Broken(PermissionError(errno.EACCES, "Permission denied", path)))

    def break_(self, path: str, words: str) -> None:
        """Put a file at the path whose read fails with these words."""
        self._put(path, _Broken(OSError(words)))

    def delete(self, path: str) -> None:
        """Take the entry at the path away, a link itself and not its target.

        Raises:
            FileNotFoundError: Nothing is there.
        """
        if self._entries.pop(self._entry_place(path), None) is None:
            raise _missing(path)

    def identify(self, path: str) -> str:
        """Return the path with symbolic links followed.

        Raises:
            FileNotFoundError: Nothing is there, or links lead round in a circle.
        """
        return _spell(self._existing(path))

    def read(self, path: str) -> tuple[str, bytes]:
        """Return the file's identity and content.

        Raises:
            FileNotFoundError: Nothing is there.
            IsADirectoryError: A directory.
            PermissionError: The file may not be read.
            OSError: The file is broken.
        """
        place = self._existing(path)
        entry = self._entries.get(place)
        if isinstance(entry, bytes):
            return _spell(place), entry
        if isinstance(entry, _Broken):
            raise entry.error
        raise IsADirectoryError(errno.EISDIR, "Is a directory", path)

    def _put(self, path: str, entry: _Entry) -> None:
        self._entries[self._entry_place(path)] = entry

    def _entry_place(self, path: str) -> _Place:
        """Where the path's last name stands: links are followed in its folders alone."""
        *folders, name = _split(path)
        return (*self._follow(path, folders), name)

    def _existing(self, path: str) -> _Place:
        place = self._follow(path, _split(path))
        if place not in self._entries and not self._is_folder(place):
            raise _missing(path)
        return place

    def _is_folder(self, place: _Place) -> bool:
        return _is_top(place) or any(entry[: len(place)] == place for entry in self._entries)

    def _follow(self, path: str, names: list[str]) -> _Place:
        """Walk the names from the top, each link in place of its own name."""
        place: _Place = ()
        pending = names[::-1]
        links = 0
        while pending:
            name = pending.pop()
            if name == "..":
                place = _parent(place)
                continue
            entry = self._entries.get((*place, name))
            if isinstance(entry, _Link):
                links += 1
                place, target = _target(place, entry.target)
                pending.extend(target[::-1])
            else:
                place = (*place, name)
            if links > MAX_LINKS or (pending and isinstance(entry, bytes | _Broken)):
                raise _missing(path)
        return place


def _split(path: str) -> list[str]:
    """An absolute path's names, the drive first where it has one."""
    if not _is_drive(path):
        return [name for name in path.split("/") if name not in ("", ".")]
    drive, rest = ntpath.splitdrive(path.replace("/", "\\"))
    if drive.endswith(":"):
        drive = drive.upper()
    return [drive + "\\", *_split(rest.replace("\\", "/"))]


def _target(folder: _Place, target: str) -> tuple[_Place, list[str]]:
    """Where a link's target starts from, and the names that follow."""
    if target.startswith("/") or _is_drive(target):
        return (), _split(target)
    if folder and _is_drive(folder[0]):
        target = target.replace("\\", "/")
    return folder, _split(target)


def _parent(place: _Place) -> _Place:
    """The folder above; the top is its own."""
    return place if _is_top(place) else place[:-1]


def _is_top(place: _Place) -> bool:
    return not place or (len(place) == 1 and _is_drive(place[0]))


def _is_drive(name: str) -> bool:
    return _DRIVE.match(name) is not None


def _spell(place: _Place) -> str:
    if place and _is_drive(place[0]):
        return place[0] + "\\".join(place[1:])
    return "/" + "/".join(place)


def _missing(path: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "No such file", path)


def _check(name: str, expected: str, kind: Any, value: object) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` must be {expected}, not {type(value).__name__}")
