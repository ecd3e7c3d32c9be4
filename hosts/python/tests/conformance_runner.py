"""Performs a conformance case file and prints the transcript.

    python conformance_runner.py CASEFILE

`conformance/README.md` describes both.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybread import (
    ConflictError,
    Denied,
    Full,
    Inserted,
    LastRead,
    MemoryStorage,
    MemoryTree,
    OtherFault,
    Session,
    StorageError,
    UnknownIdError,
    WaybreadError,
    _steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from waybread import StorageFault, StoredText

    Case = Mapping[str, Any]


class FailingStorage(MemoryStorage):
    """Memory whose next append can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.fault: StorageFault | None = None

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append, or fail as it was told to."""
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault
        super().append(session, expected_length, records, texts)


class Runner:
    """One case performed."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._storage = FailingStorage()
        self._tree = MemoryTree()
        for path, content in case.get("files", {}).items():
            _steps.write_file(self._tree, path, content, text)
        self._session: Session | None = None

    def transcript(self) -> Iterator[str]:
        """The lines, one for each step that answers."""
        try:
            self._open({})
        except WaybreadError as error:
            yield self._line(0, failure(error))
            return
        for number, step in enumerate(self._case.get("steps", ()), start=1):
            try:
                answer = self._perform(number, step)
            except WaybreadError as error:
                answer = failure(error)
            if answer is not None:
                yield self._line(number, answer)

    def _open(self, settings: Mapping[str, Any]) -> None:
        """Open the session; if that fails, the one that was open stays."""
        opened = Session.open(
            "conformance",
            _steps.settings({**self._case.get("settings", {}), **settings}),
            storage=self._storage,
            filesystem=self._tree,
        )
        if self._session is not None:
            self._session.close()
        self._session = opened

    def _perform(self, number: int, step: _steps.Step) -> dict[str, Any] | None:
        """The step's answer; None for those that only change the world."""
        match step["do"]:
            case "write-file":
                _steps.write_file(self._tree, step["path"], step["content"], text)
            case "delete-file":
                _steps.delete_file(self._tree, step["path"])
            case "fail-storage":
                self._storage.fault = fault(step["error"])
            case "reopen":
                self._open(step.get("settings", {}))
                return {"value": None}
            case _:
                return self._ask(number, step)
        return None

    def _ask(self, number: int, step: _steps.Step) -> dict[str, Any]:
        if self._session is None:
            raise WaybreadError("the session is not open")
        session, call = self._session, _steps.tool_call(step, f"call-{number}")
        match step["do"]:
            case "insert-result":
                return inserted(session.insert_result(call, _steps.outcome(step, text)))
            case "recall":
                window = {name: step.get(name) for name in ("offset", "limit")}
                return inserted(session.recall(call, step["id"], **window))
            case "stored-text":
                return {"value": session.stored_text(step["id"])}
            case "last-read":
                return {"value": last_read(session.last_read(step["path"]))}
            case "resolve-path":
                return {"value": session.resolve_path(step["path"])}
        raise ValueError(f"no step is called `{step['do']}`; conformance/README.md lists them")

    def _line(self, number: int, answer: Mapping[str, Any]) -> str:
        line = {"case": self._case["name"], "step": number, **answer}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def text(pieces: Any) -> str:
    """A *text* of the case format."""
    if isinstance(pieces, str):
        return pieces
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: Any) -> str:
    match piece:
        case str():
            return piece
        case {"repeat": str(repeated), "times": int(times)}:
            return repeated * times
        case {"count": str(line), "from": int(first), "to": int(last)}:
            return "".join(line.replace("{n}", str(n)) for n in range(first, last + 1))
    raise ValueError(f"no text is made of {json.dumps(piece)}; conformance/README.md says how")


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


def inserted(answer: Inserted) -> dict[str, Any]:
    """`inserted` as a transcript has it."""
    fields = {**vars(answer), "treatment": answer.treatment.value}
    return {"inserted": _contract_names(fields)}


def last_read(answer: LastRead | None) -> dict[str, Any] | None:
    """`last-read` as a transcript has it."""
    return None if answer is None else _contract_names(vars(answer))


def failure(error: WaybreadError) -> dict[str, Any]:
    """A `session-error` as a transcript has it."""
    return {
        "error": {"cause": error.cause, "message": str(error), "payload": _payload(error)},
    }


def _payload(error: WaybreadError) -> Any:
    match error:
        case ConflictError():
            return error.length
        case UnknownIdError():
            return error.id
        case StorageError():
            return {"operation": error.operation, "error": _fault_value(error.fault)}
    return vars(error)


def _fault_value(fault: StorageFault) -> dict[str, Any]:
    match fault:
        case Denied():
            return {"tag": "denied"}
        case Full():
            return {"tag": "full"}
        case OtherFault():
            return {"tag": "other", "value": fault.words}
    raise ValueError(f"no case brings about {fault!r}")


def _contract_names(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in fields.items()}


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
