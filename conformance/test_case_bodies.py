"""Every body of the cases, a summary request's too, is one that its provider's interface takes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import model
from bodies.check import RULES
from bodies.transcripts import Request, bound_problems, request_problems, requests
from reference.casefile import Json, load

HERE = Path(__file__).parent
FILES = sorted([*HERE.glob("cases/*.json"), *HERE.glob("corpus/*.json")])
CARRIED: Json = load(HERE / "bodies" / "carried.json")
"""Case names: why what a reply or the caller gave, and the case carries, breaks the interface."""


@cache
def _requests(path: Path) -> list[Request]:
    document = load(path)
    return list(requests(document, model.transcript(document)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_body_is_one_that_its_interface_takes(path: Path) -> None:
    found = [
        f"{request.case}, step {request.step}: {problem}"
        for request in _requests(path)
        if request.case not in CARRIED
        for problem in request_problems(request)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_thinking_stands_behind_what_it_was_made_behind(path: Path) -> None:
    document = load(path)
    found = list(bound_problems(document, model.transcript(document)))
    assert not found, "\n".join(found)


def test_what_another_model_keeps_would_be_refused_by_one_that_binds() -> None:
    document = load(HERE / "cases" / "thinking-fronts-others.json")
    found = list(bound_problems(document, model.transcript(document), lambda _: True))
    broken = {
        case["name"] for case in document["cases"] if any(case["name"] in one for one in found)
    }
    assert broken == {case["name"] for case in document["cases"]}


def test_what_breaks_the_interface_is_still_there() -> None:
    broken = {
        request.case
        for path in FILES
        for request in _requests(path)
        if request.case in CARRIED and request_problems(request)
    }
    assert broken == set(CARRIED)


def _builds(step: Json) -> bool:
    """Whether a step is answered with a body, as far as the case says."""
    expected = step.get("expect")
    named = expected if isinstance(expected, dict) else {}
    if step["do"] == "compact-begin":
        return "summary-request" in named
    return step["do"] == "build-request" and "error" not in named


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_step_that_builds_a_request_is_judged(path: Path) -> None:
    steps = {
        (case["name"], number)
        for case in load(path)["cases"]
        for number, step in enumerate(case.get("steps", []), 1)
        if _builds(step)
    }
    judged = {(request.case, request.step) for request in _requests(path)}
    assert steps <= judged


def test_every_dialect_is_judged() -> None:
    judged = {request.dialect for path in FILES for request in _requests(path)}
    assert judged == set(RULES)


CASES: Json = {
    "cases": [
        {
            "name": "a",
            "settings": {"dialect": "anthropic-messages"},
            "steps": [
                {"do": "build-request"},
                {"do": "reopen", "settings": {"dialect": "openai-chat"}, "key": "other"},
                {"do": "build-request"},
                {"do": "reopen", "settings": {"dialect": "openai-responses"}},
                {"do": "build-request"},
            ],
        }
    ]
}


def _line(step: int, **answer: Json) -> str:
    return json.dumps({"case": "a", "step": step, **answer})


def test_a_request_has_the_dialect_of_the_session_that_is_open() -> None:
    user = {"role": "user", "content": "Look."}
    body = json.dumps({"messages": [user]})
    lines = [
        _line(1, request={"body": body}),
        _line(2, value=None),
        _line(3, request={"body": body}),
        _line(4, error={"cause": "settings-differ"}),
        _line(5, request={"body": '{"messages":[]}'}),
    ]
    found = list(requests(CASES, lines))
    assert [request.dialect for request in found] == [
        "anthropic-messages",
        "openai-chat",
        "openai-chat",
    ]
    assert [request_problems(request) for request in found] == [
        [],
        [],
        ["$.messages: [] should be non-empty"],
    ]


def test_a_request_for_a_summary_is_judged() -> None:
    document = {
        "cases": [
            {
                "name": "a",
                "settings": {"dialect": "openai-chat"},
                "steps": [{"do": "compact-begin"}, {"do": "compact-begin"}],
            }
        ]
    }
    not_applied = {"reason": "nothing-to-summarise"}
    lines = [
        _line(1, **{"summary-request": {"body": '{"messages":[]}'}}),
        _line(2, **{"not-applied": not_applied}),
    ]
    (request,) = requests(document, lines)
    assert request.step == 1
    assert request_problems(request) == ["$.messages: [] should be non-empty"]


def test_a_body_that_cannot_be_read_is_a_problem() -> None:
    request = Request("a", 1, "openai-chat", "{")
    assert request_problems(request)[0].startswith("$: is not JSON")
