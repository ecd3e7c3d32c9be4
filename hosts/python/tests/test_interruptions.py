"""An exception that Python raises between any two steps: it comes out, and the session goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Inserts results and is interrupted, over and over; then looks for each result that it was given.
# On success it says how often it was interrupted.
PROGRAM = """
import ctypes, os, random, signal, sys, threading, time
from waybread import (
    Directory, FileSystemError, MemoryStorage, MemoryTree, Output, Read, Session, Settings,
    SqliteStorage, StorageError, ToolCall,
)

kind, folder, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
chance = random.Random(seed)
text = "a line of text\\n" * 6000
if kind == "memory":
    root, files, storage = "/a", MemoryTree({"/a/x": text}), MemoryStorage()
else:
    open(folder + "/x", "w").write(text)
    files, storage = Directory(folder), SqliteStorage(folder + "/s.db")
    root = files.root
session = Session.open("s", Settings(root), storage=storage, filesystem=files)

class Alarm(Exception):
    pass

def ring(*_):
    raise Alarm

signal.signal(signal.SIGALRM, ring)
main = threading.get_ident()

def later(act):
    def wait():
        time.sleep(chance.uniform(1e-5, 3e-3))
        act()
    return threading.Thread(target=wait)

def send():
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), ctypes.py_object(Alarm))

ways = [
    lambda: later(lambda: os.kill(os.getpid(), signal.SIGINT)),
    lambda: later(send),
    lambda: later(lambda: os.kill(os.getpid(), signal.SIGALRM)),
]
given, calls, stopped = {}, 0, 0

def insert():
    global calls
    calls += 1
    call = ToolCall(f"c{calls}", "bash")
    output = Output(f"text of {calls}\\n" * 3000)
    outcome = Read("x", force=True) if calls % 2 else output
    answer = session.insert_result(call, outcome)
    given[answer.id] = None if calls % 2 else output.text

for number in range(60):
    # It has a name before it can interrupt anything.
    thread = ways[number % 3]()
    try:
        thread.start()
        while thread.is_alive():
            insert()
        insert()
    except (KeyboardInterrupt, Alarm):
        stopped += 1
    except (StorageError, FileSystemError) as error:
        assert isinstance(error.__cause__, Alarm), error
        stopped += 1
    thread.join()
    insert()
session.reopen()
for id, stored in given.items():
    assert session.stored_text(id) == stored or stored is None
print(stopped)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals on Windows")
@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_signals_and_asynchronous_exceptions(tmp_path: Path, kind: str) -> None:
    for seed in range(2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        command = [sys.executable, "-c", PROGRAM, kind, str(folder), str(seed)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert run.returncode == 0, run.stderr
        assert int(run.stdout) > 30


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals on Windows")
def test_a_replay_that_is_interrupted(tmp_path: Path) -> None:
    calls = [{"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}]
    turn = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c", "content": "x\n" * 1000},
    ]
    (tmp_path / "long.json").write_text(json.dumps(turn * 50))
    program = (
        "import os, signal, sys, threading, time, waybread\n"
        "waybread.replay([sys.argv[1]])\n"
        "done = threading.Event()\n"
        "def stop():\n"
        "    time.sleep(float(sys.argv[2]))\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    # Python forgets what is raised as something is freed.\n"
        "    if not done.wait(5): os.kill(os.getpid(), signal.SIGINT)\n"
        "thread = threading.Thread(target=stop)\n"
        "try:\n"
        "    thread.start()\n"
        "    while True: waybread.replay([sys.argv[1]])\n"
        "except KeyboardInterrupt: done.set()\n"
        "thread.join()\n"
        "print('stopped')\n"
    )
    for delay in (0.001, 0.01, 0.05):
        command = [sys.executable, "-c", program, str(tmp_path / "long.json"), str(delay)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (run.returncode, run.stdout) == (0, "stopped\n"), run.stderr


DEEP = """
import sys
from waybread import MemoryStorage, MemoryTree, Read, Session, Settings, ToolCall

tree, settings = MemoryTree({"/a/x": "y"}), Settings("/a")
session = Session.open("s", settings, storage=MemoryStorage(), filesystem=tree)

def at(depth):
    return at(depth - 1) if depth else session.insert_result(ToolCall(str(calls), "r"), Read("x"))

for calls in range(60):
    try:
        at(sys.getrecursionlimit() - 60 + calls)
    except Exception as error:
        assert "RecursionError" in repr(error), error
calls = "last"
at(0)
"""


def test_a_call_at_the_end_of_the_stack() -> None:
    # In a process of its own: what is raised as wasmtime frees something is told, and forgotten.
    run = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
