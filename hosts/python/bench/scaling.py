"""How an input's time grows when its size doubles, in the Python host. Prints a table; no test.

    target/venv/bin/python hosts/python/bench/scaling.py [WORDS-OF-A-ROW …]

Each input was quadratic once, or could be. A ratio of 2 is linear; over 2.2 wants a look, and a
second run: the machine's other work shows in it.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import TYPE_CHECKING

from waybread import (
    Change,
    ChangeKind,
    Changes,
    Delivery,
    Dialect,
    FileChange,
    MemoryStorage,
    MemoryTree,
    Output,
    Read,
    Reply,
    Sender,
    Session,
    Settings,
    ToolCall,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Act = Callable[[], object]

ROOT = "/work/app"
MODEL = {"model": "gpt-4o"}
RUNS = 5


def opened(
    dialect: Dialect | None = Dialect.OPENAI_CHAT, files: dict[str, str] | None = None
) -> Session:
    tree = MemoryTree(files or {})
    settings = Settings(ROOT, dialect=dialect)
    return Session.open("s", settings, storage=MemoryStorage(), filesystem=tree)


def lines(numbers: Iterable[int]) -> str:
    return "".join(f"line {number}\n" for number in numbers)


def few(size: int, distinct: int, seed: int = 1) -> list[int]:
    chosen = random.Random(seed)
    return [chosen.randrange(distinct) for _ in range(size)]


def diff(before: str, after: str) -> Act:
    session = opened(None)
    changes = Changes([FileChange("f", before, after)])
    return lambda: session.insert_result(ToolCall("c", "edit"), changes)


def every(nth: int) -> Callable[[int], Act]:
    def prepare(size: int) -> Act:
        after = lines(line if line % nth else line + size for line in range(size))
        return diff(lines(range(size)), after)

    return prepare


def shuffled(size: int) -> Act:
    return diff(lines(range(size)), lines(random.Random(1).sample(range(size), size)))


def reply(text: str) -> Act:
    session = opened()
    session.add_message(UserMessage("Go."))
    given = json.dumps({"role": "assistant", "content": text})
    return lambda: session.add_message(Reply(given))


def calls(size: int) -> str:
    asked = [
        {"id": f"c{n}", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        for n in range(size)
    ]
    return json.dumps({"role": "assistant", "content": None, "tool_calls": asked})


def with_open_calls(size: int) -> Session:
    session = opened()
    session.add_message(UserMessage("Go."))
    session.add_message(Reply(calls(size)))
    return session


def many_calls(size: int) -> Act:
    session = opened()
    session.add_message(UserMessage("Go."))
    given = Reply(calls(size))
    return lambda: session.add_message(given)


def closing(size: int) -> Act:
    session = with_open_calls(size)
    return lambda: session.build_request(MODEL)


def pressure(size: int) -> Act:
    session = with_open_calls(size)
    return lambda: session.pressure(MODEL)


def envelopes(size: int) -> Act:
    session = opened()
    told = "".join(
        f'<session-skill name="s{n}" state="active" bytes="1">\nx\n</session-skill>\n\n'
        for n in range(size)
    )

    def act() -> None:
        session.add_message(UserMessage(told))
        session.skills()

    return act


def enabling(size: int) -> Act:
    session = opened()

    def act() -> None:
        for n in range(size):
            session.enable_skill(f"s{n}", "text")
        session.add_message(UserMessage("Go."))
        session.skills()

    return act


def rewinding(size: int) -> Act:
    session = opened()
    for n in range(size):
        session.add_message(UserMessage(f"message {n}"))

    def act() -> None:
        for number in range(size, size // 2, -1):
            session.rewind(number)

    return act


def rewinding_reads(size: int) -> Act:
    session = opened(files={f"{ROOT}/f{n}": "x\n" for n in range(size)})
    for n in range(size):
        session.add_message(UserMessage(f"message {n}"))
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        session.add_message(Reply(json.dumps({"role": "assistant", "tool_calls": [call]})))
        session.insert_result(ToolCall(f"c{n}", "read"), Read(f"f{n}"))

    def act() -> None:
        for number in range(2 * size - 1, size, -2):
            session.rewind(number)

    return act


def output(text: str) -> Act:
    session = opened(None)
    return lambda: session.insert_result(ToolCall("c", "bash"), Output(text))


def long_path(size: int) -> Act:
    session = opened(None)
    return lambda: session.insert_result(ToolCall("c", "read"), Read("a/" * size))


def notes(size: int) -> Act:
    session = opened()
    session.add_message(UserMessage("Go."))

    def act() -> None:
        for n in range(size):
            session.note(Change(ChangeKind.MEMORY, f"n{n}", "text"))
        session.add_message(UserMessage("On."))

    return act


def subagents(size: int) -> Act:
    session = opened()
    session.add_message(UserMessage("Go."))
    says = UserMessage("done", sender=Sender.SUBAGENT, delivery=Delivery.STEP_BOUNDARY)

    def act() -> None:
        for _ in range(size):
            session.add_message(says)
        session.pressure(MODEL)

    return act


def forking(size: int) -> Act:
    session = opened()
    for n in range(size):
        session.add_message(UserMessage(f"message {n}"))
    return lambda: session.fork("copy")


def reopening(size: int) -> Act:
    storage, settings = MemoryStorage(), Settings(ROOT, dialect=Dialect.OPENAI_CHAT)
    session = Session.open("s", settings, storage=storage, filesystem=MemoryTree({}))
    for n in range(size):
        session.add_message(UserMessage(f"message {n}"))
    return lambda: Session.open("s", settings, storage=storage, filesystem=MemoryTree({}))


INPUTS: dict[str, tuple[int, Callable[[int], Act]]] = {
    "diff, every 2nd line changed": (25_000, every(2)),
    "diff, every 10th line changed": (25_000, every(10)),
    "diff, every 50th line changed": (25_000, every(50)),
    "diff, 100 distinct lines, turned round": (
        25_000,
        lambda size: diff(lines(few(size, 100)), lines(few(size, 100)[::-1])),
    ),
    "diff, 3 distinct lines, turned round": (
        25_000,
        lambda size: diff(lines(few(size, 3)), lines(few(size, 3)[::-1])),
    ),
    "diff, 100 distinct lines, unrelated": (
        25_000,
        lambda size: diff(lines(few(size, 100)), lines(few(size, 100, 2))),
    ),
    "diff, lines shuffled": (25_000, shuffled),
    "diff, lines turned round": (
        25_000,
        lambda size: diff(lines(range(size)), lines(range(size)[::-1])),
    ),
    "diff, nothing alike": (
        25_000,
        lambda size: diff(lines(range(size)), lines(range(size, 2 * size))),
    ),
    "diff, periodic": (50_000, lambda size: diff("a\nb\n" * size, "b\na\nc\n" * size)),
    "diff, one line": (5_000_000, lambda size: diff("x" * size, "x" * size + "y")),
    "reply, lines of </think> behind a <think>": (
        25_000,
        lambda size: reply("prefix\n<think>\n" + "</think>\n" * size),
    ),
    "reply, many <think> blocks": (50_000, lambda size: reply("<think>a</think>" * size)),
    "reply, calls in it": (12_500, many_calls),
    "request that closes open calls": (10_000, closing),
    "pressure with open calls": (20_000, pressure),
    "message, envelopes of distinct skills": (10_000, envelopes),
    "enabling skills": (2_000, enabling),
    "rewind of one message after the other": (2_000, rewinding),
    "rewind of one read after the other": (1_000, rewinding_reads),
    "notes": (2_000, notes),
    "messages of subagents": (2_000, subagents),
    "output, long": (5_000_000, lambda size: output("line of output\n" * (size // 15))),
    "output, one line": (5_000_000, lambda size: output("x" * size)),
    "path of many parts": (20_000, long_path),
    "fork": (2_000, forking),
    "reopening": (2_000, reopening),
}


def seconds(prepare: Callable[[int], Act], size: int) -> float:
    """The best of some runs, in processor time."""
    best = float("inf")
    for _ in range(RUNS):
        act = prepare(size)
        start = time.process_time()
        act()
        best = min(best, time.process_time() - start)
    return best


def main(words: list[str]) -> None:
    print("| input | size | seconds | twice the size | ratio |\n|---|---|---|---|---|")
    for name, (size, prepare) in INPUTS.items():
        if all(word in name for word in words):
            one, two = seconds(prepare, size), seconds(prepare, 2 * size)
            print(f"| {name} | {size:,} | {one:.3f} | {two:.3f} | {two / one:.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
