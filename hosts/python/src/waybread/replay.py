"""Recorded agent sessions put through the rules, and what that would have saved.

Also every request of theirs, and what it would have cost under the policies that people use.

`docs/replay.md` says how a replay goes. Reading a recording and adding up the report is a second
component's work, so that all hosts do it alike; this module performs the steps between.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread import _steps as steps
from waybread._names import Names
from waybread._recording_files import find
from waybread._recordings import Recordings, UnplayableError, compact
from waybread.errors import WaybreadError
from waybread.memory_tree import MemoryTree
from waybread.session import Session
from waybread.storage import MemoryStorage

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from waybread.report import Report
    from waybread.settings import Settings


def replay(
    paths: Iterable[str | os.PathLike[str]],
    *,
    shell_reads: bool = False,
    out: str | os.PathLike[str] | None = None,
) -> Report:
    """Put recorded sessions through the rules.

    Args:
        paths: The recordings, in any format that is known, or folders, which are searched with
            all their folders for `.json`, `.jsonl`, `.ndjson` and `.traj` files. A file that
            can't be read or replayed is in the report, and the rest goes on.
        shell_reads: Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as
            reads, as a harness with a read tool would have. Else they are command output.
        out: A folder, made if it is not there, in which what the model would have been shown is
            written: a file a session, a line a result.

    Raises:
        OSError: `out` could not be written.
    """
    shown = None if out is None else _Shown(Path(out))
    recordings = Recordings()
    replayed: list[dict[str, Any]] = []
    for recording in find(paths):
        try:
            plan = recordings.plan(recording.name, recording.content(), shell_reads=shell_reads)
        except UnplayableError as error:
            problem = {"line": error.line, "message": str(error)}
            replayed.append({"file": recording.name, "error": problem})
            continue
        sessions = [_replay_session(session, shown, recordings) for session in plan["sessions"]]
        replayed.append({"file": recording.name, "format": plan["format"], "sessions": sessions})
    return recordings.report(replayed, shell_reads=shell_reads)


class _Shown:
    """What the model would have been shown, written to a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._names = Names()

    def write(self, session: str, lines: Iterable[str]) -> None:
        """Write a session's lines. Of two sessions with one name, the second is `2~name`."""
        path = self._folder / f"{self._names.give(session)}.jsonl"
        path.write_text("".join(lines), "utf-8", newline="\n")


def _replay_session(
    session: Mapping[str, Any], shown: _Shown | None, recordings: Recordings
) -> dict[str, Any]:
    contexts = [_Context(context) for context in session["contexts"]]
    if shown:
        shown.write(session["name"], (line for context in contexts for line in context.lines))
    return {
        "name": session["name"],
        "about": session["about"],
        "policies": session["policies"],
        "contexts": [
            {
                "name": context.name,
                "results": context.results,
                "prompt": recordings.measure(context.requests),
            }
            for context in contexts
        ],
    }


class _Context:
    """One context replayed: its results and requests for the report, and the lines of `out`."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        self.name: str = context["name"]
        self.results: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self._tree = MemoryTree()
        self._session = self._open(steps.settings(context["settings"]))
        for step in context["steps"]:
            self._perform(step)
        if isinstance(self._session, Session):
            self._session.close()

    def _open(self, settings: Settings) -> Session | WaybreadError:
        """The session; the error of one that can't be opened, which fails each of its steps."""
        try:
            return Session.open("replay", settings, storage=MemoryStorage(), filesystem=self._tree)
        except WaybreadError as error:
            return error

    def _perform(self, step: steps.Step) -> None:
        match step["do"]:
            case "write-file":
                self._tree.write(step["path"], step["content"])
            case "delete-file":
                steps.delete_file(self._tree, step["path"])
            case "insert-result":
                self._insert(step)
            case "add-message":
                self._add(step)
            case "build-request":
                self._build()
            case other:
                raise WaybreadError(f"a plan has no step `{other}`; the components differ")

    def _opened(self) -> Session:
        if isinstance(self._session, WaybreadError):
            raise self._session
        return self._session

    def _add(self, step: steps.Step) -> None:
        try:
            self._opened().add_message(steps.message(step, str))
        except WaybreadError as error:
            self.requests.append({"error": str(error)})

    def _build(self) -> None:
        try:
            request = self._opened().build_request()
        except WaybreadError as error:
            self.requests.append({"error": str(error)})
            return
        self.requests.append({"keep": request.keep, "tail": request.tail})

    def _insert(self, step: steps.Step) -> None:
        call = steps.tool_call(step, "")
        try:
            inserted = self._opened().insert_result(call, steps.outcome(step, str))
        except WaybreadError as error:
            self.results.append({"as": step["as"], "error": str(error)})
            return
        self.results.append(
            {
                "as": step["as"],
                "treatment": inserted.treatment.value,
                "chars_in": inserted.chars_in,
                "chars_out": inserted.chars_out,
            }
        )
        line = {
            "context": self.name,
            "id": inserted.id,
            "call": call.id,
            "treatment": inserted.treatment.value,
            "text": inserted.text,
        }
        self.lines.append(compact(line) + "\n")
