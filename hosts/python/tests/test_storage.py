"""What every storage promises."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from waybread import Conflict, MemoryStorage, NotFound, OtherFault, SqliteStorage, StoredText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybread import Storage


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
        return
    with SqliteStorage(tmp_path / "sessions.db") as opened:
        yield opened


def test_a_session_that_was_never_written_is_empty(storage: Storage) -> None:
    assert list(storage.read_log("s", 0)) == []
    with pytest.raises(NotFound):
        storage.read_text("s", "#0001")


def test_records_and_texts_come_back_in_order(storage: Storage) -> None:
    storage.append("s", 0, ["a", "b"], [StoredText("#0001", "one")])
    storage.append("s", 2, ["c"], [])
    assert list(storage.read_log("s", 0)) == ["a", "b", "c"]
    assert list(storage.read_log("s", 2)) == ["c"]
    assert list(storage.read_log("s", 3)) == []
    assert list(storage.read_log("s", 9)) == []
    assert storage.read_text("s", "#0001") == "one"


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_conflict_names_the_length_and_writes_nothing(storage: Storage, expected: int) -> None:
    storage.append("s", 0, ["a", "b"], [])
    with pytest.raises(Conflict) as caught:
        storage.append("s", expected, ["x"], [StoredText("#0009", "x")])
    assert caught.value.length == 2
    assert list(storage.read_log("s", 0)) == ["a", "b"]
    with pytest.raises(NotFound):
        storage.read_text("s", "#0009")


def test_a_text_stored_twice_is_refused_whole(storage: Storage) -> None:
    storage.append("s", 0, ["a"], [StoredText("#0001", "first")])
    with pytest.raises(OtherFault):
        storage.append("s", 1, ["b"], [StoredText("#0002", "x"), StoredText("#0001", "second")])
    assert list(storage.read_log("s", 0)) == ["a"]
    assert storage.read_text("s", "#0001") == "first"
    with pytest.raises(NotFound):
        storage.read_text("s", "#0002")


def test_sessions_do_not_mix(storage: Storage) -> None:
    storage.append("a", 0, ["1"], [StoredText("#0001", "of a")])
    storage.append("b", 0, ["2"], [StoredText("#0001", "of b")])
    assert storage.read_text("a", "#0001") == "of a"
    assert list(storage.read_log("b", 0)) == ["2"]


@pytest.mark.parametrize(
    "text", ["", "\0", "a\0b\0", "\r\n\x1b[0m\x7f\x85\u2028", "😀\ufeff\uffff"]
)
def test_any_text_comes_back_as_it_was(storage: Storage, text: str) -> None:
    storage.append(f"key {text}", 0, [text], [StoredText("#0001", text)])
    assert list(storage.read_log(f"key {text}", 0)) == [text]
    assert storage.read_text(f"key {text}", "#0001") == text


def test_of_many_threads_one_wins_each_place(storage: Storage) -> None:
    conflicts: list[int] = []

    def write(name: str) -> None:
        for _ in range(20):
            length = len(storage.read_log("s", 0))
            try:
                storage.append("s", length, [name], [])
            except Conflict as conflict:
                conflicts.append(conflict.length)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(storage.read_log("s", 0)) == 80 - len(conflicts)
