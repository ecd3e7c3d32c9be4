"""The cases themselves: valid, complete, in one format, and agreed to by the model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

import model
from reference.casefile import Json, dump, load
from reference.compare import differences
from reference.expectations import expected_answers

HERE = Path(__file__).parent
FILES = sorted([*HERE.glob("cases/*.json"), *HERE.glob("corpus/*.json")])
CASES = [(path, case) for path in FILES for case in load(path)["cases"]]
FEWEST = 300
SECTIONS = [f"§{number}" for number in range(1, 12)]

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def _headings(document: str, prefix: str) -> list[str]:
    text = (HERE.parent / "docs" / document).read_text(encoding="utf-8")
    return [f"{prefix}: {heading}" for heading in re.findall(r"^## (.*)$", text, re.MULTILINE)]


RULES = [
    *SECTIONS,
    *_headings("rulings.md", "ruling"),
    *_headings("requests.md", "requests"),
    *_headings("compaction.md", "compaction"),
    *_headings("assembly.md", "assembly"),
]


@every_file
def test_a_case_file_is_valid(path: Path) -> None:
    schema = load(HERE / "case.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(load(path), schema, cls=jsonschema.Draft202012Validator)


@every_file
def test_a_case_file_is_named_for_its_area(path: Path) -> None:
    area = load(path)["area"]
    assert area == ("corpus" if path.parent.name == "corpus" else path.stem)


@every_file
def test_a_case_file_is_in_the_one_format(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == dump(load(path))


@every_file
def test_the_model_agrees(path: Path) -> None:
    found = [
        f"{case['name']}: {difference}"
        for case in load(path)["cases"]
        for difference in differences(case, expected_answers(case), whole=False)
    ]
    assert not found, "\n".join(found)


@every_file
def test_the_model_agrees_with_its_own_transcript(path: Path) -> None:
    document = load(path)
    lines = model.transcript(document)
    assert model.report(document, lines) == []


def test_names_are_unique() -> None:
    seen: dict[str, Path] = {}
    for path, case in CASES:
        assert case["name"] not in seen, (path, seen[case["name"]])
        seen[case["name"]] = path


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= FEWEST


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_case(rule: str) -> None:
    assert any(case["rule"] == rule for _, case in CASES)


def test_a_rule_that_a_case_names_exists() -> None:
    for path, case in CASES:
        assert case["rule"] in ({"fuzzing"} if path.parent.name == "corpus" else RULES)


CHANGE: Json = {
    "name": "a change",
    "rule": "§5",
    "steps": [
        {
            "do": "insert-result",
            "changes": {"files": [{"path": "a", "before": "x\ny\nx\n", "after": "x\n"}]},
        }
    ],
}
BRACKET = "[#0001 a sha 73cb3858]\n"


def _found(diff: str) -> list[str]:
    answers = {1: {"inserted": {"text": BRACKET + diff}}}
    return list(differences(CHANGE, answers, whole=False))


@pytest.mark.parametrize(
    "diff", ["@@ -1,3 +1 @@\n-x\n-y\n x", "@@ -1,3 +1 @@\n x\n-y\n-x"], ids=["first", "last"]
)
def test_any_right_diff_is_right(diff: str) -> None:
    assert _found(diff) == []


@pytest.mark.parametrize(
    "diff",
    [
        "@@ -1,3 +1,1 @@\n-x\n-y\n x",
        "@@ -1,3 +1 @@\n-x\n-y\n x\n",
        "@@ -1,3 +1 @@\n-x\n-z\n x",
        "@@ -1,3 +1 @@\n-x\n-y\n-x\n+x",
        "@@ -1,2 +1 @@\n x\n-y",
        "@@ -1,2 +0,0 @@\n-x\n-y",
        "@@ -2,3 +1 @@\n-x\n-y\n x",
        "@@ -1,3 +2 @@\n-x\n-y\n x",
        "@@ -1,3 +1 @@\n-x\n-y\n x\n@@ -4 +2 @@\n+x",
        "-x\n-y\n x",
        "",
    ],
    ids=[
        "a length of one is written",
        "a newline at the end",
        "a line that is not in the old content",
        "a line removed and added again",
        "not the new content",
        "no context",
        "a wrong old start",
        "a wrong new start",
        "a line too many",
        "no header",
        "nothing",
    ],
)
def test_a_wrong_diff_is_found(diff: str) -> None:
    assert _found(diff)


def test_a_wrong_answer_is_found() -> None:
    document = load(HERE / "cases" / "context.json")
    lines = model.transcript(document)
    assert model.report(document, lines[1:])
    assert model.report(document, [*lines, lines[0].replace('"step":1', '"step":99')])
    changed = [line.replace('"treatment":"full"', '"treatment":"capped"') for line in lines]
    assert model.report(document, changed)


KEPT: Json = {
    "name": "what is kept",
    "rule": "requests: What a request says of itself",
    "settings": {
        "dialect": "anthropic-messages",
        "overrides": {"requests": {"cache_breakpoints": 2}},
    },
    "steps": [
        {"do": "add-message", "user": {"text": "a", "parts": [{"text": "b"}]}},
        {"do": "build-request"},
        {"do": "build-request"},
        {"do": "add-message", "user": {"text": "c"}},
        {"do": "build-request"},
    ],
}


def _kept(step: int, keep: int) -> list[str]:
    """What is found if a step's request keeps so much."""
    lines = [json.loads(line) for line in model.transcript({"cases": [KEPT]})]
    lines[step - 1]["request"]["keep"] = keep
    return model.report({"cases": [KEPT]}, [json.dumps(line) for line in lines])


@pytest.mark.parametrize(("step", "bytes_less"), [(2, 0), (3, 0), (5, 0), (5, 1), (5, 29)])
def test_what_may_be_kept(step: int, bytes_less: int) -> None:
    """Where a message stands in part, a writer may keep that part of it, or none."""
    line = json.loads(model.transcript({"cases": [KEPT]})[step - 1])
    assert _kept(step, line["request"]["keep"] - bytes_less) == []


@pytest.mark.parametrize(("step", "keep"), [(2, 1), (3, 0), (5, 1000), (5, -1)])
def test_what_may_not_be_kept(step: int, keep: int) -> None:
    """Nothing of another session's, all that stands, and no more."""
    assert _kept(step, keep)


EXPECTED: Json = {
    "name": "expectations",
    "rule": "requests: Replies",
    "settings": {"dialect": "openai-chat"},
    "steps": [
        {"do": "add-message", "user": {"text": "a"}},
        {"do": "add-message", "reply": {"json": {"content": "b"}}, "expect": {"number": 2}},
        {"do": "build-request", "parameters": {"n": 1}},
    ],
}


@pytest.mark.parametrize(
    ("expect", "agrees"),
    [
        ({"has": {"n": 1}}, True),
        ({"has": {"n": 2}}, False),
        ({"has": {"m": 1}}, False),
        ({"difference": None, "shared": 0}, True),
        ({"difference": {"part": "model"}}, False),
        ({"closed": []}, True),
        ({"closed": ["x"]}, False),
        ("{}", False),
        ({"body": {}}, False),
    ],
)
def test_what_a_case_expects_of_a_request(expect: Json, *, agrees: bool) -> None:
    *before, last = EXPECTED["steps"]
    case = EXPECTED | {"steps": [*before, last | {"expect": expect}]}
    found = list(differences(case, expected_answers(case), whole=False))
    assert (found == []) == agrees
