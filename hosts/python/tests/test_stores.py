"""Stores that earlier versions wrote: each session opens, and goes on with its bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Dialect,
    Kind,
    MemoryTree,
    Read,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

STORES = Path(__file__).parents[3] / "conformance" / "stores"


def sessions() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in sorted(STORES.glob("*.json")):
        for key, told in json.loads(path.read_text("utf-8")).items():
            yield path.stem, key, told


@pytest.mark.parametrize(("store", "key", "told"), list(sessions()))
def test_a_stored_session_goes_on_as_it_was(
    store: str, key: str, told: dict[str, Any], tmp_path: Path
) -> None:
    copy = shutil.copy(STORES / f"{store}.sqlite", tmp_path)
    dialect = Dialect(told["dialect"]) if told["dialect"] else None
    settings = Settings("/work/app", kind=Kind(told["kind"]), dialect=dialect)
    files = MemoryTree({"/work/app/a.ts": "".join(f"line {n}\n" for n in range(1, 301))})
    with SqliteStorage(copy) as storage:
        session = Session.open(key, settings, storage=storage, filesystem=files)
        if dialect is None:
            again = session.insert_result(ToolCall("again", "read"), Read("a.ts", limit=5)).text
            assert again.replace("#0003", "#0002") == told["shown"][1]
            return
        said = [
            [message.number, message.speaker.value, message.text]
            for message in session.conversation()
        ]
        assert said == told["messages"]
        request = session.build_request(told["parameters"])
        assert (str(request.body), request.difference) == (told["body"], None)
        assert request.number == told["requests"] + 1
        session.add_message(UserMessage("Go on."))
        assert str(session.build_request(told["parameters"]).body) == told["next"]
