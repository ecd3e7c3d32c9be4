"""A whole compaction: its stages, its fallback, and what becomes of errors."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from waybread.compaction import (
    NotApplied,
    Stage,
    SummaryCancelled,
    SummaryFailed,
    SummaryReply,
    SummaryRequest,
)
from waybread.errors import WaybreadError
from waybread.pressure import PressureAction

if TYPE_CHECKING:
    from waybread.compaction import Compacted, Compaction, PendingSubagent, SummaryOutcome
    from waybread.pressure import Pressure

Send = Callable[[SummaryRequest], Mapping[str, object] | Sequence[object] | str]
"""Sends a request for a summary, and returns the reply as `SummaryReply.json` has it."""


ENDS = (CancelledError, TimeoutError, asyncio.TimeoutError, concurrent.futures.TimeoutError)
"""What ends the operation. Before Python 3.11 the three timeouts are three classes."""


class Compacting(Protocol):
    """What an operation asks of a session."""

    def pressure(self, parameters: Mapping[str, object] | str) -> Pressure:
        """As `Session.pressure`."""

    def compact_begin(self, compaction: Compaction) -> SummaryRequest | NotApplied:
        """As `Session.compact_begin`."""

    def compact_finish(
        self,
        outcome: SummaryOutcome,
        *,
        state_retired: bool,
        pending_subagents: Sequence[PendingSubagent],
    ) -> Compacted | NotApplied:
        """As `Session.compact_finish`."""


class Operation:
    """One compaction, from the first request to its end. The arguments are `Session.compact`'s."""

    def __init__(
        self,
        session: Compacting,
        send: Send,
        compaction: Compaction,
        state_retired: Callable[[], bool] | None,
        pending_subagents: Callable[[], Sequence[PendingSubagent]] | None,
    ) -> None:
        self._session = session
        self._send = send
        self._compaction = compaction
        self._state_retired = state_retired or (lambda: False)
        self._pending_subagents = pending_subagents or (lambda: ())
        self._ends: list[Compacted | NotApplied] = []

    def run(self) -> list[Compacted | NotApplied]:
        """Perform the stages; returns how each attempt ended."""
        stage = self._compaction.stage
        if stage is None:
            stage = Stage.EMERGENCY if self._is_emergency() else Stage.NORMAL
        self._perform(stage)
        if stage != Stage.EMERGENCY and self._is_emergency():
            self._perform(Stage.EMERGENCY)
        return self._ends

    def _is_emergency(self) -> bool:
        asked = self._session.pressure(self._compaction.parameters).action
        return asked is PressureAction.EMERGENCY

    def _perform(self, stage: Stage) -> None:
        compaction = replace(self._compaction, stage=stage)
        end = self._attempt(compaction)
        if isinstance(end, NotApplied) and end.rerun_on_main:
            self._attempt(replace(compaction, target=None))

    def _attempt(self, compaction: Compaction) -> Compacted | NotApplied:
        begun = self._session.compact_begin(compaction)
        end = begun if isinstance(begun, NotApplied) else self._finish(self._outcome(begun))
        self._ends.append(end)
        return end

    def _outcome(self, request: SummaryRequest) -> SummaryOutcome:
        try:
            reply = self._send(request)
        except BaseException as error:
            if isinstance(error, Exception) and not isinstance(error, ENDS):
                return SummaryFailed(f"{type(error).__name__}: {error}".removesuffix(": "))
            # Ctrl-C, an exit, a task that was cancelled, a clock that ran out.
            self._cancel()
            raise
        if isinstance(reply, bytes) or not isinstance(reply, str | Mapping | Sequence):
            self._cancel()
            expected = "a mapping, a list or a str of JSON"
            raise TypeError(f"`send` must return {expected}, not {type(reply).__name__}")
        return SummaryReply(reply)

    def _cancel(self) -> None:
        """Tell the session. What stopped the operation matters more than an error of this."""
        with suppress(WaybreadError):
            self._finish(SummaryCancelled())

    def _finish(self, outcome: SummaryOutcome) -> Compacted | NotApplied:
        return self._session.compact_finish(
            outcome,
            state_retired=self._state_retired(),
            pending_subagents=self._pending_subagents(),
        )
