"""Checks a case file against `case.schema.json`: `python check_cases.py FILE`.

Prints where it is wrong, a line each, and exits with 1 if it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
from jsonschema.exceptions import best_match

SCHEMA = Path(__file__).parent / "case.schema.json"


def problems(path: Path) -> list[str]:
    """What is wrong with a case file, each with the place in the file."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        return [f"is not JSON: {error}"]
    found = []
    for problem in jsonschema.Draft202012Validator(schema).iter_errors(cases):
        closest = best_match([problem]) or problem
        found.append(f"{closest.json_path}: {closest.message}")
    return found


def main() -> int:
    """Check the file that the command line names."""
    path = Path(sys.argv[1])
    found = problems(path)
    for problem in found:
        sys.stdout.write(f"{path.name}: {problem}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
