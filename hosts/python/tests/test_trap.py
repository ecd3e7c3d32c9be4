"""The component stops in the middle of a call: nothing is lost, and the session goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waybread import (
    MemoryStorage,
    Output,
    Read,
    Session,
    ToolCall,
    TrappedError,
    Treatment,
    WaybreadError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Open

    from waybread import MemoryTree

    Call = Callable[[], ToolCall]

LIMIT = 4 * 2**20
TOO_MUCH = "x" * (5 * 2**20)


@pytest.fixture
def limited(open_session: Open) -> Session:
    return open_session(memory_limit=LIMIT)


def test_a_call_that_needs_too_much_memory(limited: Session, call: Call) -> None:
    first = limited.insert_result(call(), Read("a.ts"))
    with pytest.raises(
        TrappedError, match=r"^the component stopped: .*; what it had stored is not lost$"
    ):
        limited.insert_result(call(), Output(TOO_MUCH))
    assert limited.stored_text(first.id) == "1: one\n2: two\n3: three"
    stub = limited.insert_result(call(), Read("a.ts"))
    assert (stub.id, stub.treatment, stub.refers_to) == (
        "#0002",
        Treatment.UNCHANGED_READ,
        "#0001",
    )


def test_the_same_call_may_be_made_again(limited: Session) -> None:
    call = ToolCall("c", "bash")
    for _ in range(3):
        with pytest.raises(TrappedError):
            limited.insert_result(call, Output(TOO_MUCH))
    assert limited.insert_result(call, Output("shorter")).id == "#0001"


def test_a_file_that_needs_too_much_memory(limited: Session, tree: MemoryTree, call: Call) -> None:
    tree.write("/work/app/huge", TOO_MUCH)
    with pytest.raises(TrappedError):
        limited.insert_result(call(), Read("huge"))
    assert limited.last_read("huge") is None
    assert limited.insert_result(call(), Output("x")).id == "#0001"


def test_a_text_too_long_to_come_back_is_still_stored(
    limited: Session, open_session: Open, storage: MemoryStorage, call: Call
) -> None:
    open_session().insert_result(call(), Output(TOO_MUCH))
    limited.reopen()
    with pytest.raises(TrappedError):
        limited.stored_text("#0001")
    assert storage.read_text("s", "#0001") == TOO_MUCH
    assert limited.insert_result(call(), Output("x")).id == "#0002"


def test_a_limit_too_low_to_begin(open_session: Open) -> None:
    with pytest.raises(TrappedError, match="memory"):
        open_session(memory_limit=1000)


def test_the_log_outgrew_the_limit(open_session: Open, storage: MemoryStorage, call: Call) -> None:
    session = open_session()
    session.insert_result(call(), Output("x"))
    record = storage.read_log("s", 0)[-1]
    storage.append("s", len(storage.read_log("s", 0)), [record[:-1] + " " * 5 * 2**20 + "}"], [])
    for _ in range(2):
        with pytest.raises(TrappedError):
            open_session(memory_limit=LIMIT)


def test_a_package_without_its_component(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from waybread import _component  # noqa: PLC0415

    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    with pytest.raises(WaybreadError, match=r"lacks its component `waybread\.wasm`"):
        _component.Component("waybread.wasm", "waybread:context/context@0.1.0")
