"""Text at the edge: surrogates, NUL, and every way in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybread import (
    Changes,
    Failure,
    FileChange,
    MemoryTree,
    Output,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
)
from waybread._text import scalar_values

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Open

    Call = Callable[[], ToolCall]


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("plain", "plain"),
        ("é 😀", "é 😀"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83d", "a\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd😀"),
        ("\udc80é", "\ufffdé"),
    ],
)
def test_surrogates(given_text: str, expected: str) -> None:
    assert scalar_values(given_text) == expected


@given(st.text(st.characters(exclude_categories=())))
def test_every_string_becomes_scalar_values(text: str) -> None:
    crossed = scalar_values(text)
    assert crossed.encode().decode() == crossed
    assert scalar_values(crossed) is crossed
    without_surrogates = all(not "\ud800" <= character <= "\udfff" for character in text)
    assert (crossed == text) or not without_surrogates


def test_surrogates_are_replaced_on_every_way_in(session: Session) -> None:
    lone = "\ud800"
    call = ToolCall(f"c{lone}", f"tool{lone}", {"pattern": lone})
    assert session.insert_result(call, Output(f"out{lone}")).text == "[#0001]\nout\ufffd"
    failed = session.insert_result(ToolCall("c2", "t"), Failure(f"fail{lone}"))
    assert failed.text == "[#0002]\nfail\ufffd"
    change = FileChange(f"p{lone}", None, f"x{lone}")
    changed = session.insert_result(ToolCall("c3", "t"), Changes([change], f"note{lone}"))
    hash_of_replaced = "".join(changed.text.split("sha ")[1][:8])
    assert changed.text == f"[#0003 p\ufffd sha {hash_of_replaced}] Created, 1 lines.\nnote\ufffd"
    assert session.resolve_path(f"x{lone}") == "/work/app/x\ufffd"
    assert "#\ufffd" in session.recall(ToolCall("c4", "recall"), lone).text


def test_the_hash_is_of_the_text_that_crossed(session: Session) -> None:
    texts = ["x\ufffd", "x\ud800"]
    shown = [
        session.insert_result(
            ToolCall(f"c{number}", "write"), Changes([FileChange("a", None, text)])
        ).text.split("sha ")[1]
        for number, text in enumerate(texts)
    ]
    assert shown[0] == shown[1]


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_is_stored_in_sqlite_as_it_came(text: str) -> None:
    with (
        SqliteStorage(":memory:") as storage,
        Session.open(
            f"k{text}", Settings(root="/a"), storage=storage, filesystem=MemoryTree()
        ) as session,
    ):
        shown = session.insert_result(ToolCall("c", "bash"), Output(text))
        assert session.stored_text(shown.id) == text
        assert "\0" not in shown.text


def test_nul_is_shown_and_stored(tmp_path: Path, open_session: Open, call: Call) -> None:
    path = tmp_path / "s.db"
    with SqliteStorage(path) as storage:
        session = open_session(storage=storage)
        assert session.insert_result(call(), Output("a\0b")).text == "[#0001]\na␀b"
        session.close()
    with SqliteStorage(path) as storage:
        session = open_session(storage=storage)
        assert session.stored_text("#0001") == "a\0b"
        session.close()
