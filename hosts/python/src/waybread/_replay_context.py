"""One context of a plan, performed on a session of its own (`docs/replay.md`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread import _steps as steps
from waybread._recordings import compact
from waybread._replay_sessions import ReplayStorage
from waybread._replay_window import NotSentError, built, make_room
from waybread.errors import WaybreadError
from waybread.memory_tree import MemoryTree
from waybread.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread.settings import Settings


class Context:
    """One context replayed.

    Attributes:
        name: Its name in the plan.
        results: What became of its results, for the report.
        requests: Its built requests and what else is counted with them.
        lines: What the model would have been shown, a line of JSON a result.
        storage: Where its session is.
    """

    def __init__(self, context: Mapping[str, Any]) -> None:
        self.name: str = context["name"]
        self.results: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.storage = ReplayStorage()
        self._stand_in: str | None = context.get("stand_in")
        self._tree = MemoryTree()
        self._session = self._open(steps.settings(context["settings"], str))
        for step in context["steps"]:
            self._perform(step)
        if isinstance(self._session, Session):
            self._session.close()

    def _open(self, settings: Settings) -> Session | WaybreadError:
        """The session; the error of one that can't be opened, which fails each of its steps."""
        try:
            key = ReplayStorage.KEY
            return Session.open(key, settings, storage=self.storage, filesystem=self._tree)
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
            session = self._opened()
            if self._stand_in is not None:
                self.requests.extend(make_room(session, self._stand_in))
            request = session.build_request()
        except NotSentError as error:
            self.requests.append({"stopped": str(error)})
        except WaybreadError as error:
            self.requests.append({"error": str(error)})
        else:
            self.requests.append(built(request, with_window=self._stand_in is not None))

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
