"""The files of a case, in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .casefile import Json, expand_bytes
from .paths import Absolute, absolute

MOST_LINKS = 40


class FileError(Exception):
    """Why a file could not be resolved or read: a case of `filesystem.file-error`."""

    def __init__(self, case: str) -> None:
        super().__init__(case)
        self.case = case


@dataclass(frozen=True)
class File:
    """A file as it was read. `text` is None where the bytes are not UTF-8."""

    identity: str
    text: str | None
    size: int
    sha256: str


@dataclass(frozen=True)
class Content:
    """A content handed over with a change."""

    text: str | None
    size: int
    sha256: str


def content_of(data: bytes) -> Content:
    """Bytes, as text where they are UTF-8, with their hash."""
    try:
        text: str | None = data.decode()
    except UnicodeDecodeError:
        text = None
    return Content(text, len(data), hashlib.sha256(data).hexdigest())


class Tree:
    """Entries by absolute path. Folders exist where something lies in them."""

    def __init__(self, *, windows: bool) -> None:
        self._windows = windows
        self._entries: dict[Absolute, Json] = {}
        self.read_paths: list[str] = []

    def put(self, path: str, entry: Json) -> None:
        """Puts a case file's entry at a path, in the place of what was there."""
        self._entries[self._absolute(path)] = entry

    def remove(self, path: str) -> None:
        """Removes the entry at a path, if there is one."""
        self._entries.pop(self._absolute(path), None)

    def resolve(self, path: Absolute) -> Absolute:
        """The path with symbolic links followed. Raises `FileError` `not-found`."""
        return self._resolve(path, MOST_LINKS)

    def read(self, path: Absolute) -> File:
        """The whole file. Raises `FileError`. `read_paths` tells what was asked for."""
        self.read_paths.append(str(path))
        real = self.resolve(path)
        entry = self._entries.get(real, {"directory": True})
        if isinstance(entry, dict):
            for case in ("directory", "denied", "broken"):
                if case in entry:
                    raise FileError(
                        {"directory": "is-directory", "broken": "other"}.get(case, case)
                    )
        content = content_of(expand_bytes(entry))
        return File(str(real), content.text, content.size, content.sha256)

    def _absolute(self, path: str) -> Absolute:
        given = absolute(path, windows=self._windows)
        if given is None:
            raise ValueError(f"a case's file is not named by its absolute path: {path}")
        return given

    def _resolve(self, path: Absolute, links: int) -> Absolute:
        real = Absolute(path.top, (), path.separator)
        for position, name in enumerate(path.names):
            if self._is_leaf(real):
                raise FileError("not-found")
            here = real.joined([name])
            target = self._link(here)
            if target is None:
                real = here
                continue
            if links == 0:
                raise FileError("not-found")
            onward = absolute(target, windows=self._windows) or real.joined(target.split("/"))
            return self._resolve(onward.joined(list(path.names[position + 1 :])), links - 1)
        if not self._exists(real):
            raise FileError("not-found")
        return real

    def _link(self, path: Absolute) -> str | None:
        entry = self._entries.get(path)
        return entry.get("link") if isinstance(entry, dict) else None

    def _is_leaf(self, path: Absolute) -> bool:
        entry = self._entries.get(path)
        return entry is not None and not (isinstance(entry, dict) and "directory" in entry)

    def _exists(self, path: Absolute) -> bool:
        depth = len(path.names)
        return not path.names or any(
            other.top == path.top and other.names[:depth] == path.names for other in self._entries
        )
