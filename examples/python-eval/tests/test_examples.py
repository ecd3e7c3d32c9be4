"""The example does what its README says, and sends what the scenario's server takes."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from waybread import SqliteStorage

from agent import Scenario, play
from model_server.script import parse
from model_server.server import server

EXAMPLES = Path(__file__).parents[2]
SCENARIOS = sorted((EXAMPLES / "scenarios").glob("*.json"))


@contextmanager
def serving(scenario: Path, log: StringIO) -> Iterator[str]:
    script = json.loads(scenario.read_text("utf-8"))["script"]
    with server(parse(script), log=log) as served:
        threading.Thread(target=served.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/v1"
        served.shutdown()


def requests(log: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_is_played_to_its_end(path: Path, tmp_path: Path) -> None:
    log = StringIO()
    with serving(path, log) as url, SqliteStorage(tmp_path / "s.db") as storage:
        scenario = Scenario.read(path)
        session = play(scenario, url, storage)
        said = [message.text for message in session.conversation()]
    replies = scenario.given["script"]["models"]["scripted"]["replies"]
    assert said[-1] == replies[-1]["text"]
    assert len(requests(log)) == len(replies)
    assert [request["problems"] for request in requests(log)] == [[] for _ in replies]


def test_a_session_goes_on_where_it_was(tmp_path: Path) -> None:
    log = StringIO()
    path = EXAMPLES / "scenarios" / "agent.json"
    with serving(path, log) as url, SqliteStorage(tmp_path / "s.db") as storage:
        scenario = Scenario.read(path)
        first, second = scenario.given["turns"]
        scenario.given["turns"] = [first]
        play(scenario, url, storage)
        scenario.given["turns"] = [second]
        session = play(scenario, url, storage)
        assert [report.difference for report in session.cache_report()[:4]] == [None] * 4
    bodies = [request["body"] for request in requests(log)]
    assert "Why does the test fail?" in bodies[-1]


def evaluate(*given: str) -> str:
    program = EXAMPLES / "python-eval" / "evaluate.py"
    ran = subprocess.run(
        [sys.executable, program, *given], check=True, capture_output=True, text=True
    )
    return ran.stdout


def test_a_scenario_is_evaluated_under_settings(tmp_path: Path) -> None:
    path, table = EXAMPLES / "scenarios" / "agent.json", tmp_path / "rows.csv"
    with serving(path, StringIO()) as url:
        setting = 'reasoning.earlier_turns="all"'
        evaluate("--csv", str(table), "scenario", str(path), "--url", url, "--set", setting)
    rows = list(csv.DictReader(StringIO(table.read_text("utf-8"))))
    assert [row["request"] for row in rows] == ["1", "2", "3", "4", "5"]
    # With the reasoning kept, all that was sent stands.
    assert [row["cause"] for row in rows] == [""] * 5
    assert int(rows[4]["cached"]) > int(rows[3]["cached"])


def test_recordings_are_evaluated_under_windows() -> None:
    fixture = EXAMPLES.parent / "recordings/tests/fixtures/cc-10-small-crlf.jsonl"
    table = evaluate("replay", str(fixture))
    assert table.splitlines()[0].split() == [
        "window",
        "policy",
        "requests",
        "sent",
        "kept",
        "reread",
        "breaks",
    ]
    assert table.count("waybread") == 4
