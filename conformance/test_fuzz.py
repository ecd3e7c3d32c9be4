"""The fuzzer itself, with the model in the place of a host."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path

import hypothesis
import jsonschema
import pytest

import fuzz
from fuzzing.generate import sessions
from fuzzing.properties import broken_properties
from fuzzing.shrink import smallest
from fuzzing.talks import talks
from reference.casefile import Json, load
from reference.run import Answers, run

SCHEMA = jsonschema.Draft202012Validator(load(Path(__file__).parent / "case.schema.json"))


def _model(case: Json) -> dict[int, Json]:
    return {answer.step: answer.body for answer in run(case, {})}


def _forgets_same_results(case: Json) -> Answers:
    """A host that is wrong: it never answers that a result is the same."""
    answers = _model(case)
    for answer in answers.values():
        inserted = answer.get("inserted", {})
        if inserted.get("treatment") == "same-result":
            inserted["treatment"] = "full"
    return answers


@hypothesis.settings(
    max_examples=40,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
@hypothesis.given(fuzz.CASES)
def test_a_random_case_is_valid_and_the_model_keeps_every_property(case: Json) -> None:
    whole = fuzz.asking_for_everything(case)
    fuzz.judge(whole, _model)
    SCHEMA.validate({"area": "corpus", "cases": [fuzz.with_expectations(whole, _model(whole))]})


def _never_says_that_something_differs(case: Json) -> Answers:
    """A host that is wrong: it says of every request that everything stands."""
    answers = _model(case)
    for answer in answers.values():
        if "request" in answer:
            answer["request"]["difference"] = None
    return answers


def test_a_wrong_host_is_found_and_its_case_made_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fuzz, "CASES", sessions())
    mismatch = fuzz.search(_forgets_same_results, 100, 1)
    assert mismatch is not None
    dos = [step["do"] for step in mismatch.case["steps"]]
    assert dos == ["insert-result", "insert-result"]
    monkeypatch.setattr(fuzz, "HERE", tmp_path)
    kept = fuzz.keep(mismatch.case)
    assert kept == fuzz.keep(mismatch.case)
    SCHEMA.validate(load(kept))


def test_a_wrong_request_is_found_and_its_case_made_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fuzz, "CASES", talks())
    mismatch = fuzz.search(_never_says_that_something_differs, 100, 1)
    assert mismatch is not None
    dos = [step["do"] for step in mismatch.case["steps"]]
    assert dos[0] == "add-message"
    assert dos.count("build-request") == len(("before", "after"))
    monkeypatch.setattr(fuzz, "HERE", tmp_path)
    SCHEMA.validate(load(fuzz.keep(mismatch.case)))


def test_a_host_that_raises_is_found() -> None:
    def perform(_: Json) -> Answers:
        raise RuntimeError("no host")

    mismatch = fuzz.search(perform, 5, None)
    assert mismatch is not None
    assert len(mismatch.case["steps"]) == 1


READS: Json = {
    "name": "reads",
    "rule": "fuzzing",
    "settings": {
        "overrides": {"context": {"cap": {"max_lines": 2, "head_lines": 1, "tail_lines": 1}}}
    },
    "files": {"/work/app/a": "x\n"},
    "steps": [
        {"do": "insert-result", "read": {"path": "a"}},
        {"do": "insert-result", "read": {"path": "a"}},
        {"do": "insert-result", "output": "1\n2\n3\n"},
        {"do": "stored-text", "id": "#0003"},
        {"do": "recall", "id": "#0003"},
    ],
}


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        (1, "id", "#0002"),
        (2, "refers-to", "#0002"),
        (2, "treatment", "full"),
        (3, "text", "[#0003]\n1\n2\n[1 lines elided, full output #0003]\n3"),
        (3, "chars-out", 1),
        (5, "text", "[#0004 recall #0003 lines 1-3 of 3]\n1\n2\n4"),
    ],
)
def test_a_broken_property_is_found(step: int, field: str, value: Json) -> None:
    answers = _model(READS)
    assert list(broken_properties(READS, answers)) == []
    wrong = copy.deepcopy(answers)
    wrong[step]["inserted"][field] = value
    assert list(broken_properties(READS, wrong))


CALLS: Json = [
    {"id": "c1", "type": "function", "function": {"name": "grep", "arguments": "{}"}},
    {"id": "c2", "type": "function", "function": {"name": "grep", "arguments": "{}"}},
]
TALK: Json = {
    "name": "a talk",
    "rule": "fuzzing",
    "settings": {"dialect": "openai-chat"},
    "steps": [
        {"do": "add-message", "user": {"text": "go"}},
        {"do": "build-request"},
        {"do": "add-message", "reply": {"json": {"content": None, "tool_calls": CALLS}}},
        {"do": "insert-result", "call": "c2", "output": "2"},
        {"do": "build-request"},
        {"do": "reopen"},
        {"do": "build-request"},
    ],
}


def _changed(answers: dict[int, Json], step: int, **fields: Json) -> dict[int, Json]:
    wrong = copy.deepcopy(answers)
    wrong[step]["request"] |= fields
    body = wrong[step]["request"]["body"].encode()
    wrong[step]["request"]["sha256"] = hashlib.sha256(body).hexdigest()
    wrong[step]["request"]["length"] = len(body)
    return wrong


@pytest.mark.parametrize(
    ("step", "fields", "found"),
    [
        (2, {"keep": 1}, "keep is 1 in the first request"),
        (5, {"number": 3}, "number 3 follows 1"),
        (5, {"keep": 200}, "keep 200 is more than shared"),
        (5, {"shared": 1}, "shared 1 is not where the bodies part"),
        (5, {"difference": {"part": "model"}}, "the difference is {'part': 'model'}"),
        (5, {"body": '{"messages":[}'}, "the body is no JSON"),
        (5, {"body": '{"messages":[],"messages":[]}'}, "a key stands twice"),
        (7, {"body": '{"messages":[]}'}, "opened again has another body"),
        (
            7,
            {"body": '{"messages":[{"role":"tool","tool_call_id":"c1"}]}'},
            "a result of c1 stands",
        ),
    ],
)
def test_a_wrong_request_is_found(step: int, fields: Json, found: str) -> None:
    answers = _model(TALK)
    assert list(broken_properties(TALK, answers)) == []
    wrong = _changed(answers, step, **fields)
    assert any(found in problem for problem in broken_properties(TALK, wrong))


def test_results_in_another_order_than_their_calls_are_found() -> None:
    answers = _model(TALK)
    body = answers[5]["request"]["body"]
    swapped = body.replace('_id":"c1"', '_id":"c0"').replace('_id":"c2"', '_id":"c1"')
    wrong = _changed(answers, 5, body=swapped.replace('_id":"c0"', '_id":"c2"'))
    problems = list(broken_properties(TALK, wrong))
    assert any("a result of c2 stands where ['c1', 'c2'] wait" in problem for problem in problems)


def test_a_call_without_its_result_is_found() -> None:
    answers = _model(TALK)
    body = answers[7]["request"]["body"]
    cut = body[: body.rindex(',{"role":"tool"')] + "]}"
    problems = list(broken_properties(TALK, _changed(answers, 7, body=cut)))
    assert any("the calls ['c2'] have no results" in problem for problem in problems)


def test_a_case_that_fails_is_made_small() -> None:
    def fails(case: Json) -> bool:
        return any("2" in step.get("output", "") for step in case["steps"])

    small = smallest(READS, fails)
    assert small["steps"] == [{"do": "insert-result", "output": "2"}]
    assert small["files"] == {}
    assert small["settings"] == {}
