"""Recorded agent sessions put through the rules, and what that would have saved.

Also every request of theirs, and what it would have cost under the policies that people use.

`docs/replay.md` says how a replay goes. Reading a recording and adding up the report is a second
component's work, so that all hosts do it alike; this module performs the steps between.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread._names import Names
from waybread._recording_files import find
from waybread._recordings import Options, Recordings, UnplayableError
from waybread._replay_context import Context

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from waybread.report import Report
    from waybread.window import Window


def replay(
    paths: Iterable[str | os.PathLike[str]],
    *,
    shell_reads: bool = False,
    window: Window | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Report:
    """Put recorded sessions through the rules.

    Args:
        paths: The recordings, in any format that is known, or folders, which are searched with
            all their folders for `.json`, `.jsonl`, `.ndjson` and `.traj` files. A file that
            can't be read or replayed is in the report, and the rest goes on.
        shell_reads: Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as
            reads, as a harness with a read tool would have. Else they are command output.
        window: Hold the sessions to a window: they are compacted where the rules say so. None: as
            if a window had no end.
        out: A folder, made if it is not there, in which what the model would have been shown is
            written: a file a session, a line a result.

    Raises:
        OSError: `out` could not be written.
    """
    shown = None if out is None else _Shown(Path(out))
    recordings = Recordings(Options(shell_reads, window))
    replayed: list[dict[str, Any]] = []
    for recording in find(paths):
        try:
            plan = recordings.plan(recording.name, recording.content())
        except UnplayableError as error:
            problem = {"line": error.line, "message": str(error)}
            replayed.append({"file": recording.name, "error": problem})
            continue
        sessions = [_replay_session(session, shown, recordings) for session in plan["sessions"]]
        replayed.append({"file": recording.name, "format": plan["format"], "sessions": sessions})
    return recordings.report(replayed)


_HANDED_BACK = ("name", "about", "policies", "window")
"""What the report needs of a plan's session. One without a window has no `window`."""


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
    contexts = [Context(context) for context in session["contexts"]]
    if shown:
        shown.write(session["name"], (line for context in contexts for line in context.lines))
    return {
        **{key: session[key] for key in _HANDED_BACK if key in session},
        "contexts": [
            {
                "name": context.name,
                "results": context.results,
                "prompt": recordings.measure(context.requests),
            }
            for context in contexts
        ],
    }
