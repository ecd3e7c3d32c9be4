"""Arguments of a compaction that cannot be handed to the component, and how the rest crosses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    CacheCold,
    CacheWarm,
    Compaction,
    FallbackDisabled,
    FallbackModel,
    FallbackUnresolved,
    InvalidArgumentError,
    MainRequest,
    ModelRef,
    PendingSubagent,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
)
from waybread._convert import compaction as convert
from waybread._convert import fallback

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Values that the types would not let through.
NUMBER: Any = 1
NOTHING: Any = None
TEXT: Any = "1"
NO_JSON: Any = {"x": object()}

HERE, THERE = ModelRef("here", "big"), ModelRef("there", "small")


def finished(outcome: Any = NOTHING, **changed: Any) -> Mapping[str, Any]:
    given = {"state_retired": False, "pending_subagents": (), **changed}
    return convert.summary_result(outcome or SummaryCancelled(), **given)


@pytest.mark.parametrize(
    ("make", "error", "problem"),
    [
        (
            lambda: convert.compaction(NUMBER),
            TypeError,
            "`compaction` must be a Compaction, not int",
        ),
        (
            lambda: convert.compaction(Compaction(stage=TEXT)),
            InvalidArgumentError,
            "argument `compaction.stage` is `1`; it must be normal, emergency or shorten",
        ),
        (
            lambda: convert.compaction(Compaction(NO_JSON)),
            InvalidArgumentError,
            (
                "argument `compaction.parameters` cannot be written as JSON: "
                "Object of type object is not JSON serializable"
            ),
        ),
        (
            lambda: convert.compaction(Compaction(main=TEXT)),
            TypeError,
            "`compaction.main` must be a ModelRef, not str",
        ),
        (
            lambda: convert.compaction(Compaction(main=ModelRef("here", NOTHING))),
            TypeError,
            "`compaction.main.model` must be a str, not NoneType",
        ),
        (
            lambda: convert.compaction(Compaction(target=TEXT)),
            TypeError,
            "`compaction.target` must be a FallbackModel, FallbackUnresolved or None, not str",
        ),
        (
            lambda: convert.compaction(Compaction(target=FallbackModel(THERE, window=-1))),
            InvalidArgumentError,
            ("argument `compaction.target.fallback.window` is -1; it must be from 0 to 4294967295"),
        ),
        (
            lambda: convert.compaction(Compaction(steering=NUMBER)),
            TypeError,
            "`compaction.steering` must be a str, not int",
        ),
        (
            lambda: finished(TEXT),
            TypeError,
            "an outcome is a SummaryReply, SummaryFailed or SummaryCancelled, not str",
        ),
        (
            lambda: finished(SummaryReply(NUMBER)),
            TypeError,
            "`outcome.outcome.reply` must be a mapping, a list or a str of JSON, not int",
        ),
        (
            lambda: finished(state_retired=NOTHING),
            TypeError,
            "`outcome.state-retired` must be a bool, not NoneType",
        ),
        (
            lambda: finished(pending_subagents=TEXT),
            TypeError,
            "`outcome.pending-subagents` must be a sequence of PendingSubagent, not str",
        ),
        (
            lambda: finished(pending_subagents=[PendingSubagent("a", "b", NOTHING)]),
            TypeError,
            "`outcome.pending-subagents[0].state` must be a str, not NoneType",
        ),
        (
            lambda: fallback.main_request(MainRequest(HERE, at=2**64)),
            InvalidArgumentError,
            (
                "argument `request.at` is 18446744073709551616; "
                "it must be from 0 to 18446744073709551615"
            ),
        ),
        (
            lambda: fallback.main_request(MainRequest(HERE, at=1.5)),  # type: ignore[arg-type]
            TypeError,
            "`request.at` must be an int, not float",
        ),
    ],
)
def test_what_cannot_cross(
    make: Callable[[], object], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == problem


def test_a_compaction_with_all_that_it_can_have() -> None:
    model = FallbackModel(THERE, {"model": "s"}, window=9, max_output=2, reason="idle 2m > 1m")
    assert convert.compaction(Compaction('{"model": "m"}', main=HERE, target=model)) == {
        "stage": "normal",
        "main": {"provider": "here", "model": "big"},
        "parameters": '{"model": "m"}',
        "target": (
            "fallback",
            {
                "model": {"provider": "there", "model": "small"},
                "parameters": '{"model":"s"}',
                "window": 9,
                "max_output": 2,
                "reason": "idle 2m > 1m",
            },
        ),
        "steering": None,
    }
    unresolved = convert.compaction(Compaction(target=FallbackUnresolved("no key")))
    assert unresolved["target"] == ("unresolved", "no key")
    assert convert.compaction(Compaction())["target"] == ("main", None)


def test_how_a_summary_came_out() -> None:
    assert finished(SummaryReply({"content": "\ud800"}))["outcome"] == (
        "reply",
        '{"content":"\ufffd"}',
    )
    assert finished(SummaryFailed("down"))["outcome"] == ("failed", "down")
    subagent = PendingSubagent("a1", "explore", "running")
    assert finished(state_retired=True, pending_subagents=[subagent]) == {
        "outcome": ("cancelled", None),
        "state_retired": True,
        "pending_subagents": [{"id": "a1", "kind": "explore", "state": "running"}],
    }


def test_decisions() -> None:
    cases = [("disabled", None), ("warm", None), ("cold", "no recent request")]
    assert [fallback.decision(*case) for case in cases] == [
        FallbackDisabled(),
        CacheWarm(),
        CacheCold("no recent request"),
    ]
