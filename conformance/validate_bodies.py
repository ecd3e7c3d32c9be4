"""Checks request bodies: `python validate_bodies.py DIALECT [--own] FILE…`.

A file holds one body; `-` is the standard input. Prints what is wrong, a line each, and exits with
1 if anything is. `--own` judges as the provider's own endpoint does; without it, only that is wrong
which any server of the interface would refuse.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bodies.check import RULES, problems


def main() -> int:
    """Check the files that the command line names."""
    options = _options()
    wrong = False
    for name in options.files:
        try:
            text = (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode()
        except (OSError, UnicodeDecodeError) as error:
            found = [f"cannot be read: {error}"]
        else:
            found = problems(options.dialect, text, own=options.own)
        wrong = wrong or bool(found)
        for problem in found:
            sys.stdout.write(f"{name}: {problem}\n")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Checks request bodies.")
    parser.add_argument("dialect", choices=sorted(RULES))
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="one body each; - for standard input"
    )
    parser.add_argument(
        "--own", action="store_true", help="judge as the provider's own endpoint does"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
