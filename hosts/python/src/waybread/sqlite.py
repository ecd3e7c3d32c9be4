"""Durable sessions in one SQLite file, which Waybread's other hosts can carry on."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread.storage import (
    Conflict,
    Denied,
    Full,
    NotFound,
    OtherFault,
    StorageFault,
    Uncertain,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
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
_LOCKED = "database is locked"

_MEMORY = ":memory:"
_AHEAD = "-wal"
"""How the name of a database's write-ahead log ends."""
_PAUSE = 0.02
"""How many seconds to wait before the next try."""


class SqliteStorage:
    """Sessions in a SQLite file, made if it is not there, for this user alone (mode 0600).

    Each append is one transaction, written through to the disk before it returns. Any number of
    threads, processes and hosts may use the file at once; of two that append to one session, one
    gets `Conflict`.

    A file that is removed, renamed or replaced while it is open takes no more appends: that is an
    `OtherFault`, and nothing was written.

    Args:
        path: The file; `:memory:` is a database in memory.
        busy_timeout: How many seconds to wait for another writer before giving up.
        read_only: Only read the file, which must be there: an append is `Denied`.

    Raises:
        Denied: The file may not be opened, or is read-only and holds no sessions yet.
        OtherFault: It is not a SQLite file, or was written by a newer version.
        TypeError: The path is empty, a URL, or no path.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, busy_timeout: float = 5.0, read_only: bool = False
    ) -> None:
        self._path = _named(path)
        self._patience = _seconds(busy_timeout)
        self._lock = threading.Lock()
        self._file = None if self._path == _MEMORY else Path(self._path).absolute()
        if not read_only:
            self._make()
        self._watched = [self._identity("")]
        try:
            self._connection = self._connected(read_only=read_only)
        except sqlite3.Error as error:
            raise self._fault(error) from error
        try:
            self._prepare()
            self._check_place()
            self._watched.append(self._identity(_AHEAD))
        except sqlite3.Error as error:
            self._connection.close()
            raise self._fault(error) from error
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
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._insert(session, expected_length, records, texts)
                self._check_place()
                self._commit()
            except sqlite3.Error as error:
                self._take_back()
                raise self._fault(error) from error
            except BaseException:
                self._take_back()
                raise

    def read_log(self, session: str, start: int) -> list[str]:
        """Return the records from `start`."""
        rows = self._rows(
            "SELECT position, record FROM waybread_log WHERE session = ? AND position >= ?"
            " ORDER BY position",
            session,
            start,
        )
        for expected, (position, _) in enumerate(rows, start):
            if position != expected:
                raise OtherFault(
                    f"the log of `{session}` lacks record {expected}: the database is damaged"
                    f" (`{self._path}`)"
                )
        return [record for _, record in rows]

    def read_text(self, session: str, id: str) -> str:
        """Return one stored text."""
        rows = self._rows(
            "SELECT text FROM waybread_text WHERE session = ? AND id = ?", session, id
        )
        if not rows:
            raise NotFound
        text: str = rows[0][0]
        return text

    def sessions(self) -> list[str]:
        """Return the keys of the sessions that are there, in the order of their code points."""
        rows = self._rows("SELECT DISTINCT session FROM waybread_log ORDER BY session")
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

    def _make(self) -> None:
        """Make a file that is not there, for this user alone: results can hold secrets."""
        if self._file is None:
            return
        # What can't be made SQLite says in its own words.
        with suppress(OSError):
            os.close(os.open(self._file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    def _connected(self, *, read_only: bool) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self._file.as_uri()}?mode=ro" if read_only and self._file else self._path,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
            uri=read_only and self._file is not None,
        )

    def _prepare(self) -> None:
        """Set the connection up, and the tables in a new file."""
        if self._version() == 0:
            self._create()
        self._write_ahead()
        # Where there is no write-ahead log, this has the folder written through too.
        self._connection.execute("PRAGMA synchronous = EXTRA")
        # Opens the write-ahead log, if nothing did.
        self._version()

    def _write_ahead(self) -> None:
        """Switch to a write-ahead log. SQLite does not wait for others here, so this does.

        It lasts, so it need not be set again, and cannot be where the file is read-only. Without,
        readers and writers wait for each other, and nothing else is lost.
        """
        until = time.monotonic() + self._patience
        while self._is_kept_from_switching() and time.monotonic() < until:
            time.sleep(_PAUSE)

    def _is_kept_from_switching(self) -> bool:
        """Whether others keep the file from its write-ahead log; it is switched if they don't."""
        try:
            if self._pragma("journal_mode") == "delete":
                self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            return str(error).startswith(_LOCKED)
        return False

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

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._fault(error) from error

    def _insert(
        self, session: str, length: int, records: Sequence[str], texts: Sequence[StoredText]
    ) -> None:
        found = self._length(session)
        if found != length:
            raise Conflict(found)
        self._connection.executemany(
            "INSERT INTO waybread_log VALUES (?, ?, ?)",
            ((session, *row) for row in enumerate(records, length)),
        )
        self._connection.executemany(
            "INSERT INTO waybread_text VALUES (?, ?, ?)",
            ((session, text.id, text.text) for text in texts),
        )

    def _length(self, session: str) -> int:
        row = self._connection.execute(
            "SELECT coalesce(max(position) + 1, 0) FROM waybread_log WHERE session = ?", (session,)
        ).fetchone()
        return int(row[0])

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            words = str(error)
            if words.startswith((_LOCKED, *_FULL, *_DENIED)):
                raise
            # A disk that failed may have kept it.
            raise Uncertain(self._worded(words)) from error

    def _take_back(self) -> None:
        # Some errors end the transaction themselves.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _check_place(self) -> None:
        """Refuse to write into a file that nobody will find again."""
        for ending, watched in zip(("", _AHEAD), self._watched, strict=False):
            if watched is not None and watched != self._identity(ending):
                raise OtherFault(
                    f"`{self._path}{ending}` was removed or replaced since it was opened: nothing"
                    " was written; open the storage again"
                )

    def _identity(self, ending: str) -> tuple[int, int] | None:
        """Device and number of the file, or of one beside it; None where that tells nothing."""
        if self._file is None or os.name != "posix":
            return None
        try:
            status = Path(f"{self._file}{ending}").stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _fault(self, error: sqlite3.Error) -> StorageFault:
        """SQLite's error as one of this package's."""
        words = self._worded(str(error))
        if words.startswith(_FULL):
            return Full(words)
        if words.startswith(_DENIED):
            return Denied(words)
        return OtherFault(words)

    def _worded(self, words: str) -> str:
        if words.startswith(_LOCKED):
            words = f"another writer has held the database for over {self._patience:g} seconds"
        return f"{words} (`{self._path}`)"


def _named(path: object) -> str:
    """The path of a file, or SQLite's name of a database in memory.

    Raises:
        TypeError: It is none. SQLite takes an empty one for a file that is lost when it is closed.
    """
    named = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str) or not named or named.startswith("file:"):
        given = repr(named) if isinstance(named, str) else type(named).__name__
        raise TypeError(f"`path` must be the path of a file or '{_MEMORY}', not {given}")
    return named


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise TypeError(f"`busy_timeout` must be a number of seconds, not {value!r}")
    return float(value)
