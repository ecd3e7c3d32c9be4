"""A process that is killed loses at most the call that was under way."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from waybread import (
    CallAnsweredError,
    MemoryTree,
    Output,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
)

if TYPE_CHECKING:
    from pathlib import Path

# Inserts results for ever and says each id once it has it.
WRITER = """
import sys
from waybread import MemoryTree, Output, Session, Settings, SqliteStorage, ToolCall

storage = SqliteStorage(sys.argv[1])
session = Session.open("s", Settings(root="/a"), storage=storage, filesystem=MemoryTree())
number = 0
while True:
    number += 1
    text = f"text of {number} " * 500
    print(session.insert_result(ToolCall(f"c{number}", "bash"), Output(text)).id, flush=True)
"""


@pytest.mark.parametrize("killed_after", [1, 20, 60])
def test_a_killed_writer(tmp_path: Path, killed_after: int) -> None:
    path = tmp_path / "sessions.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline().strip() for _ in range(killed_after)]
        writer.kill()
        said += writer.stdout.read().split()
    assert said == [f"#{number:04x}" for number in range(1, len(said) + 1)]
    with (
        SqliteStorage(path) as storage,
        Session.open("s", Settings(root="/a"), storage=storage, filesystem=MemoryTree()) as session,
    ):
        for number, id in enumerate(said, start=1):
            assert session.stored_text(id) == f"text of {number} " * 500
        carry_on(session, len(said))


def carry_on(session: Session, said: int) -> None:
    """The call after the last one said was stored in full or not at all."""
    under_way = ToolCall(f"c{said + 1}", "bash")
    try:
        assert session.insert_result(under_way, Output("again")).id == f"#{said + 1:04x}"
    except CallAnsweredError as answered:
        assert answered.id == f"#{said + 1:04x}"
        assert session.stored_text(answered.id) == f"text of {said + 1} " * 500
