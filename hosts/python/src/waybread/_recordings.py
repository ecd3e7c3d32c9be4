"""The component that reads recordings and adds reports up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from waybread._calls import Imports
from waybread._component import Instance, load
from waybread.errors import WaybreadError
from waybread.report import Report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from waybread.window import Window

_COMPONENT = "recordings.wasm"
_INTERFACE = "waybread:recordings/replay@0.1.0"


class Plan(TypedDict):
    """A recording, read into steps (`docs/replay.md`)."""

    format: str
    sessions: list[dict[str, Any]]


class UnplayableError(WaybreadError):
    """A file that holds nothing to replay.

    Attributes:
        line: The line, from 1, at which reading failed; None where no one line is at fault.
    """

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message)
        self.line = line


class Options(NamedTuple):
    """What a replay was asked for, as `replay` has it."""

    shell_reads: bool
    window: Window | None


class Recordings:
    """The component at work, from the first recording on."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._instance: Instance | None = None

    def plan(self, name: str, content: str) -> Plan:
        """Read a recording into the plan of a replay.

        Raises:
            UnplayableError: It holds no session that can be replayed.
        """
        try:
            case, answer = self._call("plan", name, content, _options(self._options))
        except WaybreadError as error:
            # A file may be too much for it: the rest goes on with a new one.
            self._instance = None
            raise UnplayableError(None, str(error)) from error
        if case == "err":
            raise UnplayableError(answer["line"], answer["message"])
        plan: Plan = json.loads(answer)
        return plan

    def measure(self, requests: Sequence[Mapping[str, Any]]) -> Any:
        """Count the requests of a context; the answer is handed back for the report."""
        return json.loads(self._made("measure", compact(requests)))

    def report(self, replayed: Sequence[Mapping[str, Any]]) -> Report:
        """Add up what was replayed."""
        report = self._made("report", compact(replayed))
        summary = self._made("summary", report, self._options.shell_reads)
        return Report(json=report, summary=summary, **json.loads(report))

    def _made(self, function: str, *arguments: object) -> str:
        case, answer = self._call(function, *arguments)
        if case == "err":
            raise WaybreadError(f"the report could not be made: {answer}")
        made: str = answer
        return made

    def _call(self, function: str, *arguments: object) -> Any:
        if self._instance is None:
            self._instance = Instance(load(_COMPONENT, _INTERFACE), Imports({}))
        return self._instance.call(function, *arguments)


def _options(given: Options) -> dict[str, Any]:
    """`options`."""
    window = given.window
    return {
        "shell_reads": given.shell_reads,
        "window": window and window.tokens,
        "preset": window and window.preset,
        "summary_tokens": window and window.summary_tokens,
    }


def compact(value: object) -> str:
    """JSON without white space, as all hosts write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
