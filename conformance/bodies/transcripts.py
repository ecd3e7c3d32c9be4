"""The requests of a transcript (conformance/README.md), each in the dialect of its session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from reference.casefile import Json
from reference.reasoning import rule_of
from reference.rules import rules_with
from reference.run import settings_of

from .binding import binding_problems
from .check import body_problems
from .parse import NotABodyError, parse

LEFT_OUT: dict[str, Json] = {
    "openai-chat": {"model": "m"},
    "anthropic-messages": {"model": "m", "max_tokens": 100_000},
    "openai-responses": {"model": "m"},
}
"""Parameters that a provider requires and a case may leave out: they are the caller's to give."""


Binds = Callable[[str], bool]
"""Whether a model of that name binds thinking to what it was made behind."""


class Request(NamedTuple):
    """One `build-request` or `compact-begin` that was answered with a body."""

    case: str
    step: int
    dialect: str
    body: str


def requests(document: Json, lines: Iterable[str]) -> Iterator[Request]:
    """Every request of a case file's transcript, in its order."""
    answers: dict[tuple[str, int], Json] = {}
    for line in lines:
        answer = json.loads(line)
        answers[answer["case"], answer["step"]] = answer
    for case in document["cases"]:
        dialect = case.get("settings", {}).get("dialect")
        for number, step in enumerate(case.get("steps", []), 1):
            answer = answers.get((case["name"], number), {})
            if step["do"] == "reopen" and "error" not in answer:
                dialect = step.get("settings", {}).get("dialect", dialect)
            for kind in ("request", "summary-request"):
                if kind in answer:
                    yield Request(case["name"], number, dialect, answer[kind]["body"])


def bound_problems(
    document: Json, lines: Iterable[str], binds: Binds | None = None
) -> Iterator[str]:
    """What stands behind something else than it was made behind, in a case file's transcript.

    Without `binds`, the models are those that the settings of each case name.
    """
    answers: dict[str, dict[int, Json]] = {}
    for line in lines:
        answer = json.loads(line)
        answers.setdefault(answer["case"], {})[answer["step"]] = answer
    for case in document["cases"]:
        found = case_problems(case, answers.get(case["name"], {}), binds)
        yield from (f"{case['name']}, {problem}" for problem in found)


def case_problems(
    case: Json, answers: Mapping[int, Json], binds: Binds | None = None
) -> Iterator[str]:
    """The same of one case."""
    settings = case.get("settings", {})
    if settings.get("dialect") != "anthropic-messages" or 0 in answers:
        return
    rules = rules_with(settings_of(settings).overrides)
    named = binds or (lambda name: rule_of(name, rules).binds)
    yield from binding_problems(case, answers, named)


def request_problems(request: Request, *, own: bool = False) -> list[str]:
    """As `check.problems`, with what the case left out of the parameters filled in."""
    try:
        body = parse(request.body)
    except NotABodyError as error:
        return [str(error)]
    if isinstance(body, dict):
        body = {**LEFT_OUT[request.dialect], **body}
    return body_problems(request.dialect, body, own=own)
