"""Errors are copied and cross to another process as they are."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import waybread
from waybread import (
    CallAnsweredError,
    MemoryStorage,
    MemoryTree,
    Output,
    Session,
    Settings,
    StorageError,
    ToolCall,
    TrappedError,
    WaybreadError,
)
from waybread._recordings import UnplayableError
from waybread._replay_window import NotSentError
from waybread.storage import Conflict, Full, StorageFault

if TYPE_CHECKING:
    from collections.abc import Callable

GIVEN: dict[type[WaybreadError], tuple[Any, ...]] = {
    waybread.InvalidArgumentError: ("said", "call.id", "is empty"),
    waybread.InvalidSettingError: ("said", "context.cap", "is unknown"),
    waybread.SettingsDifferError: ("said", "kind", "agent", "chat"),
    CallAnsweredError: ("said", "c1", "#0001"),
    waybread.UnknownCallError: ("said", "c1", ["c2", "c3"]),
    waybread.UnknownMessageError: ("said", 7),
    waybread.UnknownRequestError: ("said", 7),
    waybread.UnknownGenerationError: ("said", 7),
    waybread.OutOfOrderError: ("said", "a compaction is under way"),
    waybread.UnknownIdError: ("said", "#0009"),
    waybread.RecordError: ("said", 4, "is no record"),
    waybread.NewerRecordError: ("said", 4, "is newer"),
    waybread.DamagedRecordError: ("said", 4, "is no record"),
    waybread.ConflictError: ("said", 12),
    StorageError: ("said", "append", Full("no room")),
    waybread.FileSystemError: ("said", "/x", "is gone"),
    Conflict: (12,),
    waybread.OtherFault: ("words",),
    waybread.Uncertain: ("words",),
    waybread.NotFound: (),
    waybread.Denied: ("words",),
    Full: ("words",),
    waybread.AuditError: ("next", "is no JSON"),
    UnplayableError: (3, "is no JSON"),
}


def classes(kind: type[WaybreadError] = WaybreadError) -> list[type[WaybreadError]]:
    """A class of errors and those below it."""
    return [kind, *(below for child in kind.__subclasses__() for below in classes(child))]


def seen(value: object) -> object:
    """What can be compared of an error, and of one in a field of it."""
    if not isinstance(value, BaseException):
        return value
    fields = {name: seen(field) for name, field in vars(value).items()}
    return type(value), value.args, str(value), fields, seen(value.__cause__)


def crossed(error: BaseException) -> BaseException:
    made: BaseException = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    return made


@pytest.mark.parametrize("copied", [crossed, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kind", dict.fromkeys(classes()), ids=lambda kind: kind.__name__)
def test_every_error_is_copied(
    kind: type[WaybreadError], copied: Callable[[BaseException], BaseException]
) -> None:
    error = kind(*GIVEN.get(kind, ("said",)))
    error.__cause__ = OSError(5, "the disk is gone")
    assert seen(copied(error))[:4] == seen(error)[:4]  # type: ignore[index]
    assert repr(copied(error).__cause__) == repr(error.__cause__)


def test_a_cause_that_cannot_cross_is_left_behind() -> None:
    class Local(Exception):  # noqa: N818 - a class that no other process can find
        pass

    error = TrappedError("said")
    error.__cause__ = Local()
    made = crossed(error)
    assert (str(made), made.__cause__) == ("said", None)


def answered_twice(_: int) -> None:
    tree, settings = MemoryTree(), Settings("/work/app")
    with Session.open("s", settings, storage=MemoryStorage(), filesystem=tree) as session:
        for _ in range(2):
            session.insert_result(ToolCall("c1", "bash"), Output("x"))


def test_a_pool_ends_with_the_error_of_its_worker() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answer = pool.map_async(answered_twice, [1])
        with pytest.raises(CallAnsweredError) as caught:
            answer.get(timeout=60)
    assert (caught.value.call, caught.value.id) == ("c1", "#0001")


def test_the_table_is_whole() -> None:
    plain = {
        WaybreadError, StorageFault, TrappedError, NotSentError,
        waybread.ClosedError, waybread.ReentryError,
    }  # fmt: skip
    assert set(classes()) == set(GIVEN) | plain
