"""How a session of the component is opened, at first and again from its storage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Opening:
    """A session, or one that was delegated from it.

    What a delegated session takes over is the component's to say. So it is opened as it was at
    first: by the one that delegated it, which is read for that, and of which nothing is appended.

    Attributes:
        session: The key of the session that `open` opens.
        settings: `settings`, as the component takes them.
        delegations: `delegation`s from there on, each made by the session before.
    """

    session: str
    settings: dict[str, Any]
    delegations: tuple[dict[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """The session's name in the storage."""
        return self._keys[-1]

    @property
    def read_only(self) -> frozenset[str]:
        """The keys of sessions that are read on the way."""
        return frozenset(self._keys[:-1])

    def delegating(self, delegation: dict[str, Any]) -> Opening:
        """The opening of a session that this one delegates."""
        return replace(self, delegations=(*self.delegations, delegation))

    @property
    def _keys(self) -> list[str]:
        return [self.session, *(delegation["key"] for delegation in self.delegations)]
