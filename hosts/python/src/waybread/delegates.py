"""Subagents, to which a session gives a part of its work (`docs/assembly.md`, "Subagents")."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DelegateState:
    """A subagent of a session.

    Attributes:
        key: The key of its session.
        kind: What kind of subagent it is.
        state: `running`, `queued`, `finished` or what the harness says. Empty once nothing more
            is to come of it.
    """

    key: str
    kind: str
    state: str
