"""The files that a session's tools work on: read-only, by absolute path.

A filesystem only hands over bytes; the library hashes them and tells text from bytes. What each
method promises is in `wit/filesystem.wit`.
"""

from __future__ import annotations

from typing import Protocol


class NotAFileError(OSError):
    """Neither a file nor a directory: a device, a socket, a pipe."""


class UnreadableFileError(OSError):
    """The file is there and can't be given: the model is told why, at the end of a sentence."""


class FileSystem(Protocol):
    """What a session asks of its filesystem.

    Paths are absolute and free of `.` and `..`. Both methods say what is wrong by raising

    - `FileNotFoundError` or `NotADirectoryError`: nothing is there, or a symbolic link on the way
      leads nowhere or round in a circle;
    - `PermissionError`: not allowed;
    - `IsADirectoryError`: a directory;
    - `NotAFileError`: neither file nor directory;
    - `UnreadableFileError`: it is there and can't be given: too large, its name no text;
    - any other exception: a reason that no model can act on. The session's caller gets it as
      `FileSystemError`, with the exception's words.
    """

    def identify(self, path: str) -> str:
        """Return what identifies the file: its real absolute path, the same for all its names."""

    def read(self, path: str) -> tuple[str, bytes]:
        """Return the file's identity and its whole content, both of the same moment."""
