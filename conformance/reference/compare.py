"""Where a transcript, or a case's own expectations, differ from the model."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .casefile import Json
from .inline import bracket_of
from .run import Answer, Answers, run
from .spelling import OwnWords, compact, parse_object

OPEN_WORDS = ("message", "problem", "kept", "given", "argument", "payload")
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


def _step_differences(answer: Answer, theirs: Json, *, whole: bool) -> Iterator[str]:
    if answer.problem is not None:
        yield f"step {answer.step}: the diff is not right: {answer.problem}"
        return
    ours = answer.body
    for kind in () if whole else ("request", "summary-request"):
        if kind in ours and kind in theirs:
            ours, theirs = _with_keys(ours[kind], theirs[kind], kind)
    if not answer.certain and whole:
        ours, theirs = _certain_part(ours), _certain_part(theirs)
    yield from _unlike(ours, theirs, f"step {answer.step}", whole=whole)


def _certain_part(body: Json) -> Json:
    """Of an answer whose diff nobody showed in full: what any right diff would have."""
    if "inserted" not in body:
        return body
    inserted = body["inserted"]
    bracket = bracket_of(inserted["text"].partition("\n")[0])
    return {"inserted": {"id": inserted["id"], "text": bracket}}


def _with_keys(ours: Json, theirs: Json, kind: str) -> tuple[Json, Json]:
    """Both requests with those keys of our body that the expected one `has`."""
    if "has" not in theirs:
        return {kind: ours}, {kind: theirs}
    expected = {key: compact(value) for key, value in theirs["has"].items()}
    body = parse_object(ours["body"])
    found = {key: compact(body[key]) for key in expected if key in body}
    return {kind: ours | {"has": found}}, {kind: theirs | {"has": expected}}


def _unlike(ours: Json, theirs: Json, place: str, *, whole: bool) -> Iterator[str]:
    if isinstance(ours, OwnWords) and (isinstance(theirs, str) or theirs == {}):
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        yield from _unlike_objects(ours, theirs, place, whole=whole)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for position, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _unlike(one, other, f"{place}[{position}]", whole=whole)
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield f"{place}: the model has\n{_line(ours)}\nand here stands\n{_line(theirs)}"


def _unlike_objects(ours: Json, theirs: Json, place: str, *, whole: bool) -> Iterator[str]:
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


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
