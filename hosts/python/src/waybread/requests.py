"""Requests, and what came of them at the provider.

"§" points into `context-hygiene` 3.2.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybread.body import Body
    from waybread.pressure import Pressure
    from waybread.values import Inserted


class RequestPart(str, Enum):
    """A part of a request, in the order in which a model reads it."""

    MODEL = "model"
    TOOLS = "tools"
    SYSTEM = "system"
    MESSAGES = "messages"


class DifferenceCause(str, Enum):
    """Why a request differs from the previous one before the end of its messages."""

    MODEL = "model"
    """Another model: everything is read again, and the system prompt was made again."""

    TOOLS = "tools"
    """A server's tools were added (§10.4)."""

    SYSTEM = "system"
    """The system prompt was made again."""

    TURN_BOUNDARY_REASONING = "turn-boundary-reasoning"
    """A turn began, and the turn before no longer carries its reasoning (§8)."""

    EARLIER_RESULTS = "earlier-results"
    """A turn began in a chat, and the turn before no longer carries its tool results (§2)."""

    REWIND = "rewind"
    """Messages were taken back."""

    COMPACTION = "compaction"
    """A summary took the place of messages, and the system prompt was made again (§7)."""

    SHORTENED = "shortened"
    """Results that a request held are shown shorter: nothing else made room."""

    CACHE_BREAKPOINT = "cache-breakpoint"
    """A breakpoint of the prompt cache moved, which is nothing that a model reads."""


@dataclass(frozen=True)
class Difference:
    """Where a request first differs from the previous one.

    Attributes:
        part: The first part that differs.
        message: In `messages`: the number that the message had in this session.
        cause: Why.
    """

    part: RequestPart
    message: int | None
    cause: DifferenceCause


@dataclass(frozen=True)
class Request:
    """A request to the provider.

    Attributes:
        number: From 1, counted in the session.
        body: The whole body, to be sent as `application/json`.
        keep: How many bytes of the previous body stand; 0 for the first request since the session
            was opened.
        tail: What follows them. A receiver that holds the previous body needs no more than this.
        length: The body's length in bytes.
        sha256: SHA-256 of the body, 64 lowercase hex digits.
        shared: How many bytes, from the first, equal those of the session's previous request; 0
            for the session's first.
        difference: None if everything that the previous request had up to its last message
            stands.
        closed: Results that calls got which were left open: they say that none came.
        pressure: How full the model's window is with this request.
    """

    number: int
    body: Body
    keep: int
    tail: str
    length: int
    sha256: str
    shared: int
    difference: Difference | None
    closed: tuple[Inserted, ...]
    pressure: Pressure


@dataclass(frozen=True)
class Usage:
    """What a provider reported of one request, in tokens (§10.6).

    Attributes:
        input: The whole prompt, what was cached of it included.
        cached: Of it, read from the cache. None: not reported.
        written: Of it, written to the cache. None: not reported.
        output: The reply. None: not reported.
    """

    input: int
    cached: int | None
    written: int | None
    output: int | None


@dataclass(frozen=True)
class RequestReport:
    """One request in the cache report (§10.6).

    Attributes:
        number: The request's number.
        length: The body's length in bytes.
        shared: How many of them, from the first, equal the previous request's.
        difference: Where it first differs and why; None if everything stood.
        usage: What the provider reported; None if nothing was recorded.
    """

    number: int
    length: int
    shared: int
    difference: Difference | None
    usage: Usage | None


@dataclass(frozen=True)
class Prefix:
    """What stands at the front of every request (§10).

    Attributes:
        system: The system prompt.
        tools: The tools as they are sent: a JSON array in the dialect.
    """

    system: str
    tools: str
