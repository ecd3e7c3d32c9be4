"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def replace(path: str | os.PathLike[str], text: str) -> None:
    """Put a file with this text, in UTF-8, in a file's place at once.

    It can be read by whom a file is that `open` makes.

    Raises:
        OSError: It could not be written.
    """
    target = Path(path)
    if not target.parent.is_dir():
        # The system would name the new file, which nobody knows.
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        written = Path(folder) / target.name
        with written.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written.replace(target)
