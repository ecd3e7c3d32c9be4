"""Durable sessions: an append-only log of records and the full text of every result.

A storage owns the medium and nothing else: it never reads a record. What each method promises is
in `wit/storage.wit`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from waybread.errors import WaybreadError

if TYPE_CHECKING:
    from collections.abc import Sequence


class StorageFault(WaybreadError):
    """Why a storage could not do what it was asked: what a `Storage` raises.

    Any other exception is taken for `OtherFault`, in an append for `Uncertain`, with its type and
    words.
    """


class Conflict(StorageFault):
    """The log is not as long as the append expected. Nothing was written.

    Attributes:
        length: The log's length in records.
    """

    def __init__(self, length: int) -> None:
        super().__init__(f"the log holds {length} records")
        self.length = length


class NotFound(StorageFault):
    """No such text. Only `read_text` raises this."""

    def __init__(self) -> None:
        super().__init__("no such text")


class Denied(StorageFault):
    """The medium refuses access: permissions, or a read-only medium."""

    def __init__(self, words: str = "access denied") -> None:
        super().__init__(words)


class Full(StorageFault):
    """No room is left. Nothing was written."""

    def __init__(self, words: str = "no room left") -> None:
        super().__init__(words)


class OtherFault(StorageFault):
    """Anything else, in the storage's own words; nothing was written. For people: not stable.

    Attributes:
        words: What went wrong.
    """

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Uncertain(StorageFault):
    """An append failed where it may have been written: a commit that failed, a lost connection.

    The session's next call opens it again from its storage.

    Attributes:
        words: What went wrong, in the storage's own words.
    """

    def __init__(self, words: str) -> None:
        super().__init__(f"{words}; it may have been written")
        self.words = words


class StoredText(NamedTuple):
    """The full text of one result, under its id as the model sees it (`#0012`, §1)."""

    id: str
    text: str


class Storage(Protocol):
    """What a session asks of its storage. Every string must come back exactly as it was given."""

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append to a session's log and store the texts that belong to it, all of it or nothing.

        A session that was never written has length 0. When the call returns, what it wrote
        survives a crash, as far as the medium can promise that.

        Raises:
            Conflict: The log holds other than `expected_length` records.
            Denied: The medium refuses access.
            Full: No room is left.
        """

    def read_log(self, session: str, start: int) -> Sequence[str]:
        """Return a session's records in order, from position `start` (0 is the first).

        Empty for a session that was never written and for a `start` at or past the end.
        """

    def read_text(self, session: str, id: str) -> str:
        """Return one stored text, whole.

        Raises:
            NotFound: The session has no text with that id.
        """


@dataclass
class _Session:
    """What is stored of one session.

    Attributes:
        log: Its records, each with the texts that were stored with it.
        places: Where in the log a text is, if the append that it belongs to came to its end.
    """

    log: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def text(self, id: str) -> str | None:
        place = self.places.get(id, len(self.log))
        return self.log[place][1].get(id) if place < len(self.log) else None


class MemoryStorage:
    """Sessions in this process's memory, for tests and for sessions that need not last.

    Any number of sessions and threads may share one.
    """

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()

    def append(
        self,
        session: str,
        expected_length: int,
        records: Sequence[str],
        texts: Sequence[StoredText],
    ) -> None:
        """Append as `Storage.append` says."""
        with self._lock:
            kept = self._sessions.setdefault(session, _Session())
            if len(kept.log) != expected_length:
                raise Conflict(len(kept.log))
            for id, _ in texts:
                if kept.text(id) is not None:
                    raise OtherFault(f"the text {id} is stored already")
            kept.places.update((id, expected_length) for id, _ in texts)
            added: list[tuple[str, dict[str, str]]] = [(record, {}) for record in records]
            for _, stored in added[:1]:
                stored.update(texts)
            # Ctrl-C can come between any two steps. This one stores it all.
            kept.log.extend(added)

    def read_log(self, session: str, start: int) -> list[str]:
        """Return the records from `start`."""
        with self._lock:
            kept = self._sessions.get(session)
            return [record for record, _ in kept.log[start:]] if kept else []

    def read_text(self, session: str, id: str) -> str:
        """Return one stored text."""
        with self._lock:
            kept = self._sessions.get(session)
            text = kept.text(id) if kept else None
        if text is None:
            raise NotFound
        return text
