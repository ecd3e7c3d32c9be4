"""Where results stand in the answers of a case, and which of its sessions answers."""

from __future__ import annotations

from collections.abc import Iterator

from reference.casefile import Json
from reference.run import OWN_KEY, Answers

OPENS = ("reopen", "delegate")
"""Steps after which another session may be open."""


def results_in(answer: Json) -> list[Json]:
    """The results in an answer, in the order of their ids."""
    if "inserted" in answer:
        return [answer["inserted"]]
    outer = answer.get("added") or answer.get("request") or {}
    refused = [call["refused"] for call in outer.get("calls", [])]
    return [*outer.get("closed", []), *(result for result in refused if result is not None)]


def sessions_of(case: Json, answers: Answers) -> Iterator[tuple[int, str]]:
    """Each step's number and the key of the session that is open after it."""
    key = OWN_KEY
    for number, step in enumerate(case["steps"], 1):
        if step["do"] in OPENS and "error" not in answers.get(number, {}):
            key = step.get("key", key)
        yield number, key
