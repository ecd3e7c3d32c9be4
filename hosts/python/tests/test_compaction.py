"""Compaction: what the typed interface takes and gives."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, built, call, messages, reply, talking, turn

from waybread import (
    CacheCold,
    CacheWarm,
    Compacted,
    Compaction,
    Confidence,
    ContextState,
    DifferenceCause,
    FallbackDisabled,
    FallbackModel,
    FallbackStatus,
    FallbackUnresolved,
    FallbackUse,
    Generation,
    HealthState,
    InvalidArgumentError,
    MainRequest,
    ModelRef,
    NotApplied,
    NotAppliedReason,
    OutOfOrderError,
    Output,
    PendingSubagent,
    PressureAction,
    Sender,
    Session,
    Severity,
    Speaker,
    Stage,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
    SummaryRequest,
    TokenStrategy,
    ToolCall,
    UnknownGenerationError,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Open

GIVEN = Compaction(PARAMETERS)
HERE, THERE = ModelRef("here", "big"), ModelRef("there", "small")
WINDOW = {"budget": {"window": 8_000, "max_output": 1_000}}


def summary(text: str, **more: Any) -> SummaryReply:
    """A reply to a request for a summary, a whole response."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **more}
    return SummaryReply({"choices": [choice]})


def talked(session: Session) -> None:
    """A turn that is worth a summary, with a file read, and a request before each reply."""
    session.add_message(UserMessage("fix the tests"))
    built(session)
    session.add_message(reply(None, call("c1", "bash", '{"command": "pytest -q"}')))
    session.insert_result(ToolCall("c1", "bash", '{"command": "pytest -q"}'), Output("word " * 900))
    built(session)
    session.add_message(reply("They pass."))


def begun(session: Session, compaction: Compaction = GIVEN) -> SummaryRequest:
    """The request for a summary, whose body is checked."""
    request = session.compact_begin(compaction)
    assert isinstance(request, SummaryRequest)
    assert hashlib.sha256(bytes(request.body)).hexdigest() == request.sha256
    assert len(request.body) == request.length
    return request


def compacted(session: Session, text: str = "All is well.") -> Compacted:
    begun(session)
    end = session.compact_finish(summary(text))
    assert isinstance(end, Compacted)
    return end


def test_pressure(open_session: Open) -> None:
    session = open_session(settings=talking(overrides=WINDOW))
    session.add_message(UserMessage("word " * 3_000))
    asked = session.pressure(PARAMETERS)
    assert asked == built(session).pressure
    assert (asked.window, asked.soft_limit, asked.margin, asked.reserve) == (
        8_000,
        5_600,
        256,
        1_000,
    )
    assert asked.hard_limit == 7_744
    assert asked.used == asked.estimate.tokens == asked.estimate.raw > 2_500
    assert asked.estimate.strategy is TokenStrategy.WEIGHTS
    assert asked.estimate.confidence is Confidence.LOW
    assert (asked.fits, asked.action, asked.reason, asked.health) == (
        True,
        PressureAction.NONE,
        None,
        None,
    )


def test_a_request_that_nothing_helps(open_session: Open) -> None:
    session = open_session(settings=talking(overrides=WINDOW))
    session.add_message(UserMessage("word " * 9_000))
    asked = session.pressure(PARAMETERS)
    assert (asked.fits, asked.action) == (False, PressureAction.STOP)
    assert asked.reason is not None
    assert asked.reason.startswith("request exceeds context window: prompt=")
    assert asked.health is not None
    assert (asked.health.severity, asked.health.state) == (
        Severity.CRITICAL,
        HealthState.LIKELY_LOSSY,
    )
    assert asked.health.guidance


def test_the_request_for_a_summary_stands_beside_the_last_one(talk: Session) -> None:
    talked(talk)
    last = built(talk)
    asked = begun(talk, Compaction(PARAMETERS, steering="the tests"))
    assert bytes(asked.body) == bytes(last.body)[: asked.keep] + asked.tail.encode()
    assert asked.keep > len(last.body) * 0.9
    *before, prompt = asked.body.json()["messages"]
    assert before == last.body.json()["messages"]
    assert prompt["content"].endswith(
        "The person asks that the summary attends to this:\nthe tests"
    )
    assert (asked.stage, asked.on_fallback, asked.fallback) == (Stage.NORMAL, False, None)
    assert (asked.covers, asked.retains) == (3, 0)
    assert asked.health.state is HealthState.COMPACTING
    # The next request goes on from the one before it.
    talk.add_message(UserMessage("and now?"))
    following = built(talk)
    assert following.keep > asked.keep * 0.9
    assert bytes(following.body).startswith(bytes(last.body)[: following.keep])


