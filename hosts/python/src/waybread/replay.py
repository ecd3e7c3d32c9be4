"""Recorded agent sessions put through the rules, and what that would have saved.

Also every request of theirs, and what it would have cost under the policies that people use.

`docs/replay.md` says how a replay goes. Reading a recording and adding up the report is a second
component's work, so that all hosts do it alike; this module performs the steps between.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread._convert.arguments import items, local_path, must_be
from waybread._names import Names
from waybread._recording_files import find
from waybread._recordings import Options, Recordings, UnplayableError
from waybread._replay_context import Context
from waybread._replay_sessions import Sessions
from waybread.window import Window

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from waybread.report import Report


def replay(
    paths: Iterable[str | os.PathLike[str]],
    *,
    shell_reads: bool = False,
    window: Window | None = None,
    out: str | os.PathLike[str] | None = None,
    sessions: str | os.PathLike[str] | None = None,
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
        sessions: A folder, made if it is not there, in which the replayed sessions are stored, in
            the file `sessions.db` (`SqliteStorage`): a recording's session `NAME`, and
            `NAME/CONTEXT` of each further context of it.

    Raises:
        TypeError: `paths` is one path and no sequence, or `window` is no `Window`.
        OSError: `out` or `sessions` could not be written, or `sessions` holds some already.
        StorageFault: The sessions could not be stored.
    """
    places = items(local_path, "paths", "paths", paths)
    if window is not None:
        must_be(Window, "window", window)
    recordings = Recordings(Options(shell_reads, window))
    replayed: list[dict[str, Any]] = []
    with closing(_Kept(out, sessions)) as kept:
        for recording in find(places):
            try:
                plan = recordings.plan(recording.name, recording.content())
            except UnplayableError as error:
                problem = {"line": error.line, "message": str(error)}
                replayed.append({"file": recording.name, "error": problem})
                continue
            done = [_replay_session(session, kept, recordings) for session in plan["sessions"]]
            replayed.append({"file": recording.name, "format": plan["format"], "sessions": done})
    return recordings.report(replayed)


_HANDED_BACK = ("name", "about", "policies", "window")
"""What the report needs of a plan's session. One without a window has no `window`."""


class _Kept:
    """What is kept of a replay beside its report.

    Of two sessions with one name, the second is `2~name`.
    """

    def __init__(
        self, out: str | os.PathLike[str] | None, sessions: str | os.PathLike[str] | None
    ) -> None:
        self._out = None if out is None else Path(out)
        if self._out:
            self._out.mkdir(parents=True, exist_ok=True)
        self._sessions = None if sessions is None else Sessions(Path(sessions))
        self._names = Names()

    def close(self) -> None:
        """Close what is open."""
        if self._sessions:
            self._sessions.close()

    def keep(self, session: str, contexts: Sequence[Context]) -> None:
        """Write what the model would have been shown, and store the session."""
        name = self._names.give(session)
        if self._out:
            lines = "".join(line for context in contexts for line in context.lines)
            (self._out / f"{name}.jsonl").write_text(lines, "utf-8", newline="\n")
        if self._sessions:
            for context in contexts:
                self._sessions.keep(name, context.name, context.storage)


def _replay_session(
    session: Mapping[str, Any], kept: _Kept, recordings: Recordings
) -> dict[str, Any]:
    contexts = [Context(context) for context in session["contexts"]]
    kept.keep(session["name"], contexts)
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
