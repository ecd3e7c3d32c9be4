"""Serves a script of replies as a model.

    python examples/model-server/serve.py SCRIPT [--port N] [--log FILE]

Prints the base URL, and answers until it is stopped.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from model_server.script import ScriptError, read
from model_server.server import server


def main() -> int:
    """Serve what the command line names."""
    parser = argparse.ArgumentParser(description="Serves a script of replies as a model.")
    parser.add_argument("script", type=Path, help="JSON, as README.md explains it")
    parser.add_argument("--port", type=int, default=0, help="any free one by default")
    parser.add_argument("--log", type=Path, help="each request, a line of JSON, as it came")
    given = parser.parse_args()
    with ExitStack() as stack:
        try:
            models = read(given.script)
        except ScriptError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        log = stack.enter_context(given.log.open("w", encoding="utf-8")) if given.log else None
        serving = stack.enter_context(server(models, given.port, log))
        sys.stdout.write(f"http://127.0.0.1:{serving.server_port}/v1\n")
        sys.stdout.flush()
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