def test_a_summary_takes_the_place_of_what_it_covers(talk: Session) -> None:
    talked(talk)
    built(talk)
    end = compacted(talk, "The tests pass.")
    assert (end.stage, end.generation, end.summary) == (Stage.NORMAL, 2, "The tests pass.")
    assert (end.covered, end.retained, end.state_cleared, end.warnings) == (3, 0, False, ())
    assert end.tokens_after < end.tokens_before
    assert "The tests pass." in end.text
    assert end.pressure == talk.pressure(PARAMETERS)
    (only,) = talk.conversation()
    assert (only.number, only.speaker, only.text) == (end.message, Speaker.SUMMARY, end.text)
    request = built(talk)
    assert request.difference is not None
    assert request.difference.cause is DifferenceCause.COMPACTION
    assert [message["content"] for message in messages(request)] == [end.text]


def test_generations(talk: Session) -> None:
    talked(talk)
    before = talk.conversation()
    compacted(talk, "The tests pass.")
    assert talk.lineage() == [
        Generation(1, 3, None, None, None),
        Generation(2, 1, Stage.NORMAL, "The tests pass.", None),
    ]
    assert talk.generation(1) == before
    assert talk.generation(2) == talk.conversation()
    with pytest.raises(UnknownGenerationError, match="3") as caught:
        talk.generation(3)
    assert caught.value.number == 3
    assert talk.stored_text("#0001") == "word " * 900


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (SummaryFailed("down"), NotAppliedReason.FAILED),
        (SummaryCancelled(), NotAppliedReason.CANCELLED),
        (SummaryReply("no JSON"), NotAppliedReason.UNREADABLE),
        (summary(" "), NotAppliedReason.EMPTY),
        (summary("half a", finish_reason="length"), NotAppliedReason.CUT_OFF),
        (SummaryReply(reply(None, call("c9")).json), NotAppliedReason.ONLY_CALLS),
        (SummaryReply(reply("", refusal="I will not.").json), NotAppliedReason.REFUSED),
    ],
)
def test_a_compaction_that_does_not_come_about(
    open_session: Open, outcome: Any, reason: NotAppliedReason
) -> None:
    bodies = []
    for key in ("never asked", "asked"):
        session = open_session(key=key, settings=talking())
        talked(session)
        built(session)
        if key == "asked":
            begun(session)
            end = session.compact_finish(outcome)
            assert isinstance(end, NotApplied)
            assert (end.reason, end.rerun_on_main, end.fallback) == (reason, False, None)
            assert end.message
        session.add_message(UserMessage("go on"))
        request = built(session)
        bodies.append((request.keep, request.tail))
    assert bodies[0] == bodies[1]


def test_nothing_to_summarise(talk: Session) -> None:
    talk.add_message(UserMessage("hello"))
    assert talk.compact_begin(GIVEN) == NotApplied(
        Stage.NORMAL,
        NotAppliedReason.NOTHING_TO_SUMMARISE,
        talk.compact_begin(GIVEN).message,  # type: ignore[union-attr]
        rerun_on_main=False,
        fallback=None,
        state_cleared=False,
    )


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (lambda s: s.compact_finish(SummaryCancelled()), "compaction"),
        (lambda s: (turn(s, call("c7")), s.compact_begin(GIVEN)), "open"),
        (
            lambda s: (begun(s), built(s), s.compact_finish(summary("x"))),
            "request",
        ),
    ],
)
def test_calls_out_of_order(talk: Session, act: Callable[[Session], object], problem: str) -> None:
    talked(talk)
    with pytest.raises(OutOfOrderError) as caught:
        act(talk)
    assert problem in caught.value.problem


def test_what_came_in_meanwhile_stays(talk: Session) -> None:
    talked(talk)
    begun(talk)
    talk.add_message(UserMessage("one more thing"))
    subagents = [PendingSubagent("a1", "explore", "running")]
    end = talk.compact_finish(summary("S"), pending_subagents=subagents)
    assert isinstance(end, Compacted)
    speakers = [message.speaker for message in talk.conversation()]
    assert speakers == [Speaker.SUMMARY, Speaker.PERSON, Speaker.SUBAGENT]
    assert "a1" in talk.conversation()[-1].text


def test_a_subagent_speaks(talk: Session) -> None:
    talk.add_message(UserMessage("found it", sender=Sender.SUBAGENT))
    assert talk.conversation()[0].speaker is Speaker.SUBAGENT


def test_the_provider_s_own_state(open_session: Open) -> None:
    stateful = {"budget": {"window": 8_000, "max_output": 100, "provider": "stateful"}}
    session = open_session(settings=talking(overrides=stateful))
    talked(session)
    begun(session)
    assert session.compact_finish(SummaryFailed("x"), state_retired=True).state_cleared
    begun(session)
    assert session.compact_finish(summary("S"), state_retired=True).state_cleared


