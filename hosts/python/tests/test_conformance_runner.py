"""The conformance runner: the transcript's form, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import conformance_runner as runner
import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

RUNNER = Path(runner.__file__)


def transcript(*steps: dict[str, Any], **case: Any) -> Sequence[str]:
    return list(runner.transcript([{"name": "n", "rule": "§1", "steps": steps, **case}]))


def test_the_lines_are_spelled_as_every_runner_spells_them() -> None:
    assert transcript(
        {"do": "insert-result", "output": ["é\0", {"repeat": "\x1f\x7f", "times": 2}]},
        {"do": "stored-text", "id": "1"},
        {"do": "insert-result", "call": "call-1", "output": "x"},
        {"do": "stored-text", "id": "#9"},
        {"do": "last-read", "path": "a"},
        {"do": "reopen"},
    ) == [
        (
            '{"case":"n","step":1,"inserted":{"id":"#0001",'
            '"text":"[#0001]\\né␀\\u001f\x7f\\u001f\x7f",'
            '"treatment":"full","refers-to":null,"chars-in":14,"chars-out":14}}'
        ),
        '{"case":"n","step":2,"value":"é\\u0000\\u001f\x7f\\u001f\x7f"}',
        (
            '{"case":"n","step":3,"error":{"cause":"call-answered",'
            '"message":"call `call-1` has its result already, #0001; a call has one result",'
            '"payload":{"call":"call-1","id":"#0001"}}}'
        ),
        (
            '{"case":"n","step":4,"error":{"cause":"unknown-id",'
            '"message":"no stored result `#9` in this session",'
            '"payload":"#9"}}'
        ),
        '{"case":"n","step":5,"value":null}',
        '{"case":"n","step":6,"value":null}',
    ]


def test_a_storage_that_fails_and_a_reopening_that_fails() -> None:
    lines = transcript(
        {"do": "fail-storage", "error": {"other": "on fire"}},
        {"do": "insert-result", "output": "x"},
        {"do": "insert-result", "output": "x"},
        {"do": "reopen", "settings": {"kind": "chat"}},
        {"do": "insert-result", "output": "y"},
    )
    answers = [json.loads(line) for line in lines]
    assert [answer["step"] for answer in answers] == [2, 3, 4, 5]
    error = answers[0]["error"]
    assert error["payload"] == {
        "operation": "append",
        "error": {"tag": "other", "value": "on fire"},
    }
    assert answers[2]["error"]["cause"] == "settings-differ"
    assert answers[3]["inserted"]["id"] == "#0002"


def test_a_session_that_cannot_be_opened_is_step_0() -> None:
    (line,) = transcript({"do": "last-read", "path": "a"}, settings={"root": "relative"})
    answer = json.loads(line)
    assert answer["step"] == 0
    assert answer["error"]["cause"] == "invalid-argument"


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"do": "dance"}, "no step is called `dance`"),
        ({"do": "insert-result", "output": [{"thrice": "x"}]}, "no text is made of"),
        ({"do": "fail-storage", "error": "rust"}, "no storage fails with"),
    ],
)
def test_what_no_case_may_hold(step: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        transcript(step)


def test_it_runs_as_a_command(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    case = {"name": "é", "steps": [{"do": "resolve-path", "path": "b"}]}
    file.write_text(json.dumps({"area": "x", "cases": [case]}), "utf-8")
    done = subprocess.run([sys.executable, RUNNER, file], check=True, capture_output=True)
    assert done.stdout.decode() == '{"case":"é","step":1,"value":"/work/app/b"}\n'
