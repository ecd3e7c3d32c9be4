"""A log whose numbers somebody changed is damaged or is read, and never a trap or gigabytes."""

from __future__ import annotations

import json
import resource
import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Dialect,
    Kind,
    MemoryStorage,
    MemoryTree,
    Session,
    Settings,
    StoredText,
    TrappedError,
    UserMessage,
    WaybreadError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STORES = Path(__file__).parents[3] / "conformance" / "stores"
EXTREMES = (0, 2**31, 2**32 - 1, 2**64 - 1, -1)
# More than what a session of some records needs, and less than what a number could ask for.
MOST_KILOBYTES = 400_000


def logs() -> Iterator[tuple[str, list[str], dict[str, str], dict[str, Any]]]:
    told = json.loads((STORES / "v1.json").read_text("utf-8"))
    with sqlite3.connect(f"file:{STORES / 'v1.sqlite'}?mode=ro", uri=True) as stored:
        for key, about in told.items():
            rows = stored.execute(
                "SELECT record FROM waybread_log WHERE session = ? ORDER BY position", [key]
            )
            texts = stored.execute("SELECT id, text FROM waybread_text WHERE session = ?", [key])
            yield key, [record for (record,) in rows], dict(texts), about


def numbers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the numbers of a JSON value stand."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from numbers(item, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


def changed(record: str, path: tuple[str | int, ...], number: int) -> str:
    value = json.loads(record)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = number
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def use(key: str, records: list[str], texts: dict[str, str], about: dict[str, Any]) -> None:
    """Opens the session and asks it for all that its numbers decide."""
    storage = MemoryStorage()
    storage.append(key, 0, records, [StoredText(*text) for text in texts.items()])
    dialect = Dialect(about["dialect"]) if about["dialect"] else None
    settings = Settings("/work/app", kind=Kind(about["kind"]), dialect=dialect)
    files = MemoryTree({"/work/app/a.ts": "one\ntwo\n"})
    session = Session.open(key, settings, storage=storage, filesystem=files)
    if dialect is None:
        return
    parameters = about["parameters"]
    for ask in (
        lambda: session.pressure(parameters),
        lambda: session.build_request(parameters),
        session.cache_report,
        session.lineage,
        session.conversation,
        session.snapshot,
        lambda: session.context_report(parameters),
        lambda: session.rewind(2),
        lambda: session.add_message(UserMessage("Go on.")),
        lambda: session.build_request(parameters),
    ):
        refused_or_answered(ask)


def refused_or_answered(ask: Callable[[], object]) -> None:
    try:
        ask()
    except WaybreadError as error:
        if isinstance(error, TrappedError):
            raise


@pytest.mark.parametrize("log", list(logs()), ids=lambda log: log[0])
def test_no_number_of_a_log_is_a_trap(
    log: tuple[str, list[str], dict[str, str], dict[str, Any]],
) -> None:
    key, records, texts, about = log
    # Rules have hundreds of numbers: one extreme each, another one in turn.
    turn = 0
    for position, record in enumerate(records):
        for path in numbers(json.loads(record)):
            rules = "rules" in path
            for number in (EXTREMES[turn % len(EXTREMES)],) if rules else EXTREMES:
                turn += 1
                mutated = [*records]
                mutated[position] = changed(record, path, number)
                refused_or_answered(partial(use, key, mutated, texts, about))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MOST_KILOBYTES
