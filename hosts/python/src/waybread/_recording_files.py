"""The recordings that a replay is given."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from waybread._names import Names
from waybread._recordings import UnplayableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ENDINGS = (".json", ".jsonl", ".ndjson", ".traj")
"""How a recording's name ends, in a folder that is searched."""


@dataclass(frozen=True)
class Recording:
    """One file.

    Attributes:
        name: Its name without folders, and unique: of two files with one name, the second is
            `2~name`.
    """

    name: str
    _found: Path | UnplayableError

    def content(self) -> str:
        """The whole file.

        Raises:
            UnplayableError: It can't be read, or is not UTF-8.
        """
        if isinstance(self._found, UnplayableError):
            raise self._found
        try:
            content = self._found.read_bytes()
        except OSError as error:
            raise _unreadable(error) from error
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise UnplayableError(line, "is not UTF-8") from error


def find(paths: Iterable[Path]) -> Iterator[Recording]:
    """The files that the paths name, and those in the folders that they name."""
    names = Names()
    for path in paths:
        for place, found in _found(path):
            name = os.fsencode(place.name or place).decode("utf-8", "replace")
            yield Recording(names.give(name), found)


def _found(path: Path) -> list[tuple[Path, Path | UnplayableError]]:
    if not path.is_dir():
        return [(path, path)]
    empty = UnplayableError(None, f"the folder holds no recording ({', '.join(ENDINGS)})")
    return list(_searched(path)) or [(path, empty)]


def _searched(folder: Path) -> Iterator[tuple[Path, Path | UnplayableError]]:
    """A folder with all its folders, in the order of their names."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield folder, _unreadable(error)
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            yield from _searched(path)
        elif path.suffix in ENDINGS and path.is_file():
            # Asked of the path: it takes a circle of links for no file, the entry raises.
            yield path, path


def _unreadable(error: OSError) -> UnplayableError:
    return UnplayableError(None, f"cannot be read: {error.strerror}")
