"""One host's part in the relay: a session in a SQLite file that the hosts carry on in turn.

    python relay.py DATABASE

Recalls every result that it finds in the session `relay`, inserts some of its own, and prints one
line for each.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from waybread import (
    Changes,
    Failure,
    FileChange,
    MemoryTree,
    Output,
    Read,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
    UnknownIdError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybread import Outcome


def found(session: Session) -> Iterator[str]:
    """The ids of all results that are stored."""
    number = 1
    while True:
        id = f"#{number:04x}"
        try:
            session.stored_text(id)
        except UnknownIdError:
            return
        yield id
        number += 1


def main() -> None:
    """Take the session over and hand it on."""
    (database,) = sys.argv[1:]
    settings = Settings(root="/work/app")
    tree = MemoryTree({"/work/app/python.txt": "one\r\ntwo\0\n😀"})
    own: dict[str, Outcome] = {
        "read": Read("python.txt"),
        "edit": Changes([FileChange("python.txt", "one\n", "two\n")], "from Python"),
        "bash": Output("NUL \0, ä, 😀\n" * 500),
        "grep": Failure("no such pattern"),
    }
    with (
        SqliteStorage(database) as storage,
        Session.open("relay", settings, storage=storage, filesystem=tree) as session,
    ):
        ids = list(found(session))
        for id in ids:
            call = ToolCall(f"python-{len(ids)}-recall-{id}", "recall", {"id": id})
            print("recalled", id, json.dumps(session.recall(call, id).text))
        for tool, outcome in own.items():
            answer = session.insert_result(ToolCall(f"python-{len(ids)}-{tool}", tool), outcome)
            print("inserted", answer.id, json.dumps(answer.text))


if __name__ == "__main__":
    main()
