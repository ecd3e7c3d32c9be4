"""Recorded agent sessions put through the rules, and what that would have saved.

`docs/replay.md` says how a replay goes. Reading a recording and adding up the report is a second
component's work, so that all hosts do it alike; this module performs the steps between.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread import _steps as steps
from waybread._recordings import Recordings, UnplayableError, compact
from waybread.errors import WaybreadError
from waybread.memory_tree import MemoryTree
from waybread.session import Session
from waybread.storage import MemoryStorage

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from waybread.report import Report


def replay(
    paths: Iterable[str | os.PathLike[str]],
    *,
    shell_reads: bool = False,
    out: str | os.PathLike[str] | None = None,
) -> Report:
    """Put recorded sessions through the rules.

    Args:
        paths: The recordings, in any of the formats that `waybread replay` knows. A file that
            can't be read or replayed is reported, and the rest goes on.
        shell_reads: Count plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) as reads, as a
            harness with a read tool would have had them.
        out: A folder, made if it is not there, in which what the model would have been shown is
            written: a file a session, a line a result.

    Raises:
        OSError: `out` could not be written.
    """
    folder = None if out is None else Path(out)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    recordings = Recordings()
    replayed = [
        _replay_file(recordings, name, Path(path), folder, shell_reads=shell_reads)
        for name, path in _named(paths)
    ]
    return recordings.report(replayed)


def _named(
    paths: Iterable[str | os.PathLike[str]],
) -> Iterable[tuple[str, str | os.PathLike[str]]]:
    """Each file under its name without folders; of two with one name the second is `2~name`."""
    seen: Counter[str] = Counter()
    for path in paths:
        name = Path(path).name
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{seen[name]}~{name}"), path


def _replay_file(
    recordings: Recordings, name: str, path: Path, out: Path | None, *, shell_reads: bool
) -> dict[str, Any]:
    try:
        plan = recordings.plan(name, _read(path), shell_reads=shell_reads)
    except UnplayableError as error:
        return {"file": name, "error": {"line": error.line, "message": str(error)}}
    sessions = [_replay_session(session, out) for session in plan["sessions"]]
    return {"file": name, "format": plan["format"], "sessions": sessions}


def _read(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnplayableError(None, f"cannot be read: {error.strerror}") from error
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnplayableError(line, "is not UTF-8") from error


def _replay_session(session: Mapping[str, Any], out: Path | None) -> dict[str, Any]:
    contexts = [_Context(context) for context in session["contexts"]]
    if out:
        lines = "".join(line for context in contexts for line in context.lines)
        (out / f"{session['name']}.jsonl").write_text(lines, "utf-8", newline="\n")
    return {
        "name": session["name"],
        "about": session["about"],
        "contexts": [{"name": context.name, "results": context.results} for context in contexts],
    }


class _Context:
    """One context replayed: its results for the report, and the lines of `out`."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        self.name: str = context["name"]
        self.results: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self._tree = MemoryTree()
        settings = steps.settings(context["settings"])
        with Session.open(
            self.name, settings, storage=MemoryStorage(), filesystem=self._tree
        ) as session:
            for step in context["steps"]:
                self._perform(session, step)

    def _perform(self, session: Session, step: steps.Step) -> None:
        match step["do"]:
            case "write-file":
                self._tree.write(step["path"], step["content"])
            case "delete-file":
                steps.delete_file(self._tree, step["path"])
            case "insert-result":
                self._insert(session, step)
            case other:
                raise WaybreadError(f"a plan has no step `{other}`; the components differ")

    def _insert(self, session: Session, step: steps.Step) -> None:
        call = steps.tool_call(step, "")
        try:
            inserted = session.insert_result(call, steps.outcome(step, str))
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
