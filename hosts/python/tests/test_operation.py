"""A whole compaction: which stages and models are asked, and what becomes of errors."""

from __future__ import annotations

import asyncio
import concurrent.futures
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Body,
    Compacted,
    Compaction,
    Confidence,
    FallbackModel,
    Health,
    HealthState,
    ModelRef,
    NotApplied,
    NotAppliedReason,
    OutOfOrderError,
    PendingSubagent,
    Pressure,
    PressureAction,
    Severity,
    Stage,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
    SummaryRequest,
    TokenEstimate,
    TokenStrategy,
)
from waybread._operation import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from waybread import SummaryOutcome, SummaryTarget

ESTIMATE = TokenEstimate(9, 9, TokenStrategy.WEIGHTS, Confidence.LOW)
HEALTH = Health(Severity.INFO, HealthState.STABLE, "Go on.")
FALLBACK = FallbackModel(ModelRef("there", "small"), {"model": "small"}, reason="idle 12m > 5m")
GIVEN = Compaction({"model": "m"}, steering="the tests")
NORMAL_GIVEN = replace(GIVEN, stage=Stage.NORMAL)
COMPACT, EMERGENCY, NONE = PressureAction.COMPACT, PressureAction.EMERGENCY, PressureAction.NONE


def pressure(action: PressureAction) -> Pressure:
    return Pressure(ESTIMATE, 100, 70, 99, 9, 1, 9, True, action, None, None)  # noqa: FBT003


def stage_of(compaction: Compaction) -> Stage:
    """The stage that is begun: an operation names it."""
    assert compaction.stage is not None
    return compaction.stage


def request(compaction: Compaction) -> SummaryRequest:
    on_fallback = compaction.target is not None
    body = Body().followed_by(0, "{}")
    return SummaryRequest(
        stage_of(compaction), body, 0, "{}", 2, "", ESTIMATE, 9, 5, 0, on_fallback, None, HEALTH
    )


def applied(stage: Stage) -> Compacted:
    told = pressure(NONE)
    return Compacted(stage, 2, 7, "S", "S", 5, 0, 9, 1, told, HEALTH, None, False, ())  # noqa: FBT003


def refused(stage: Stage, reason: NotAppliedReason, *, rerun: bool = False) -> NotApplied:
    return NotApplied(stage, reason, "Why.", rerun, None, state_cleared=False)


class Scripted:
    """A session that says how full it is, and takes the outcomes that `takes` names."""

    def __init__(
        self,
        actions: Iterable[PressureAction],
        takes: Callable[[Compaction, SummaryOutcome], bool] = lambda _, outcome: isinstance(
            outcome, SummaryReply
        ),
        begins: Callable[[Compaction], bool] = lambda _: True,
    ) -> None:
        self._actions = iter(actions)
        self._takes = takes
        self._begins = begins
        self.begun: list[Compaction] = []
        self.finished: list[tuple[SummaryOutcome, bool, tuple[PendingSubagent, ...]]] = []

    def pressure(self, parameters: object) -> Pressure:
        assert parameters == GIVEN.parameters
        return pressure(next(self._actions))

    def compact_begin(self, compaction: Compaction) -> SummaryRequest | NotApplied:
        self.begun.append(compaction)
        if self._begins(compaction):
            return request(compaction)
        return refused(stage_of(compaction), NotAppliedReason.NOTHING_TO_SUMMARISE)

    def compact_finish(
        self,
        outcome: SummaryOutcome,
        *,
        state_retired: bool,
        pending_subagents: Sequence[PendingSubagent],
    ) -> Compacted | NotApplied:
        self.finished.append((outcome, state_retired, tuple(pending_subagents)))
        compaction = self.begun[-1]
        if self._takes(compaction, outcome):
            return applied(stage_of(compaction))
        rerun = compaction.target is not None
        return refused(stage_of(compaction), NotAppliedReason.FAILED, rerun=rerun)


def run(
    session: Scripted,
    compaction: Compaction = GIVEN,
    send: Callable[[SummaryRequest], Any] = lambda _: "reply",
    **asked: Any,
) -> list[Compacted | NotApplied]:
    given = {"state_retired": None, "pending_subagents": None, **asked}
    return Operation(session, send, compaction, **given).run()


def asked(session: Scripted) -> list[tuple[Stage, SummaryTarget]]:
    return [(stage_of(begun), begun.target) for begun in session.begun]


def test_one_stage_is_enough() -> None:
    session = Scripted([COMPACT, NONE])
    assert run(session) == [applied(Stage.NORMAL)]
    assert session.begun == [NORMAL_GIVEN]
    assert session.finished == [(SummaryReply("reply"), False, ())]


