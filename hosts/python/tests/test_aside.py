"""Sessions to look at: nothing is known of them, and nothing is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from turns import PARAMETERS, built, spoken, talking

from waybread import (
    Dialect,
    Kind,
    MemoryStorage,
    NotFound,
    OutOfOrderError,
    Output,
    Settings,
    StoredText,
    ToolCall,
    UserMessage,
)
from waybread._aside import Aside, look_at

if TYPE_CHECKING:
    from conftest import Open


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("dialect", Dialect)
def test_any_session(
    kind: Kind, dialect: Dialect, open_session: Open, storage: MemoryStorage
) -> None:
    overrides = {"budget": {"window": 10_000}}
    session = open_session(settings=talking(kind=kind, dialect=dialect, overrides=overrides))
    session.add_message(UserMessage("go on"))
    built(session)
    session.add_message(spoken(dialect, "so", "hm", ["c1", "c2"]))
    session.insert_result(ToolCall("c1", "bash"), Output("x\n" * 1000))
    log = storage.read_log("s", 0)
    with look_at(storage, "s") as looked:
        report = looked.context_report(PARAMETERS)
        assert report == session.context_report(PARAMETERS)
        assert report.pressure.window == 10_000
        assert looked.stored_text("#0001") == session.stored_text("#0001")
        assert built(looked).sha256
    assert storage.read_log("s", 0) == log
    assert built(session).length == report.bytes


def test_a_session_of_results_only(open_session: Open, storage: MemoryStorage) -> None:
    open_session(settings=Settings("/work/app", kind=Kind.CHAT))
    with look_at(storage, "s") as looked, pytest.raises(OutOfOrderError):
        looked.context_report()


def test_a_session_that_is_not_there(storage: MemoryStorage) -> None:
    with pytest.raises(KeyError, match="s"):
        look_at(storage, "s")


def test_what_is_written_aside(storage: MemoryStorage) -> None:
    storage.append("s", 0, ["one"], [StoredText("#0001", "1")])
    aside = Aside(storage, "s")
    aside.append("s", 1, ["two"], [StoredText("#0002", "2")])
    assert (aside.read_log("s", 0), aside.read_log("s", 1)) == (["one", "two"], ["two"])
    assert [aside.read_text("s", id) for id in ("#0001", "#0002")] == ["1", "2"]
    with pytest.raises(NotFound):
        aside.read_text("s", "#0003")
    assert storage.read_log("s", 0) == ["one"]
