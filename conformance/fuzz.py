"""Random sessions through the component, in the Python host, against the model.

python conformance/fuzz.py [--examples N] [--seed S]

Without a seed every run makes the same sessions. What is found is minimised, written to
`conformance/corpus/` as a case that expects what the model says, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import strategies as st

from fuzzing.generate import sessions, windows_paths
from fuzzing.properties import broken_properties
from fuzzing.results import results_in
from fuzzing.shrink import smallest
from fuzzing.talks import talks
from model import answers_of
from reference.casefile import Json, dump
from reference.compare import differences
from reference.run import Answers, run
from reference.spelling import OwnWords

HERE = Path(__file__).parent
RUNNER = HERE.parent / "hosts" / "python" / "tests"
CASES = st.sampled_from([windows_paths(), *[sessions()] * 6, *[talks()] * 13]).flatmap(
    lambda cases: cases
)

Perform = Callable[[Json], Answers]
"""Performs a case in a host: the answers by step, in a transcript's form."""


class MismatchError(Exception):
    """A case on which the component and the model, or the component and a property, differ."""

    def __init__(self, case: Json, found: list[str]) -> None:
        super().__init__("\n".join(found))
        self.case = case
        self.found = found


def judge(case: Json, perform: Perform) -> None:
    """Performs a case. Raises `MismatchError`."""
    try:
        answers = perform(case)
    except Exception as error:
        raise MismatchError(case, [f"the host raised {error!r}"]) from error
    found = list(differences(case, answers, whole=True))
    if found or (found := list(broken_properties(case, answers))):
        raise MismatchError(with_expectations(case, answers), found)


def asking_for_everything(case: Json) -> Json:
    """The case with every result's stored text asked for, and every result recalled.

    A conversation has no call for a recall; it is asked for all that it tells of itself.
    """
    results = [result for answer in run(case, {}) for result in results_in(answer.body)]
    ids = list(dict.fromkeys(result["id"] for result in results))
    texts = [{"do": "stored-text", "id": id_} for id_ in ids]
    recalls = [{"do": "recall", "call": f"last-{id_}", "id": id_} for id_ in ids]
    if case["settings"].get("dialect") is not None:
        request = {"do": "build-request", "parameters": {"model": "m1"}}
        told = [{"do": name} for name in ("conversation", "prefix", "cache-report")]
        recalls = [request, {"do": "reopen"}, request, *told]
    return case | {"steps": [*case["steps"], *texts, *recalls]}


def with_expectations(case: Json, answers: Answers) -> Json:
    """The case expecting what the model says of these answers."""
    steps = [dict(step) for step in case["steps"]]
    for answer in run(case, answers):
        if answer.step == 0:
            unopened = {key: value for key, value in case.items() if key != "steps"}
            return unopened | {"expect-open": _expectation(answer.body)}
        steps[answer.step - 1]["expect"] = _expectation(answer.body)
    return case | {"steps": steps}


def search(perform: Perform, examples: int, seed: int | None) -> MismatchError | None:
    """A mismatch among so many random cases, made small, if there is one."""

    @hypothesis.settings(
        max_examples=examples,
        derandomize=seed is None,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(CASES)
    def judged(case: Json) -> None:
        judge(asking_for_everything(case), perform)

    chosen: Any = judged if seed is None else hypothesis.seed(seed)(judged)
    try:
        chosen()
    except MismatchError as mismatch:
        return made_small(mismatch, perform)
    return None


def made_small(mismatch: MismatchError, perform: Perform) -> MismatchError:
    """The mismatch on the smallest case that has one."""
    smallest_yet = mismatch

    def fails(case: Json) -> bool:
        nonlocal smallest_yet
        try:
            judge(case, perform)
        except MismatchError as found:
            smallest_yet = found
            return True
        return False

    smallest(without_expectations(mismatch.case), fails)
    return smallest_yet


def without_expectations(case: Json) -> Json:
    """The case expecting nothing."""
    steps = [{key: step[key] for key in step if key != "expect"} for step in case["steps"]]
    return case | {"steps": steps}


def keep(case: Json) -> Path:
    """Writes a case to the corpus, named by its content."""
    unnamed = dump(case | {"name": ""})
    digest = hashlib.sha256(unnamed.encode()).hexdigest()[:16]
    path = HERE / "corpus" / f"{digest}.json"
    path.parent.mkdir(exist_ok=True)
    document = {"area": "corpus", "cases": [case | {"name": f"found by fuzzing: {digest}"}]}
    path.write_text(dump(document), encoding="utf-8")
    return path


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(description="Random sessions against the model.")
    parser.add_argument("--examples", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, metavar="S")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(RUNNER))
    runner = importlib.import_module("conformance_runner")

    def perform(case: Json) -> Answers:
        return answers_of(list(runner.transcript([case])))[case["name"]]

    mismatch = search(perform, options.examples, options.seed)
    if mismatch is None:
        sys.stdout.write(f"{options.examples} random sessions: the model agrees\n")
        return 0
    sys.stdout.write("\n".join([*mismatch.found, f"kept in {keep(mismatch.case)}", ""]))
    return 1


def _expectation(body: Json) -> Json:
    told = _without_own_words(body)
    for answer in ("inserted", "added", "request"):
        if answer in told:
            return told[answer]
    if "error" not in told:
        return told["value"] if isinstance(told.get("value"), str) else told
    error = told["error"]
    payload = error["payload"]
    if not isinstance(payload, dict):
        payload = {"value": payload}
    known = {name: value for name, value in payload.items() if value is not None}
    return {"error": {"cause": error["cause"], **known}}


def _without_own_words(value: Json) -> Json:
    """An answer without what is the component's own; in a list something stands for it."""
    if isinstance(value, list):
        return [{} if isinstance(item, OwnWords) else _without_own_words(item) for item in value]
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if not isinstance(item, OwnWords)}
        return {key: _without_own_words(item) for key, item in kept.items()}
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
