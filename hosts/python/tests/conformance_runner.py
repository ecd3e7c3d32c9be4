"""Performs a conformance case file and prints the transcript.

    python conformance_runner.py CASEFILE

`conformance/README.md` describes both.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance_answers import answer, failure
from conformance_assembly import ReadTree
from conformance_steps import perform, text

from waybread import (
    Denied,
    Full,
    MemoryStorage,
    OtherFault,
    Session,
    Snapshot,
    WaybreadError,
    _steps,
    diagnose,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from waybread import StorageFault, StoredText

    Case = Mapping[str, Any]


class FailingStorage(MemoryStorage):
    """Memory of which an append can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self._fault: StorageFault | None = None
        self._passing = 0

    def fail(self, fault: StorageFault, after: int) -> None:
        """Let so many appends pass, and fail with `fault` once."""
        self._fault, self._passing = fault, after

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append, or fail as it was told to."""
        if self._fault is not None and self._passing == 0:
            fault, self._fault = self._fault, None
            raise fault
        self._passing = max(0, self._passing - 1)
        super().append(session, expected_length, records, texts)


class Runner:
    """One case performed."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._storage = FailingStorage()
        self._tree = ReadTree()
        for path, content in case.get("files", {}).items():
            _steps.write_file(self._tree, path, content, text)
        self._key = "conformance"
        self._session: Session | None = None
        self._snapshots: dict[int, Snapshot] = {}

    def transcript(self) -> Iterator[str]:
        """The lines, one for each step that answers."""
        try:
            self._open(self._key, {})
        except WaybreadError as error:
            yield self._line(0, failure(error))
            return
        for number, step in enumerate(self._case.get("steps", ()), start=1):
            try:
                answered = self._perform(number, step)
            except WaybreadError as error:
                answered = failure(error)
            if answered is not None:
                yield self._line(number, answered)

    def _open(self, key: str, settings: Mapping[str, Any]) -> None:
        """Open a session; if that fails, the one that was open stays."""
        self._tree.reads()
        opened = Session.open(
            key,
            _steps.settings({**self._case.get("settings", {}), **settings}, text),
            storage=self._storage,
            filesystem=self._tree,
        )
        self._go_on_with(key, opened)

    def _go_on_with(self, key: str, session: Session) -> None:
        if self._session is not None:
            self._session.close()
        self._key, self._session = key, session

    def _perform(self, number: int, step: _steps.Step) -> dict[str, Any] | None:
        """The step's answer; None for those that only change the world."""
        match step["do"]:
            case "write-file":
                _steps.write_file(self._tree, step["path"], step["content"], text)
            case "delete-file":
                _steps.delete_file(self._tree, step["path"])
            case "fail-storage":
                self._storage.fail(fault(step["error"]), step.get("after", 0))
            case "reopen":
                self._open(step.get("key", self._key), step.get("settings", {}))
                return answer(None)
            case "file-reads":
                return answer(self._tree.reads())
            case "diagnose":
                earlier, later = step["earlier"], self._snapshots[step["later"]]
                return answer(diagnose(earlier and self._snapshots[earlier], later))
            case _:
                return answer(self._ask(number, step))
        return None

    def _ask(self, number: int, step: _steps.Step) -> Any:
        """What the session answers."""
        if self._session is None:
            raise WaybreadError("the session is not open")
        answered = perform(self._session, number, step)
        if isinstance(answered, Session):
            self._go_on_with(step["key"], answered)
            return None
        if isinstance(answered, Snapshot):
            self._snapshots[number] = answered
        return answered

    def _line(self, number: int, answered: Mapping[str, Any]) -> str:
        line = {"case": self._case["name"], "step": number, **answered}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def fault(spelled: Any) -> StorageFault:
    """The fault of a `fail-storage` step."""
    match spelled:
        case "denied":
            return Denied()
        case "full":
            return Full()
        case {"other": str(words)}:
            return OtherFault(words)
    raise ValueError(f"no storage fails with {json.dumps(spelled)}; conformance/README.md says how")


def transcript(cases: Sequence[Case]) -> Iterator[str]:
    """All lines of a case file."""
    for case in cases:
        yield from Runner(case).transcript()


def main() -> None:
    """Print the transcript of the file that the command line names."""
    (file,) = sys.argv[1:]
    for line in transcript(json.loads(Path(file).read_text("utf-8"))["cases"]):
        sys.stdout.buffer.write(line.encode() + b"\n")


if __name__ == "__main__":
    main()
