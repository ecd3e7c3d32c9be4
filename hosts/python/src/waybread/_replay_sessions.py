"""Replayed sessions that are kept, to be looked at (`waybread context`)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from waybread.sqlite import SqliteStorage
from waybread.storage import MemoryStorage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from waybread.storage import Storage, StoredText

FILE = "sessions.db"
"""The file of the sessions in their folder."""

_FIRST = "main"


class ReplayStorage(MemoryStorage):
    """The memory of one context's session, which can be put into another storage at once."""

    KEY = "replay"

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[StoredText] = []

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append as `Storage.append` says."""
        super().append(session, expected_length, records, texts)
        self._texts += texts

    def put_into(self, storage: Storage, key: str) -> None:
        """Store the session, if one was begun, under a key of its own.

        Raises:
            StorageFault: The storage failed.
        """
        if log := self.read_log(self.KEY, 0):
            storage.append(key, 0, log, self._texts)


class Sessions:
    """A folder of replayed sessions, made if it is not there.

    The sessions are in one SQLite file: `cc-12-tiny` is what came of the recording's conversation,
    `cc-12-tiny/subagent 1` of another context of it.

    Raises:
        OSError: The folder could not be made, or holds sessions already.
        StorageFault: The file could not be made.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        if path.exists():
            problem = "holds sessions already; name another folder"
            raise FileExistsError(errno.EEXIST, problem, os.fspath(path))
        self._storage = SqliteStorage(path)

    def keep(self, session: str, context: str, stored: ReplayStorage) -> None:
        """Store what came of a context.

        Raises:
            StorageFault: The storage failed.
        """
        stored.put_into(self._storage, session if context == _FIRST else f"{session}/{context}")

    def close(self) -> None:
        """Close the file."""
        self._storage.close()
