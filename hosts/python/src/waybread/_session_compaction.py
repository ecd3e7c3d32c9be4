"""The part of a session that deals with a full window: pressure, compaction, fallback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import compaction as convert
from waybread._convert import fallback
from waybread._convert import pressure as convert_pressure
from waybread._operation import Operation
from waybread.compaction import Compaction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from waybread._handle import Handle
    from waybread._operation import Send
    from waybread.compaction import (
        Compacted,
        NotApplied,
        PendingSubagent,
        SummaryOutcome,
        SummaryRequest,
    )
    from waybread.fallback import FallbackDecision, MainRequest, ModelRef
    from waybread.pressure import Pressure


class Compactions:
    """How full the window is, and summaries that make room (`docs/compaction.md`).

    A session needs a dialect for it.
    """

    _handle: Handle

    def pressure(self, parameters: Mapping[str, object] | str = "") -> Pressure:
        """Say how full the window would be with the next request, which is not built ("Pressure").

        Ask before `build_request`: a request that is not sent is best not built.

        Args:
            parameters: As `build_request` takes them; an empty text stands for those of the newest
                request, if there is one.

        Raises:
            InvalidArgumentError: As `build_request`.
            OutOfOrderError: The session has no dialect or no message.
            StorageError: The storage failed.
        """
        answer = self._handle.call("pressure", given.spelled("parameters", parameters))
        return convert_pressure.pressure(answer)

    def compact(
        self,
        send: Send,
        compaction: Compaction,
        *,
        state_retired: Callable[[], bool] | None = None,
        pending_subagents: Callable[[], Sequence[PendingSubagent]] | None = None,
    ) -> list[Compacted | NotApplied]:
        """Compact: ask for a summary, and put it in the place of what it covers.

        The stage `EMERGENCY` is performed, too or at once, where the pressure asks for it. Where a
        fallback fails, the main model is asked. `compact_begin` and `compact_finish` are the halves
        of this, for programs that send in another way.

        Args:
            send: Sends a `SummaryRequest`'s `body`, to the fallback if `on_fallback`, and returns
                the reply as `SummaryReply.json` has it. What it raises is the stage's failure,
                `FAILED` with its words; Ctrl-C, an exit, a cancellation and a `TimeoutError` end
                the operation: they are told to the session, which is as it was, and raised again.
            compaction: What is to begin. A stage that it names is the one that is begun with.
            state_retired: Asked after each request: whether a stateful provider dropped its own
                state of the conversation, be it by the reply, by a signal or by its error. None:
                it has none.
            pending_subagents: Asked after each request: subagents whose results are still to come.
                None: there are none.

        Returns:
            How each attempt ended, in their order; the last says how the session stands. Those
            before it are a fallback's that failed, and the normal stage's where the emergency
            stage followed. What a stage applied stands, also if the next one fails.

        Raises:
            InvalidArgumentError: As `compact_begin`.
            OutOfOrderError: As `compact_begin`, or `send` built a request or took messages back.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        given.must_be(Compaction, "compaction", compaction)
        return Operation(self, send, compaction, state_retired, pending_subagents).run()

    def compact_begin(self, compaction: Compaction) -> SummaryRequest | NotApplied:
        """Ask for a summary of the conversation ("What a stage covers").

        The request is the next turn of the same conversation, and is neither shown nor stored.
        Nothing changes until `compact_finish`, which takes the reply.

        Returns:
            The request, to be sent; or why no compaction comes about.

        Raises:
            InvalidArgumentError: Parameters as `build_request` refuses them, or an empty provider
                or model.
            OutOfOrderError: The session has no dialect or no message, or calls are open: insert
                their results first.
            StorageError: The storage failed.
        """
        case, answer, body = self._handle.begin(convert.compaction(compaction))
        if case == "request":
            return convert.summary_request(answer, body)
        return convert.not_applied(answer)

    def compact_finish(
        self,
        outcome: SummaryOutcome,
        *,
        state_retired: bool = False,
        pending_subagents: Sequence[PendingSubagent] = (),
    ) -> Compacted | NotApplied:
        """Put the summary in the place of what it covers ("What a compaction leaves").

        Or leave all as it was, with the reason. What was added since `compact_begin` stays.

        Args:
            outcome: What came of the request: a `SummaryReply`, `SummaryFailed` or
                `SummaryCancelled`.
            state_retired: Whether a stateful provider dropped its own state of the conversation,
                be it by the reply, by a signal or by its error.
            pending_subagents: Subagents whose results are still to come.

        Raises:
            OutOfOrderError: No compaction was begun since the session was opened, or since then
                messages were taken back, a request was built or a compaction finished.
            InvalidArgumentError: A subagent without an id, kind or state.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        result = convert.summary_result(
            outcome, state_retired=state_retired, pending_subagents=pending_subagents
        )
        return convert.compaction_end(*self._handle.call("compact-finish", result))

    def main_request_answered(self, request: MainRequest) -> None:
        """Say that the main model answered a request, so that `fallback_due` knows how long ago.

        After each; not after a fallback's. Also seeds a session that carries on for another one.

        Raises:
            InvalidArgumentError: An empty provider or model.
            OutOfOrderError: The session has no dialect.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        self._handle.call("main-request-answered", fallback.main_request(request))

    def last_main_request(self) -> MainRequest | None:
        """Return the last main request that was told; None after none."""
        answer = self._handle.look("last-main-request")
        return None if answer is None else fallback.last_main_request(answer)

    def fallback_due(
        self, main: ModelRef, *, after_ms: int, now: int, cache_key: str = ""
    ) -> FallbackDecision:
        """Say whether the main model's cache is cold, so that a fallback may be resolved.

        Args:
            main: The main model. A last request of another, or with another cache key, counts as
                none.
            after_ms: For how long an idle cache stays warm, in milliseconds; 0 switches the
                fallback off.
            now: On the clock of `MainRequest.at`, in milliseconds.
            cache_key: The key under which the provider caches prompts.

        Raises:
            OutOfOrderError: The session has no dialect.
        """
        arguments = (
            fallback.model_ref("main", main),
            given.text("cache-key", cache_key),
            given.milliseconds("after-ms", after_ms),
            given.milliseconds("now", now),
        )
        return fallback.decision(*self._handle.call("fallback-due", *arguments))
