"""What a case expects of its steps, in a transcript's form; what it leaves open is left out."""

from __future__ import annotations

from .casefile import Json, expand
from .spelling import compact

ANSWERS = {
    "insert-result": "inserted",
    "recall": "inserted",
    "add-message": "added",
    "build-request": "request",
}


def expected_answers(case: Json) -> dict[int, Json]:
    """The answers by step."""
    answers = {
        number: _expected(step)
        for number, step in enumerate(case.get("steps", []), 1)
        if "expect" in step
    }
    if "expect-open" in case:
        answers[0] = _expected_error(case["expect-open"]["error"])
    return answers


def _expected(step: Json) -> Json:
    expect, answers = step["expect"], ANSWERS.get(step["do"], "value")
    if isinstance(expect, dict) and "error" in expect:
        return _expected_error(expect["error"])
    if answers == "value":
        return _value(expect) if isinstance(expect, dict) else {"value": expand(expect)}
    return {answers: READERS[answers](expect)}


def _value(expect: Json) -> Json:
    """What is said by the key around it."""
    return {key: BY_KEY[key](fields) if key in BY_KEY else fields for key, fields in expect.items()}


def _expected_error(error: Json) -> Json:
    payload = {key: value for key, value in error.items() if key not in ("cause", "message")}
    expected = {"cause": error["cause"]}
    if payload:
        expected["payload"] = payload.get("value", payload)
    return {"error": expected}


def _inserted(expect: Json) -> Json:
    """A result: its text, or some of its fields."""
    if isinstance(expect, (str, list)):
        return {"text": expand(expect)}
    return expect | ({"text": expand(expect["text"])} if "text" in expect else {})


def _added(expect: Json) -> Json:
    fields = dict(expect)
    if fields.get("note") is not None:
        fields["note"] = expand(fields["note"])
    if "calls" in fields:
        fields["calls"] = [_call(call) for call in fields["calls"]]
    return _with_closed(fields)


def _call(expect: Json) -> Json:
    if expect.get("refused") is None:
        return expect
    return expect | {"refused": _inserted(expect["refused"])}


def _request(expect: Json) -> Json:
    """A request: its body, or some of its fields."""
    if isinstance(expect, (str, list)):
        return {"body": expand(expect)}
    return _with_closed(_with_body(expect))


def _with_body(expect: Json) -> Json:
    if "body" not in expect:
        return dict(expect)
    body = expect["body"]
    return expect | {"body": compact(body) if isinstance(body, dict) else expand(body)}


def _compacted(expect: Json) -> Json:
    texts = {key: expand(expect[key]) for key in ("summary", "text") if key in expect}
    return expect | texts


def _with_closed(fields: Json) -> Json:
    if "closed" not in fields:
        return fields
    return fields | {"closed": [_inserted(one) for one in fields["closed"]]}


BY_KEY = {"summary-request": _with_body, "compacted": _compacted}
READERS = {"inserted": _inserted, "added": _added, "request": _request}
