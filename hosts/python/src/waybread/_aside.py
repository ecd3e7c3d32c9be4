"""Sessions to look at: what is read is the storage's, what is written is forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from waybread.errors import SettingsDifferError
from waybread.memory_tree import MemoryTree
from waybread.session import Session
from waybread.settings import Dialect, Kind, Settings
from waybread.storage import MemoryStorage, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybread.storage import Storage


class Aside(MemoryStorage):
    """One session of a storage, and what is added to it here, in memory.

    Args:
        storage: Where the session is.
        key: The session.

    Raises:
        KeyError: There is no such session.
        StorageFault: The storage failed.
    """

    def __init__(self, storage: Storage, key: str) -> None:
        super().__init__()
        self._storage = storage
        log = storage.read_log(key, 0)
        if not log:
            raise KeyError(key)
        self.append(key, 0, log, ())

    def read_text(self, session: str, id: str) -> str:
        """Return one stored text."""
        try:
            return super().read_text(session, id)
        except NotFound:
            return self._storage.read_text(session, id)


def look_at(storage: Storage, key: str) -> Session:
    """Open a session of which nothing is known but its key, without files and without a trace.

    What it began with is asked of the session itself, which says what it was where it was given
    something else.

    Raises:
        KeyError: There is no such session.
        WaybreadError: It could not be opened.
    """
    return _opened(Aside(storage, key), key, Settings("/", dialect=Dialect.OPENAI_CHAT))


def _opened(aside: Aside, key: str, settings: Settings) -> Session:
    try:
        return Session.open(key, settings, storage=aside, filesystem=MemoryTree())
    except SettingsDifferError as error:
        began = {error.name: _BEGAN[error.name](error.kept)}
    return _opened(aside, key, replace(settings, **began))


_BEGAN: Mapping[str, Callable[[str], Any]] = {
    "kind": Kind,
    "dialect": lambda kept: None if kept == "none" else Dialect(kept),
}