def test_the_emergency_follows_where_the_normal_stage_was_not_enough() -> None:
    session = Scripted([COMPACT, EMERGENCY])
    assert run(session) == [applied(Stage.NORMAL), applied(Stage.EMERGENCY)]
    assert session.begun == [NORMAL_GIVEN, replace(GIVEN, stage=Stage.EMERGENCY)]


@pytest.mark.parametrize("begins", [True, False])
def test_the_emergency_follows_where_the_normal_stage_did_not_come_about(begins: bool) -> None:  # noqa: FBT001
    session = Scripted(
        [COMPACT, EMERGENCY],
        takes=lambda compaction, _: stage_of(compaction) is Stage.EMERGENCY,
        begins=lambda compaction: begins or stage_of(compaction) is Stage.EMERGENCY,
    )
    first, second = run(session)
    assert isinstance(first, NotApplied)
    assert second == applied(Stage.EMERGENCY)
    assert len(session.finished) == (2 if begins else 1)


def test_nothing_follows_where_nothing_is_asked_for() -> None:
    session = Scripted([NONE, NONE], begins=lambda _: False)
    assert run(session) == [refused(Stage.NORMAL, NotAppliedReason.NOTHING_TO_SUMMARISE)]


def test_a_stage_that_is_named_is_begun_with() -> None:
    session = Scripted([EMERGENCY])
    assert [end.stage for end in run(session, replace(GIVEN, stage=Stage.NORMAL))] == [
        Stage.NORMAL,
        Stage.EMERGENCY,
    ]


@pytest.mark.parametrize(("stage", "actions"), [(None, [EMERGENCY]), (Stage.EMERGENCY, [])])
def test_the_emergency_alone(stage: Stage | None, actions: list[PressureAction]) -> None:
    session = Scripted(actions, takes=lambda *_: False)
    assert run(session, replace(GIVEN, stage=stage)) == [
        refused(Stage.EMERGENCY, NotAppliedReason.FAILED)
    ]
    assert asked(session) == [(Stage.EMERGENCY, None)]


def test_the_main_model_is_asked_where_the_fallback_failed() -> None:
    session = Scripted([COMPACT, EMERGENCY], takes=lambda compaction, _: compaction.target is None)
    ends = run(session, replace(GIVEN, target=FALLBACK, main=ModelRef("here", "m")))
    # Both stages have one target; a session passes over a fallback that failed.
    assert asked(session) == [
        (Stage.NORMAL, FALLBACK),
        (Stage.NORMAL, None),
        (Stage.EMERGENCY, FALLBACK),
        (Stage.EMERGENCY, None),
    ]
    assert [isinstance(end, Compacted) for end in ends] == [False, True, False, True]
    assert all(begun.main == ModelRef("here", "m") for begun in session.begun)


def test_what_is_asked_after_each_request() -> None:
    session = Scripted([COMPACT, EMERGENCY])
    subagent = PendingSubagent("a1", "explore", "running")
    retired = iter([True, False])
    run(session, state_retired=lambda: next(retired), pending_subagents=lambda: [subagent])
    assert session.finished == [
        (SummaryReply("reply"), True, (subagent,)),
        (SummaryReply("reply"), False, (subagent,)),
    ]


@pytest.mark.parametrize(
    ("error", "words"),
    [(OSError("no route"), "OSError: no route"), (ConnectionError(), "ConnectionError")],
)
def test_what_sending_raises_is_a_failure(error: Exception, words: str) -> None:
    session = Scripted([COMPACT, NONE])

    def send(_: SummaryRequest) -> str:
        raise error

    (end,) = run(session, send=send)
    assert isinstance(end, NotApplied)
    assert session.finished == [(SummaryFailed(words), False, ())]


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        SystemExit(3),
        TimeoutError(),
        asyncio.TimeoutError(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
    ],
)
def test_a_cancellation_is_told_and_raised_again(error: BaseException) -> None:
    session = Scripted([COMPACT])

    def send(_: SummaryRequest) -> str:
        raise error

    with pytest.raises(type(error)) as caught:
        run(session, send=send)
    assert caught.value is error
    assert session.finished == [(SummaryCancelled(), False, ())]
    assert len(session.begun) == 1


def test_a_cancellation_matters_more_than_an_error_of_the_session() -> None:
    class Rewound(Scripted):
        def compact_finish(self, outcome: SummaryOutcome, **_: Any) -> Compacted | NotApplied:
            assert outcome == SummaryCancelled()
            raise OutOfOrderError("no compaction was begun", "no compaction was begun")

    def send(_: SummaryRequest) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Rewound([COMPACT]), send=send)


@pytest.mark.parametrize("returned", [None, b"reply", 1])
def test_what_sending_may_not_return(returned: object) -> None:
    session = Scripted([COMPACT])
    with pytest.raises(TypeError, match="`send` must return a mapping, a list or a str of JSON"):
        run(session, send=lambda _: returned)
    assert session.finished == [(SummaryCancelled(), False, ())]
