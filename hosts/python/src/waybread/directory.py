"""A real directory as a session's filesystem."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from waybread.filesystem import NotAFileError, UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 2**30
"""The longest file that is read. It takes several times as much of the machine's memory."""

_MAX_PATH = 32_767 if os.name == "nt" else 4096
"""No system opens a file by a longer path, and to look takes a call for each of its folders."""

_GROWTH = 2**20
"""How much longer than it was a file may be. Some of the system's own say that they are empty."""

_WITHOUT_LINKS = os.open in os.supports_dir_fd
_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OPEN_FILE = _OPEN | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# Only passed through: on Linux that takes no right to list it.
_OPEN_FOLDER = _OPEN | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)
_OPEN_FOLDER |= getattr(os, "O_PATH", 0)


class Directory:
    """The files of a real directory.

    Args:
        root: The directory. It must be there.
        confined: Refuse (as `PermissionError`) every path whose real place is outside `root`,
            symbolic links out of it included. Without, every file of the machine can be read.

    Raises:
        NotADirectoryError: `root` is not a directory.
        OSError: `root` cannot be reached.
    """

    def __init__(self, root: str | os.PathLike[str], *, confined: bool = True) -> None:
        self._root = _true_case(os.path.realpath(root, strict=True))
        if not stat.S_ISDIR(os.stat(self._root).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(root))
        self._confined = confined

    @property
    def root(self) -> str:
        """The root's real path."""
        return self._root

    def identify(self, path: str) -> str:
        """Return the path with symbolic links followed and its case as on disk."""
        with _loops_lead_nowhere(path):
            if len(path) > _MAX_PATH:
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path)
            real = _true_case(os.path.realpath(path))
            if self._confined and not Path(real).is_relative_to(self._root):
                # Whether something is there is nobody's business outside the root.
                raise PermissionError(errno.EACCES, "outside the directory's root", path)
            os.path.realpath(path, strict=True)
            return _named_in_unicode(real)

    def read(self, path: str) -> tuple[str, bytes]:
        """Return the file's identity and content. Devices and pipes are never opened."""
        identity = self.identify(path)
        with _loops_lead_nowhere(path):
            return identity, self._content(identity, path)

    def _content(self, real: str, path: str) -> bytes:
        if not (self._confined and _WITHOUT_LINKS):
            return _read(real, None, path)
        # The path was resolved a moment ago: a link in it by now was put there to lead out.
        *folders, name = os.path.relpath(real, self._root).split(os.sep)
        folder = os.open(self._root, _OPEN_FOLDER)
        try:
            for step in folders:
                inner = os.open(step, _OPEN_FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            return _read(name, folder, path)
        finally:
            os.close(folder)


def _read(name: str, folder: int | None, path: str) -> bytes:
    _check(os.stat(name, dir_fd=folder, follow_symlinks=False), path)
    descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        _check(found, path)
        content = file.read(found.st_size + _GROWTH)
        if file.read(1):
            raise UnreadableFileError(errno.EBUSY, "it grew while it was read", path)
    return content


def _check(status: os.stat_result, path: str) -> None:
    """Only a plain file of a size that can be handed on is read."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        raise NotAFileError(errno.EINVAL, "neither a file nor a directory", path)
    if status.st_size > MAX_BYTES:
        size = f"it has {status.st_size} bytes, and at most {MAX_BYTES} can be read"
        raise UnreadableFileError(errno.EFBIG, size, path)


@contextmanager
def _loops_lead_nowhere(path: str) -> Iterator[None]:
    """A circle of links and a name that no file can have are files that are not there."""
    try:
        yield
    except ValueError as error:
        # A NUL in the path.
        raise FileNotFoundError(errno.ENOENT, str(error), path) from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENAMETOOLONG):
            raise FileNotFoundError(error.errno, os.strerror(error.errno), path) from error
        raise


def _named_in_unicode(real: str) -> str:
    """The path, if it can be told apart from others as text."""
    if any("\udc80" <= character <= "\udcff" for character in real):
        raise UnreadableFileError(errno.EILSEQ, "its real path is not UTF-8", real)
    return real


def _true_case(real: str) -> str:
    """The path as the disk spells it, where the disk ignores case: one file, one identity."""
    place = Path(real)
    spelled = place.anchor
    for name in place.parts[1:]:
        spelled = os.path.join(spelled, _spelled(spelled, name))
    return spelled


def _spelled(folder: str, name: str) -> str:
    """The name as its folder lists it."""
    if not _has_other_case(folder, name):
        return name
    names = os.listdir(folder)
    if name in names:
        return name
    alike = [entry for entry in names if entry.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else name


def _has_other_case(folder: str, name: str) -> bool:
    """Whether the name leads to the same file with its case swapped."""
    swapped = name.swapcase()
    if swapped == name:
        return False
    try:
        return os.path.samestat(
            os.lstat(os.path.join(folder, swapped)), os.lstat(os.path.join(folder, name))
        )
    except OSError:
        return False
