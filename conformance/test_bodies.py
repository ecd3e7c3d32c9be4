"""The judge of request bodies: right ones pass, and each broken one fails for its own reasons."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from bodies.check import RULES, problems
from bodies.schemas import SCHEMAS
from reference.casefile import Json, dump, load

HERE = Path(__file__).parent
EXAMPLES = HERE / "bodies" / "examples"
RIGHT = load(EXAMPLES / "right.json")
BROKEN = load(EXAMPLES / "broken.json")
REFUSED = load(EXAMPLES / "refused-by-the-provider.json")


def _body(example: Json) -> str:
    """The dialect's right body with the example's changes; without a value, one takes away."""
    body = copy.deepcopy(RIGHT[example["dialect"]])
    for change in example["changes"]:
        *above, last = change["at"]
        place = body
        for step in above:
            place = place[step]
        if "value" not in change:
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(change["value"])
        else:
            place[last] = change["value"]
    return json.dumps(body)


def _name(example: Json) -> str:
    return f"{example['dialect']}: {example['name']}"


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_a_schema_is_valid_and_in_the_one_format(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(load(path))
    assert path.read_text(encoding="utf-8") == dump(load(path))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_examples_are_in_the_one_format(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == dump(load(path))


def test_every_dialect_has_a_schema_and_a_right_body() -> None:
    assert {path.name.split(".")[0] for path in SCHEMAS.glob("*.json")} == set(RULES) == set(RIGHT)


@pytest.mark.parametrize("dialect", RIGHT)
def test_a_right_body_passes(dialect: str) -> None:
    assert problems(dialect, json.dumps(RIGHT[dialect])) == []
    assert problems(dialect, json.dumps(RIGHT[dialect]), own=True) == []


@pytest.mark.parametrize("example", BROKEN, ids=_name)
def test_a_broken_body_fails_for_its_reasons(example: Json) -> None:
    assert example["problems"]
    assert problems(example["dialect"], _body(example)) == example["problems"]
    assert problems(example["dialect"], _body(example), own=True)


@pytest.mark.parametrize("example", REFUSED, ids=_name)
def test_what_only_the_provider_refuses(example: Json) -> None:
    assert problems(example["dialect"], _body(example)) == []
    assert example["problems"]
    assert problems(example["dialect"], _body(example), own=True) == example["problems"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"model":"m"', "$: is not JSON: Expecting ',' delimiter: line 1 column 13 (char 12)"),
        ('{"model":"m","model":"n"}', "$: an object holds the key 'model' twice"),
        ('{"messages":[{"a":1,"a":1}]}', "$: an object holds the key 'a' twice"),
        ('{"temperature":NaN}', "$: NaN is no number of JSON"),
        ('{"messages":["a","\\ud83d"]}', "$.messages[1]: holds half a surrogate pair"),
        ('{"messages":{"a\\u0000":1}}', "$.messages: holds NUL"),
        ("[" * 100_000, "$: is nested too deep"),
    ],
    ids=[
        "cut off",
        "a key twice",
        "deep inside",
        "no number",
        "half a pair",
        "NUL",
        "too deep",
    ],
)
@pytest.mark.parametrize("dialect", RULES)
def test_what_is_not_json_for_every_parser(dialect: str, text: str, problem: str) -> None:
    assert problems(dialect, text) == [problem]


@pytest.mark.parametrize("text", ["null", "[]", '"body"', "1"])
@pytest.mark.parametrize("dialect", RULES)
def test_what_is_no_object(dialect: str, text: str) -> None:
    [problem] = problems(dialect, text)
    assert problem.startswith("$: ")
    assert "is not of type 'object'" in problem


def _command(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, str(HERE / "validate_bodies.py"), *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command_reads_files_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(RIGHT["openai-chat"]))
    ran = _command("--dialect", "openai-chat", str(file), "-", text="{}")
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "-: $: 'messages' is a required property",
        "-: $: 'model' is a required property",
    ]


def test_the_command_is_silent_about_a_right_body(tmp_path: Path) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(RIGHT["anthropic-messages"]))
    ran = _command("--dialect", "anthropic-messages", "--own", str(file))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_the_command_reads_a_transcript(tmp_path: Path) -> None:
    cases = tmp_path / "cases.json"
    step = {"do": "build-request"}
    case = {"name": "a", "settings": {"dialect": "openai-chat"}, "steps": [step]}
    cases.write_text(json.dumps({"cases": [case]}))
    body = json.dumps({"messages": [{"role": "user", "content": "\u2028"}, {"role": "user"}]})
    line = {"case": "a", "step": 1, "request": {"body": body}}
    text = json.dumps(line, ensure_ascii=False) + "\n"
    ran = _command("--cases", str(cases), "-", text=text)
    assert ran.returncode == 1
    assert ran.stdout == "-: a, step 1: $.messages[1]: 'content' is a required property\n"


def test_the_command_names_a_file_that_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "body.json").write_bytes(b"\xff")
    files = [str(tmp_path / name) for name in ("none.json", "body.json")]
    ran = _command("--dialect", "openai-chat", *files)
    assert ran.returncode == 1
    assert ran.stdout.count("cannot be read") == 2  # noqa: PLR2004
    assert ran.stderr == ""
