"""The SQLite storage: the shared schema, and what a disk can do to it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from modes import needs_modes

from waybread import Conflict, Denied, Full, OtherFault, SqliteStorage, StoredText, Uncertain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        assert pragma(storage, "synchronous") == 3
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
        with pytest.raises(OtherFault, match=r"writer has held the database for over 0\.05 sec"):
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


@pytest.mark.skipif(os.name != "posix", reason="there are modes on POSIX alone")
def test_a_new_file_is_its_owner_s_alone(path: Path) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a"], [])
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    path.chmod(0o640)
    with SqliteStorage(path):
        assert path.stat().st_mode & 0o777 == 0o640


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace(path: Path) -> None:
    path.with_name("other.db").write_bytes(path.read_bytes())
    path.with_name("other.db").replace(path)


def remove_the_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.skipif(os.name != "posix", reason="an open file stays where it is on Windows")
@pytest.mark.parametrize("act", [Path.unlink, rename, replace, remove_the_log])
@pytest.mark.parametrize("written", [True, False])
def test_a_file_that_was_removed_takes_nothing(
    path: Path, act: Callable[[Path], object], *, written: bool
) -> None:
    with SqliteStorage(path) as storage:
        if written:
            storage.append("s", 0, ["a"], [])
        act(path)
        for _ in range(2):
            with pytest.raises(OtherFault, match="was removed or replaced since it was opened"):
                storage.append("s", int(written), ["b"], [])


def test_other_processes_do_not_look_like_a_removal(path: Path) -> None:
    with SqliteStorage(path) as storage:
        for length in range(3):
            with SqliteStorage(path) as other:
                other.append("other", length, ["a"], [])
                other._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            storage.append("s", length, ["a"], [])


@pytest.mark.parametrize(("deleted", "told"), [(0, 0), (1, 1)])
def test_a_log_with_a_gap_is_damaged(path: Path, deleted: int, told: int) -> None:
    with SqliteStorage(path) as storage:
        storage.append("s", 0, ["a", "b", "c"], [])
        storage._connection.execute("DELETE FROM waybread_log WHERE position = ?", (deleted,))
        with pytest.raises(OtherFault, match=f"log of `s` lacks record {told}: .* is damaged"):
            storage.read_log("s", 0)


def test_a_commit_that_fails_may_have_written(path: Path) -> None:
    class Failing:
        def __init__(self, connection: sqlite3.Connection) -> None:
            self.connection = connection

        def __getattr__(self, name: str) -> object:
            return getattr(self.connection, name)

        def execute(self, statement: str, *values: Any) -> object:
            if statement == "COMMIT":
                self.connection.execute(statement)
                raise sqlite3.OperationalError("disk I/O error")
            return self.connection.execute(statement, *values)

    with SqliteStorage(path) as storage:
        whole = storage._connection
        storage._connection = cast("sqlite3.Connection", Failing(whole))
        with pytest.raises(Uncertain, match=r"disk I/O error .*; it may have been written"):
            storage.append("s", 0, ["a"], [])
        storage._connection = whole
        assert storage.read_log("s", 0) == ["a"]


@pytest.mark.parametrize("given", [None, "", b"x.db", 7, "file:x.db", "file:///x.db"])
def test_what_is_no_path(given: Any) -> None:
    with pytest.raises(TypeError, match="`path` must be the path of a file or ':memory:', not"):
        SqliteStorage(given)


OPENER = """
import sys
from waybread import SqliteStorage
sys.stdin.readline()
for number in range(20):
    with SqliteStorage(f"{sys.argv[1]}/{number}.db") as storage:
        storage.append(sys.argv[2], 0, ["a"], [])
        assert storage._pragma("journal_mode") == "wal"
"""


def test_several_processes_make_one_file(tmp_path: Path) -> None:
    openers = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, str(tmp_path), str(number)], stdin=subprocess.PIPE
        )
        for number in range(4)
    ]
    for opener in openers:
        opener.communicate(b"go\n", timeout=60)
    assert [opener.returncode for opener in openers] == [0] * 4
    with SqliteStorage(tmp_path / "19.db") as storage:
        assert storage.sessions() == ["0", "1", "2", "3"]