def test_how_long_the_cache_is_idle(talk: Session) -> None:
    def due(now: int, **changed: Any) -> object:
        return talk.fallback_due(HERE, **{"after_ms": 300_000, "now": now, **changed})

    assert talk.last_main_request() is None
    assert due(0) == CacheCold("no recent request")
    told = MainRequest(HERE, "key", at=2**53)
    talk.main_request_answered(told)
    assert talk.last_main_request() == told
    assert due(2**53 + 60_000, cache_key="key") == CacheWarm()
    assert due(2**53 + 720_000, cache_key="key") == CacheCold("idle 12m > 5m")
    assert due(2**53 + 60_000) == CacheCold("no recent request")
    assert due(2**53, after_ms=0) == FallbackDisabled()
    with pytest.raises(InvalidArgumentError):
        talk.main_request_answered(MainRequest(ModelRef("", "big"), at=0))


def test_a_fallback(talk: Session) -> None:
    talked(talk)
    target = FallbackModel(THERE, {"model": "small"}, reason="idle 12m > 5m")
    asked = begun(talk, Compaction(PARAMETERS, main=HERE, target=target))
    assert asked.on_fallback
    assert asked.body.json()["model"] == "small"
    end = talk.compact_finish(summary("S"))
    assert end.fallback == FallbackUse(FallbackStatus.USED, "there/small", "idle 12m > 5m")
    assert talk.lineage()[-1].fallback == "there/small"


def test_a_fallback_that_could_not_be_resolved(talk: Session) -> None:
    talked(talk)
    target = FallbackUnresolved("no key")
    asked = begun(talk, Compaction(PARAMETERS, main=HERE, target=target))
    assert not asked.on_fallback
    assert asked.fallback == FallbackUse(FallbackStatus.SKIPPED, None, "fallback failed: no key")


def test_a_whole_operation(talk: Session) -> None:
    talked(talk)
    sent = []

    def send(request: SummaryRequest) -> Any:
        sent.append(request)
        return summary("The tests pass.").json

    (end,) = talk.compact(send, GIVEN)
    assert isinstance(end, Compacted)
    assert [request.body.json()["model"] for request in sent] == ["m"]
    assert talk.conversation()[0].text == end.text


def test_a_fallback_that_fails_and_the_main_model_after_it(talk: Session) -> None:
    talked(talk)
    target = FallbackModel(THERE, {"model": "small"}, reason="idle 12m > 5m")

    def send(request: SummaryRequest) -> Any:
        if request.on_fallback:
            raise OSError("no route")
        return summary("S").json

    failed, end = talk.compact(send, Compaction(PARAMETERS, main=HERE, target=target))
    assert isinstance(failed, NotApplied)
    assert failed.rerun_on_main
    assert isinstance(end, Compacted)
    assert end.fallback is not None
    assert end.fallback.status is FallbackStatus.SKIPPED
    assert "no route" in end.fallback.reason


def test_a_cancelled_operation_leaves_all_as_it_was(talk: Session) -> None:
    talked(talk)
    before = talk.conversation()

    def send(_: SummaryRequest) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        talk.compact(send, GIVEN)
    assert talk.conversation() == before
    with pytest.raises(OutOfOrderError):
        talk.compact_finish(summary("S"))


def test_the_history_archive(open_session: Open, tmp_path: Path) -> None:
    session = open_session(settings=talking(overrides={"archive": {"keep": "markdown"}}))
    talked(session)
    path = tmp_path / "history.md"
    assert session.history() == ""
    assert not session.write_history(path)
    assert not path.exists()
    compacted(session)
    assert "fix the tests" in session.history()
    assert session.write_history(path)
    assert path.read_bytes().decode() == session.history()


def test_a_failing_archive_is_a_warning(open_session: Open) -> None:
    inside = {"archive": {"keep": "markdown", "path": "/work/app/history.md"}}
    session = open_session(settings=talking(overrides=inside))
    talked(session)
    (warning,) = compacted(session).warnings
    assert warning.startswith("archive compacted history: ")


def test_the_state_beside_the_conversation(talk: Session) -> None:
    talked(talk)
    assert talk.context_state() == ContextState(("bash command=pytest -q",), 1)


def test_a_session_of_results_only(session: Session) -> None:
    assert session.last_main_request() is None
    assert session.context_state() == ContextState((), 0)
    for ask in (session.pressure, lambda: session.compact_begin(GIVEN)):
        with pytest.raises(OutOfOrderError):
            ask()
