"""Where a transcript, or a case's own expectations, differ from the model."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .casefile import Json, expand
from .run import Answer, Answers, run

OPEN_WORDS = ("message", "problem", "kept", "given")
"""Fields of an error that are the component's own words where the model has None."""


def differences(case: Json, given: Answers, *, whole: bool) -> Iterator[str]:
    """One sentence for each way in which `given` is not what the model answers.

    `whole`: `given` is a transcript, so every step answers, in every field. Otherwise it is what a
    case expects, and only what it names is compared.
    """
    left = dict(given)
    for answer in run(case, given):
        theirs = left.pop(answer.step, None)
        if theirs is not None:
            yield from _step_differences(answer, theirs, whole=whole)
        elif whole:
            yield f"step {answer.step}: nothing is answered; the model has {_line(answer.body)}"
    for step, theirs in left.items():
        yield f"step {step}: the model answers nothing; here stands {_line(theirs)}"


def expected_answers(case: Json) -> dict[int, Json]:
    """What a case expects, in a transcript's form; what it leaves open is left out."""
    answers = {
        number: _expected(step)
        for number, step in enumerate(case.get("steps", []), 1)
        if "expect" in step
    }
    if "expect-open" in case:
        answers[0] = _expected_error(case["expect-open"]["error"])
    return answers


def _expected(step: Json) -> Json:
    expect, inserts = step["expect"], step["do"] in ("insert-result", "recall")
    if isinstance(expect, (str, list)):
        text = expand(expect)
        return {"inserted": {"text": text}} if inserts else {"value": text}
    if "error" in expect:
        return _expected_error(expect["error"])
    if not inserts:
        return expect
    fields = dict(expect)
    if "text" in fields:
        fields["text"] = expand(fields["text"])
    return {"inserted": fields}


def _expected_error(error: Json) -> Json:
    payload = {key: value for key, value in error.items() if key not in ("cause", "message")}
    expected = {"cause": error["cause"]}
    if payload:
        expected["payload"] = payload.get("value", payload)
    return {"error": expected}


def _step_differences(answer: Answer, theirs: Json, *, whole: bool) -> Iterator[str]:
    if answer.problem is not None:
        yield f"step {answer.step}: the diff is not right: {answer.problem}"
        return
    ours = answer.body
    if not answer.certain and whole:
        ours, theirs = _certain_part(ours), _certain_part(theirs)
    yield from _unlike(ours, theirs, f"step {answer.step}", whole=whole)


def _certain_part(body: Json) -> Json:
    """Of an answer whose diff nobody showed in full: what any right diff would have."""
    if "inserted" not in body:
        return body
    inserted = body["inserted"]
    first_line = inserted["text"].partition("\n")[0]
    return {"inserted": {"id": inserted["id"], "text": first_line}}


def _unlike(ours: Json, theirs: Json, place: str, *, whole: bool) -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in ours if whole else theirs:
            if ours.get(key) is None and key in OPEN_WORDS:
                continue
            if key not in theirs or key not in ours:
                yield f"{place}: {key} stands on one side only: {_line(ours)} and {_line(theirs)}"
            else:
                yield from _unlike(ours[key], theirs[key], f"{place} {key}", whole=whole)
        for key in theirs if whole else ():
            if key not in ours:
                yield f"{place}: the model has no {key}"
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield f"{place}: the model has\n{_line(ours)}\nand here stands\n{_line(theirs)}"


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
