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


TALK: dict[str, Any] = {"dialect": "openai-chat"}


def test_a_subagent_has_its_prompt_and_what_is_read_for_it() -> None:
    delegated, report = transcript(
        {
            "do": "delegate",
            "key": "a",
            "kind": "finder",
            "prompt": {"sources": [{"part": "preamble", "text": "Look."}]},
            "assembly": {"context-files": ["map.md"]},
        },
        {"do": "prompt-report"},
        settings=TALK,
        files={"/work/app/map.md": "a map"},
    )
    assert delegated == '{"case":"n","step":1,"value":null}'
    parts = [block["part"] for block in json.loads(report)["value"]]
    assert parts == ["preamble", None, "project-context"]


ESTIMATE = '{"tokens":%d,"raw":%d,"strategy":"weights","confidence":"low"}'
HEALTH = '{"severity":"info","state":"%s","guidance":"The session can go on."}'


def test_the_lines_of_a_compaction() -> None:
    lines = transcript(
        {"do": "add-message", "user": {"text": "hello"}},
        {"do": "add-message", "reply": {"json": {"role": "assistant", "content": "hi " * 900}}},
        {"do": "pressure"},
        {"do": "compact-begin"},
        {"do": "compact-finish", "reply": {"role": "assistant", "content": "S"}},
        {"do": "compact-begin", "stage": "normal", "steering": "all"},
        {"do": "lineage"},
        {"do": "generation", "number": 3},
        {"do": "history"},
        {"do": "context-state"},
        settings=TALK,
    )
    asked = json.loads(lines[2])["value"]
    assert list(asked) == [
        *("estimate", "window", "soft-limit", "hard-limit", "reserve", "margin"),
        *("used", "fits", "action", "reason", "health"),
    ]
    tokens = asked["estimate"]["tokens"]
    assert lines[2] == (
        '{"case":"n","step":3,"value":{"estimate":' + ESTIMATE % (tokens, tokens) + ","
        '"window":0,"soft-limit":0,"hard-limit":0,"reserve":0,"margin":0,'
        f'"used":{tokens},"fits":true,"action":"none","reason":null,"health":null}}}}'
    )
    request = json.loads(lines[3])["summary-request"]
    estimate = ESTIMATE % ((request["estimate"]["tokens"],) * 2)
    body = json.dumps(request["body"], ensure_ascii=False)
    assert lines[3] == (
        '{"case":"n","step":4,"summary-request":{"stage":"normal","keep":0,'
        f'"length":{request["length"]},"sha256":"{request["sha256"]}","estimate":{estimate},'
        f'"max-tokens":0,"covers":2,"retains":0,"on-fallback":false,"fallback":null,'
        f'"health":{HEALTH % "compacting"},"body":{body}}}}}'
    )
    assert list(json.loads(lines[4])["compacted"]) == [
        *("stage", "generation", "message", "summary", "text", "covered", "retained"),
        *("tokens-before", "tokens-after", "pressure", "health", "fallback", "state-cleared"),
        "warnings",
    ]
    assert list(json.loads(lines[5])["not-applied"]) == [
        *("stage", "reason", "message", "rerun-on-main", "fallback", "state-cleared"),
    ]
    assert lines[6:] == [
        (
            '{"case":"n","step":7,"value":[{"number":1,"messages":2,"stage":null,'
            '"summary":null,"fallback":null},{"number":2,"messages":1,"stage":"normal",'
            '"summary":"S","fallback":null}]}'
        ),
        (
            '{"case":"n","step":8,"error":{"cause":"unknown-generation",'
            f'"message":{json.dumps(json.loads(lines[7])["error"]["message"])},"payload":3}}}}'
        ),
        '{"case":"n","step":9,"value":""}',
        '{"case":"n","step":10,"value":{"recent-calls":[],"turns":1}}',
    ]


def test_the_lines_of_a_fallback() -> None:
    here = {"provider": "here", "model": "big"}
    there = {"provider": "there", "model": "small", "parameters": {"model": "small"}}
    lines = transcript(
        {"do": "last-main-request"},
        {"do": "fallback-due", **here, "after-ms": 0, "now": 0},
        {"do": "main-request-answered", **here, "at": 2**53 + 1},
        {"do": "last-main-request"},
        {"do": "fallback-due", **here, "after-ms": 1, "now": 2**53 + 1},
        {"do": "fallback-due", **here, "cache-key": "k", "after-ms": 1, "now": 2**53 + 1},
        {"do": "add-message", "user": {"text": "hello"}},
        {"do": "add-message", "reply": {"json": {"role": "assistant", "content": "hi " * 900}}},
        {"do": "compact-begin", "main": here, "target": {"fallback": {**there, "reason": "R"}}},
        {"do": "compact-finish", "failed": "down"},
        {"do": "compact-begin", "main": here, "target": {"unresolved": "no key"}},
        {"do": "compact-finish", "cancelled": True},
        settings=TALK,
    )
    assert lines[:6] == [
        '{"case":"n","step":1,"value":null}',
        '{"case":"n","step":2,"value":"disabled"}',
        '{"case":"n","step":3,"value":null}',
        (
            '{"case":"n","step":4,"value":{"model":{"provider":"here","model":"big"},'
            '"cache-key":"","at":9007199254740993}}'
        ),
        '{"case":"n","step":5,"value":"warm"}',
        '{"case":"n","step":6,"value":{"cold":"no recent request"}}',
    ]
    begun, failed, again, cancelled = (json.loads(line) for line in lines[8:])
    assert begun["summary-request"]["on-fallback"]
    assert failed["not-applied"]["rerun-on-main"]
    assert failed["not-applied"]["fallback"]["status"] == "skipped"
    assert not again["summary-request"]["on-fallback"]
    assert cancelled["not-applied"]["reason"] == "cancelled"


def test_an_append_that_fails_after_others() -> None:
    lines = transcript(
        {"do": "fail-storage", "error": "full", "after": 1},
        {"do": "insert-result", "output": "one"},
        {"do": "insert-result", "output": "two"},
        {"do": "insert-result", "output": "three"},
    )
    assert ["inserted" in line for line in lines] == [True, False, True]
    assert json.loads(lines[1])["error"]["payload"]["error"] == {"tag": "full"}


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
        ({"do": "compact-begin", "target": "other"}, "no target is"),
        ({"do": "compact-finish"}, "no outcome is"),
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
