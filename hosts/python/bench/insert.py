"""What inserting a result takes in this host.

Prints one JSON line a case with the median in nanoseconds. The inputs are those of the Rust and
the JavaScript benchmark.
"""

from __future__ import annotations

import json
import time
from itertools import count
from statistics import median
from typing import TYPE_CHECKING

from waybread import (
    Changes,
    FileChange,
    MemoryStorage,
    MemoryTree,
    Output,
    Read,
    Session,
    Settings,
    ToolCall,
    Treatment,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybread import Outcome

ROOT = "/work/app"
WARM_UP = 30
ROUNDS = 300


def cut(line: str, length: int) -> str:
    """The line counted up from 1 until the text is so many bytes long."""
    text = ""
    for n in count(1):
        text += line.replace("{n}", str(n))
        if len(text) >= length:
            break
    return text[:length]


COMMAND_OUTPUT = cut("line {n}: some command output here\n", 37_000)
FILE = cut("{n}: const value_{n} = compute({n});\n", 74_000)
BEFORE = [f"line {n} of the file\n" for n in range(1, 2001)]
AFTER = [f"line {n} of the new file\n" if n % 10 == 0 else BEFORE[n - 1] for n in range(1, 2001)]
DIFF = Changes([FileChange("file.txt", "".join(BEFORE), "".join(AFTER))])


def fresh_file(tree: MemoryTree, number: int) -> Outcome:
    """A read of a file that no earlier read has seen, so that it is never a stub."""
    tree.write(f"{ROOT}/file.ts", f"{FILE}{number}\n")
    return Read("file.ts")


CASES: dict[str, tuple[Callable[[MemoryTree, int], Outcome], Treatment]] = {
    "1-line": (lambda _tree, _number: Output("ok"), Treatment.FULL),
    "37 KB output": (lambda _tree, _number: Output(COMMAND_OUTPUT), Treatment.CAPPED),
    "74 KB read": (fresh_file, Treatment.FULL),
    "2,000-line diff": (lambda _tree, _number: DIFF, Treatment.CAPPED),
}


def measure(outcome: Callable[[MemoryTree, int], Outcome], treatment: Treatment) -> float:
    """The median of inserting such an outcome, in nanoseconds."""
    tree = MemoryTree()
    times = []
    settings = Settings(root=ROOT)
    with Session.open("bench", settings, storage=MemoryStorage(), filesystem=tree) as session:
        for number in range(WARM_UP + ROUNDS):
            call, given = ToolCall(f"call-{number}", "bash"), outcome(tree, number)
            start = time.perf_counter_ns()
            inserted = session.insert_result(call, given)
            times.append(time.perf_counter_ns() - start)
            if inserted.treatment is not treatment:
                raise SystemExit(f"{inserted.id} is {inserted.treatment.value}: not this case")
    return median(times[WARM_UP:])


def main() -> None:
    """Measure every case."""
    for case, (outcome, treatment) in CASES.items():
        nanoseconds = measure(outcome, treatment)
        print(json.dumps({"host": "python", "case": case, "nanoseconds": nanoseconds}))


if __name__ == "__main__":
    main()
