"""Durable sessions in one SQLite file, which Waybread's other hosts can carry on."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from waybread.storage import Conflict, Denied, Full, NotFound, OtherFault, StorageFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from waybread.storage import StoredText

VERSION = 1
"""The schema's version, kept as `PRAGMA user_version`."""

# SQLite's own words. Its error codes reach Python from 3.11 on only.
_FULL = ("database or disk is full",)
_DENIED = (
    "attempt to write a readonly database",
    "access permission denied",
    "unable to open database file",
    "authorization denied",
)


class SqliteStorage:
    """Sessions in a SQLite file, made if it is not there.

    Each append is one transaction, written through to the disk before it returns. Any number of
    threads, processes and hosts may use the file at once; of two that append to one session, one
    gets `Conflict`.

    Args:
        path: The file.
        busy_timeout: How many seconds to wait for another writer before giving up.
        read_only: Only read the file, which must be there: an append is `Denied`.

    Raises:
        Denied: The file may not be opened, or is read-only and holds no sessions yet.
        OtherFault: It is not a SQLite file, or was written by a newer version.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, busy_timeout: float = 5.0, read_only: bool = False
    ) -> None:
        self._path = os.fspath(path)
        self._lock = threading.Lock()
        with self._faults():
            self._connection = sqlite3.connect(
                f"{Path(path).absolute().as_uri()}?mode=ro" if read_only else path,
                timeout=busy_timeout,
                isolation_level=None,
                check_same_thread=False,
                uri=read_only,
            )
        try:
            with self._faults():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append as `Storage.append` says."""
        positions = range(expected_length, expected_length + len(records))
        with self._writing():
            length = self._length(session)
            if length != expected_length:
                raise Conflict(length)
            self._connection.executemany(
                "INSERT INTO waybread_log VALUES (?, ?, ?)",
                ((session, *row) for row in zip(positions, records, strict=True)),
            )
            self._connection.executemany(
                "INSERT INTO waybread_text VALUES (?, ?, ?)",
                ((session, text.id, text.text) for text in texts),
            )

    def read_log(self, session: str, start: int) -> list[str]:
        """Return the records from `start`."""
        with self._lock, self._faults():
            rows = self._connection.execute(
                "SELECT record FROM waybread_log WHERE session = ? AND position >= ?"
                " ORDER BY position",
                (session, start),
            )
            return [record for (record,) in rows]

    def read_text(self, session: str, id: str) -> str:
        """Return one stored text."""
        with self._lock, self._faults():
            row: tuple[str] | None = self._connection.execute(
                "SELECT text FROM waybread_text WHERE session = ? AND id = ?", (session, id)
            ).fetchone()
        if row is None:
            raise NotFound
        return row[0]

    def sessions(self) -> list[str]:
        """Return the keys of the sessions that are there, in the order of their code points."""
        with self._lock, self._faults():
            rows = self._connection.execute(
                "SELECT DISTINCT session FROM waybread_log ORDER BY session"
            )
            return [session for (session,) in rows]

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _prepare(self) -> None:
        """Set the connection up, and the tables in a new file."""
        if self._version() == 0:
            self._create()
        # WAL lasts, so it need not be set again, and cannot be where the file is read-only.
        if self._pragma("journal_mode") != "wal":
            with suppress(sqlite3.OperationalError):
                self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")

    def _version(self) -> int:
        version = int(str(self._pragma("user_version")))
        if version > VERSION:
            raise OtherFault(
                f"`{self._path}` was written by a newer Waybread: its version is {version}, "
                f"this one knows {VERSION}"
            )
        return version

    def _create(self) -> None:
        schema = resources.files("waybread").joinpath("sqlite.sql").read_text("utf-8")
        # Two processes may both be here: the tables are made by whoever is first.
        self._connection.executescript(
            f"BEGIN IMMEDIATE; {schema} PRAGMA user_version = {VERSION}; COMMIT;"
        )

    def _pragma(self, name: str) -> object:
        return self._connection.execute(f"PRAGMA {name}").fetchone()[0]

    def _length(self, session: str) -> int:
        row = self._connection.execute(
            "SELECT coalesce(max(position) + 1, 0) FROM waybread_log WHERE session = ?", (session,)
        ).fetchone()
        return int(row[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: committed if its body returns, else taken back."""
        with self._lock, self._faults():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # Some errors end the transaction themselves.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """SQLite's errors as this package's."""
        try:
            yield
        except sqlite3.Error as error:
            raise _fault(f"{error} (`{self._path}`)") from error


def _fault(words: str) -> StorageFault:
    if words.startswith(_FULL):
        return Full(words)
    if words.startswith(_DENIED):
        return Denied(words)
    return OtherFault(words)
