"""The fuzzer itself, with the model in the place of a host."""

from __future__ import annotations

import copy
from pathlib import Path

import hypothesis
import jsonschema
import pytest

import fuzz
from fuzzing.properties import broken_properties
from fuzzing.shrink import smallest
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


def test_a_wrong_host_is_found_and_its_case_made_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mismatch = fuzz.search(_forgets_same_results, 100, 1)
    assert mismatch is not None
    dos = [step["do"] for step in mismatch.case["steps"]]
    assert dos == ["insert-result", "insert-result"]
    monkeypatch.setattr(fuzz, "HERE", tmp_path)
    kept = fuzz.keep(mismatch.case)
    assert kept == fuzz.keep(mismatch.case)
    SCHEMA.validate(load(kept))


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


def test_a_case_that_fails_is_made_small() -> None:
    def fails(case: Json) -> bool:
        return any("2" in step.get("output", "") for step in case["steps"])

    small = smallest(READS, fails)
    assert small["steps"] == [{"do": "insert-result", "output": "2"}]
    assert small["files"] == {}
    assert small["settings"] == {}
