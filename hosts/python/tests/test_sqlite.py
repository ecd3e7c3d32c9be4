"""The SQLite storage: the shared schema, and what a disk can do to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from modes import needs_modes

from waybread import Conflict, Denied, Full, OtherFault, SqliteStorage, StoredText

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED_SCHEMA = Path(__file__).parents[2] / "sqlite.sql"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


@pytest.fixture
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    SqliteStorage(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def pragma(storage: SqliteStorage, name: str) -> object:
    return storage._connection.execute(f"PRAGMA {name}").fetchone()[0]


def test_the_schema_is_the_shared_one() -> None:
    import waybread  # noqa: PLC0415

    packaged = Path(waybread.__file__).with_name("sqlite.sql")
    assert packaged.read_bytes() == SHARED_SCHEMA.read_bytes()


def test_a_new_file_is_set_up_for_safety(path: Path) -> None:
    with SqliteStorage(path) as storage:
        assert pragma(storage, "user_version") == 1
        assert pragma(storage, "journal_mode") == "wal"
        assert pragma(storage, "synchronous") == 2
        assert pragma(storage, "busy_timeout") == 5000


def test_a_file_made_from_the_shared_schema_is_taken_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SHARED_SCHEMA.read_text("utf-8"))
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [])
        assert pragma(storage, "user_version") == 1


def test_a_newer_file_is_refused(raw: sqlite3.Connection, path: Path) -> None:
    raw.execute("PRAGMA user_version = 2")
    with pytest.raises(OtherFault, match=r"sessions\.db` was written by a newer .* is 2, .* 1"):
        SqliteStorage(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(OtherFault, match=r"not a database \(`.*sessions\.db`\)"):
        SqliteStorage(path)


def test_a_folder_that_is_not_there(path: Path) -> None:
    with pytest.raises(Denied, match=r"unable to open database file \(`.*absent"):
        SqliteStorage(path.parent / "absent" / "sessions.db")


def test_what_was_written_is_there_after_closing(path: Path) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [StoredText("#0001", "text")])
    with SqliteStorage(path) as storage:
        assert storage.read_log("s", 0) == ["a"]
        assert storage.read_text("s", "#0001") == "text"


def test_a_full_medium_is_full_and_keeps_what_it_had(path: Path) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [])
        storage._connection.execute("PRAGMA max_page_count = 8")
        with pytest.raises(Full, match="full"):
            storage.append("s", 1, ["b"], [StoredText("#0002", "x" * 100_000)])
        assert storage.read_log("s", 0) == ["a"]
        storage.append("s", 1, ["c"], [])
        assert storage.read_log("s", 0) == ["a", "c"]


def test_a_read_only_connection_is_denied_and_still_reads(path: Path) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [])
        storage._connection.execute("PRAGMA query_only = 1")
        with pytest.raises(Denied):
            storage.append("s", 1, ["b"], [])
        assert storage.read_log("s", 0) == ["a"]


@needs_modes
def test_a_read_only_file_is_denied_and_still_reads(raw: sqlite3.Connection, path: Path) -> None:
    raw.execute("PRAGMA journal_mode = DELETE")
    raw.execute("INSERT INTO waybread_log VALUES ('s', 0, 'a')")
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with SqliteStorage(path) as storage:
            assert storage.read_log("s", 0) == ["a"]
            with pytest.raises(Denied):
                storage.append("s", 1, ["b"], [])
    finally:
        path.parent.chmod(0o755)


def test_a_locked_file_says_so_after_the_timeout(raw: sqlite3.Connection, path: Path) -> None:
    with SqliteStorage(path, busy_timeout=0.05) as storage:
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(OtherFault, match="locked"):
            storage.append("s", 0, ["a"], [])
        raw.execute("ROLLBACK")
        storage.append("s", 0, ["a"], [])


def test_another_process_takes_part(raw: sqlite3.Connection, path: Path) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [])
        raw.execute("INSERT INTO waybread_log VALUES ('s', 1, 'theirs')")
        with pytest.raises(Conflict) as caught:
            storage.append("s", 1, ["mine"], [])
        assert caught.value.length == 2
        assert storage.read_log("s", 1) == ["theirs"]


def test_a_closed_storage_says_so(path: Path) -> None:
    storage = SqliteStorage(path)
    storage.close()
    storage.close()
    with pytest.raises(OtherFault, match="closed"):
        storage.read_log("s", 0)


def test_the_sessions_that_are_there(tmp_path: Path) -> None:
    with SqliteStorage(tmp_path / "s.db") as storage:
        assert storage.sessions() == []
        for key in ("ä", "b", "a/1", "a"):
            storage.append(key, 0, ["one"], [])
        assert storage.sessions() == ["a", "a/1", "b", "ä"]


def test_a_file_that_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "a b#.db"
    with pytest.raises(Denied):
        SqliteStorage(path, read_only=True)
    assert not path.exists()
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["one"], [])
    before = path.read_bytes()
    with SqliteStorage(path, read_only=True) as storage:
        assert storage.read_log("s", 0) == ["one"]
        with pytest.raises(Denied):
            storage.append("s", 1, ["two"], [])
    assert path.read_bytes() == before
