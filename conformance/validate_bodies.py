"""Checks request bodies.

    python validate_bodies.py --dialect DIALECT FILE…      each file holds one body
    python validate_bodies.py --cases CASEFILE FILE…       each file is a transcript of these cases

`-` is the standard input. Prints what is wrong, a line each, and exits with 1 if anything is. With
`--own`, that is what the provider's own endpoint refuses; without it, only what any server of the
interface would refuse.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from bodies.check import RULES, problems
from bodies.transcripts import bound_problems, request_problems, requests
from reference.casefile import Json, load


def main() -> int:
    """Check the files that the command line names."""
    options = _options()
    cases = load(Path(options.cases)) if options.cases else None
    wrong = False
    for name in options.files:
        for problem in _problems(name, cases, options):
            wrong = True
            sys.stdout.write(f"{name}: {problem}\n")
    return 1 if wrong else 0


def _problems(name: str, cases: Json, options: argparse.Namespace) -> Iterator[str]:
    try:
        text = (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode()
    except (OSError, UnicodeDecodeError) as error:
        yield f"cannot be read: {error}"
        return
    if cases is None:
        yield from problems(options.dialect, text, own=options.own)
        return
    lines = text.strip("\n").split("\n")
    yield from bound_problems(cases, lines)
    for request in requests(cases, lines):
        for problem in request_problems(request, own=options.own):
            yield f"{request.case}, step {request.step}: {problem}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Checks request bodies.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--dialect", choices=sorted(RULES), help="the files are bodies of this one")
    what.add_argument("--cases", metavar="CASEFILE", help="the files are transcripts of this one")
    parser.add_argument("files", nargs="+", metavar="FILE", help="- for the standard input")
    parser.add_argument(
        "--own", action="store_true", help="judge as the provider's own endpoint does"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
