"""One host's part in the relay: a session in a SQLite file that the hosts carry on in turn.

    python relay.py DATABASE

Recalls every result that it finds in the session `relay`, inserts some of its own, and prints one
line for each. Then takes a turn in the session `relay-conversation`, and prints the hash of the
request that it found (`carried`) and of its own (`sent`).
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING

from waybread import (
    Changes,
    Dialect,
    Failure,
    FileChange,
    MemoryTree,
    Output,
    Read,
    Reply,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
    UnknownIdError,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybread import Outcome

OUTPUT = "NUL \0, ä, 😀\n" * 500
REPLY = (
    '{"role":"assistant","content":null,"reasoning_content":"python thinks","tool_calls":'
    '[{"id":"python-{N}","type":"function","function":{"name":"bash","arguments":"{}"}}]}'
)


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


def carry_results_on(storage: SqliteStorage) -> None:
    """Recall what is there, and insert results of this host."""
    tree = MemoryTree({"/work/app/python.txt": "one\r\ntwo\0\n😀"})
    own: dict[str, Outcome] = {
        "read": Read("python.txt"),
        "edit": Changes([FileChange("python.txt", "one\n", "two\n")], "from Python"),
        "bash": Output(OUTPUT),
        "grep": Failure("no such pattern"),
    }
    settings = Settings(root="/work/app")
    with Session.open("relay", settings, storage=storage, filesystem=tree) as session:
        ids = list(found(session))
        for id in ids:
            call = ToolCall(f"python-{len(ids)}-recall-{id}", "recall", {"id": id})
            print("recalled", id, json.dumps(session.recall(call, id).text))
        for tool, outcome in own.items():
            answer = session.insert_result(ToolCall(f"python-{len(ids)}-{tool}", tool), outcome)
            print("inserted", answer.id, json.dumps(answer.text))


def carry_conversation_on(storage: SqliteStorage) -> None:
    """Build the request that the host before built, then take a turn with one call."""
    settings = Settings(root="/work/app", dialect=Dialect.OPENAI_CHAT)
    with Session.open(
        "relay-conversation", settings, storage=storage, filesystem=MemoryTree()
    ) as session:
        count = len(session.conversation())
        if count:
            print("carried", request_hash(session))
        session.add_message(UserMessage("python asks", date="2026-11-30"))
        (open_call,) = session.add_message(Reply(REPLY.replace("{N}", str(count)))).calls
        session.insert_result(open_call.call, Output(OUTPUT))
        print("sent", request_hash(session))


def request_hash(session: Session) -> str:
    """The hash of the next request, which must be that of the body put together here."""
    request = session.build_request('{"model":"relay"}')
    if hashlib.sha256(bytes(request.body)).hexdigest() != request.sha256:
        raise SystemExit(f"request {request.number} is not the body that was put together")
    return request.sha256


def main() -> None:
    """Take the sessions over and hand them on."""
    (database,) = sys.argv[1:]
    with SqliteStorage(database) as storage:
        carry_results_on(storage)
        carry_conversation_on(storage)


if __name__ == "__main__":
    main()
