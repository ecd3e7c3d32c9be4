"""The steps of a conformance case that deal with prompts, skills, subagents and what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybread import MemoryTree, _step_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybread import Session

    Step = Mapping[str, Any]


class ReadTree(MemoryTree):
    """Files that remember which of them were read."""

    def __init__(self) -> None:
        super().__init__()
        self._reads: list[str] = []

    def read(self, path: str) -> tuple[str, bytes]:
        """Read a file as `FileSystem.read` says."""
        self._reads.append(path)
        return super().read(path)

    def reads(self) -> list[str]:
        """The paths that were read since this was asked last."""
        reads, self._reads = self._reads, []
        return reads


def _set_assembly(session: Session, step: Step) -> None:
    session.set_assembly(_step_settings.assembly(step["assembly"]))


def _context_report(session: Session, step: Step) -> Any:
    return session.context_report(_step_settings.spelled(step.get("parameters", {})))


STEPS: Mapping[str, Callable[[Session, Step], Any]] = {
    "context-report": _context_report,
    "delegate-progress": lambda session, step: session.delegate_progress(
        step["key"], step["state"]
    ),
    "delegates": lambda session, _: session.delegates(),
    "disable-skill": lambda session, step: session.disable_skill(step["name"]),
    "prompt-report": lambda session, _: session.prompt_report(),
    "set-assembly": _set_assembly,
    "skills": lambda session, _: session.skills(),
    "snapshot": lambda session, _: session.snapshot(),
}
