"""What a step of an agent takes in this host, early in a session and late.

A step is the model's reply with one call, the call's result of 2 KB, and the next request. Beside
it stands what writing the whole body again takes at that length, which is what a step costs without
Waybread. Prints one JSON line a case with the median in nanoseconds.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, TypeVar

from waybread import (
    Dialect,
    MemoryStorage,
    MemoryTree,
    Output,
    Reply,
    Session,
    Settings,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waybread import Request

    T = TypeVar("T")

POSITIONS = {"100": 100, "10,000": 10_000}
AROUND = 100
"""Steps on each side of a position that are measured too."""

REBUILDS = 20
RESULT = ('line of a command\'s output, with "quotes" in it\n' * 50)[:2048]
PARAMETERS = '{"model":"bench"}'


def step(session: Session, number: int) -> Request:
    """One step: a reply, its result, and the next request."""
    reply = (
        '{"role":"assistant","content":null,"tool_calls":[{"id":"call-%d","type":"function",'
        '"function":{"name":"bash","arguments":"{\\"command\\":\\"make\\"}"}}]}'
    )
    (open_call,) = session.add_message(Reply(reply % number)).calls
    session.insert_result(open_call.call, Output(RESULT))
    return session.build_request(PARAMETERS)


def timed(function: Callable[[], T]) -> tuple[int, T]:
    """Nanoseconds that a call takes, and what it answers."""
    start = time.perf_counter_ns()
    answer = function()
    return time.perf_counter_ns() - start, answer


def rebuild(request: Request) -> float:
    """The median of writing the whole body anew."""
    whole = request.body.json()

    def write() -> bytes:
        return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()

    if write() != bytes(request.body):
        raise SystemExit(f"request {request.number} is not what is written anew")
    return median(timed(write)[0] for _ in range(REBUILDS))


@contextmanager
def sessions() -> Iterator[list[Session]]:
    """A session for each position, shortly before it."""
    settings = Settings(root="/work/app", dialect=Dialect.OPENAI_CHAT)
    with ExitStack() as stack:
        opened = []
        for position in POSITIONS.values():
            session = Session.open(
                "bench", settings, storage=MemoryStorage(), filesystem=MemoryTree()
            )
            opened.append(stack.enter_context(session))
            session.add_message(UserMessage("Make it work."))
            for number in range(position - AROUND):
                step(session, number)
        yield opened


def main() -> None:
    """Measure every case: the positions in turn, so that their ratio holds on a busy machine."""
    with sessions() as opened:
        times: list[list[int]] = [[] for _ in opened]
        for number in range(2 * AROUND):
            for session, position, own in zip(opened, POSITIONS.values(), times, strict=True):
                own.append(timed(partial(step, session, position - AROUND + number))[0])
        for name, session, own in zip(POSITIONS, opened, times, strict=True):
            show(f"step {name}", median(own))
            show(f"rebuild {name}", rebuild(session.build_request(PARAMETERS)))


def show(case: str, nanoseconds: float) -> None:
    """Print a case."""
    print(json.dumps({"host": "python", "case": case, "nanoseconds": nanoseconds}))


if __name__ == "__main__":
    main()
