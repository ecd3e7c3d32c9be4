"""Checks a case file against `case.schema.json`: `python check_cases.py FILE`.

Prints where it is wrong, a line each, and exits with 1 if it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError

SCHEMA = Path(__file__).parent / "case.schema.json"
LONGEST = 300
"""Characters of a message: what it quotes of a case may be a whole body."""
OTHER_KIND = ("type", "required", "const")
"""What says that an alternative is not the one that was meant."""


def problems(path: Path) -> list[str]:
    """What is wrong with a case file, each with the place in the file."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        return [f"is not JSON: {error}"]
    found = []
    for problem in jsonschema.Draft202012Validator(schema).iter_errors(cases):
        meant = _meant(problem)
        message = meant.message if len(meant.message) <= LONGEST else f"{meant.message[:LONGEST]}…"
        found.append(f"{meant.json_path}: {message}")
    return found or [problem for case in cases["cases"] for problem in _no_snapshots(case)]


def _no_snapshots(case: dict[str, Any]) -> list[str]:
    """Where a `diagnose` names a step that comes later or answers no snapshot."""
    steps = case.get("steps", [])
    return [
        f"{case['name']}: step {number}: {side}: step {step[side]} is no `snapshot` before it"
        for number, step in enumerate(steps, 1)
        if step["do"] == "diagnose"
        for side in ("earlier", "later")
        if step[side] is not None
        and not (step[side] < number and steps[step[side] - 1]["do"] == "snapshot")
    ]


def _meant(problem: ValidationError) -> ValidationError:
    """Of a problem with several alternatives: what is wrong with the closest of them."""
    while problem.context:
        problem = min(_alternatives(problem), key=_distance)[0]
    return problem


def _alternatives(problem: ValidationError) -> list[list[ValidationError]]:
    """A problem's problems by the alternative that they are of."""
    by_place: dict[object, list[ValidationError]] = {}
    for inner in problem.context or ():
        by_place.setdefault(inner.relative_schema_path[0], []).append(inner)
    return list(by_place.values())


def _distance(problems: list[ValidationError]) -> tuple[int, int, int]:
    """How many problems say that another alternative was meant; how many there are; how far out."""
    distances = [
        min(map(_distance, _alternatives(problem)))
        if problem.context
        else (int(problem.validator in OTHER_KIND), 1, -len(problem.absolute_path))
        for problem in problems
    ]
    kinds, counts, depths = zip(*distances, strict=True)
    return sum(kinds), sum(counts), min(depths)


def main() -> int:
    """Check the file that the command line names."""
    path = Path(sys.argv[1])
    found = problems(path)
    for problem in found:
        sys.stdout.write(f"{path.name}: {problem}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
