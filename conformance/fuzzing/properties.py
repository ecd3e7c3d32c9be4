"""What holds of every session, whatever the model thinks of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bodies.transcripts import case_problems
from reference.casefile import Json
from reference.lines import lines_of
from reference.rules import rules_with
from reference.run import OWN_KEY, Answers, settings_of

from .requests import broken_requests
from .results import results_in, sessions_of

FULL = ("full", "capped")


def broken_properties(case: Json, answers: Answers) -> Iterator[str]:
    """One sentence for each property that the answers break."""
    inserted = {
        step: answer["inserted"] for step, answer in answers.items() if "inserted" in answer
    }
    yield from _ids_never_repeat(case, answers)
    yield from _stubs_name_full_results(answers)
    yield from _caps_keep_their_limits(case, inserted)
    yield from _recalls_show_what_is_stored(case, answers)
    yield from _parts_add_up(answers)
    yield from broken_requests(case, answers)
    yield from case_problems(case, answers)


def _ids_never_repeat(case: Json, answers: Answers) -> Iterator[str]:
    """In each session of the case; a fork goes on from where it was made."""
    newest: dict[str, int] = {}
    for step, key in sessions_of(case, answers):
        for result in results_in(answers.get(step, {})):
            number = int(result["id"][1:], 16)
            if number != newest.get(key, number - 1 if key != OWN_KEY else 0) + 1:
                yield f"step {step}: {result['id']} does not follow {newest.get(key, 0)}"
            newest[key] = number


def _stubs_name_full_results(answers: Answers) -> Iterator[str]:
    """A compaction shows stubs in full whose results are gone."""
    full: set[str] = set()
    ids: set[str] = set()
    for step, body in answers.items():
        full |= ids if "compacted" in body else set()
        if "inserted" not in body:
            continue
        answer = body["inserted"]
        ids.add(answer["id"])
        target = answer["refers-to"]
        if target is not None and target not in full:
            yield f"step {step}: {target} is no full result before this one"
        if (target is None) != (answer["treatment"] not in ("unchanged-read", "same-result")):
            yield f"step {step}: {answer['treatment']} and refers-to {target}"
        if answer["treatment"] in FULL:
            full.add(answer["id"])


def _caps_keep_their_limits(case: Json, inserted: Answers) -> Iterator[str]:
    if not inserted:
        # The settings may be some that no session is opened with.
        return
    cap = rules_with(settings_of(case["settings"]).overrides).section("cap")
    for step, answer in inserted.items():
        if len(answer["text"]) != answer["chars-out"]:
            yield f"step {step}: chars-out is not the text's length"
        elided = re.search(
            r"\n\[(?:\d+ lines|characters of line 1) elided"
            r"[^\n]* full output #[0-9a-f.-]+\](\n|\Z)",
            answer["text"],
        )
        has_own_cap = "delegated" in case["steps"][step - 1]
        if answer["treatment"] != "capped" or elided is None or has_own_cap:
            continue
        head = answer["text"][: elided.start()].partition("\n")[2]
        tail = answer["text"][elided.end() :]
        if len(head.removesuffix(cap["cut"])) > cap["head_chars"] or len(tail) > cap["tail_chars"]:
            yield f"step {step}: head or tail has too many characters"
        if len(lines_of(head)) > cap["head_lines"] or len(lines_of(tail)) > cap["tail_lines"]:
            yield f"step {step}: head or tail has too many lines"


def _recalls_show_what_is_stored(case: Json, answers: Answers) -> Iterator[str]:
    """A recall that begins at the first line and is not past the window shows the whole text."""
    stored = {
        step["id"]: answers[number]["value"]
        for number, step in enumerate(case["steps"], 1)
        if step["do"] == "stored-text" and "value" in answers.get(number, {})
    }
    for number, step in enumerate(case["steps"], 1):
        if step["do"] != "recall" or "inserted" not in answers.get(number, {}):
            continue
        text = answers[number]["inserted"]["text"]
        shown = re.match(r"\[#\w+ recall (#\w+) lines 1-(\d+) of (\d+)\]\n", text)
        if shown is None or shown[2] != shown[3] or shown[1] not in stored:
            continue
        whole = "\n".join(lines_of(stored[shown[1]])).replace("\0", "␀")
        if text[shown.end() :] != whole:
            yield f"step {number}: the recall of {shown[1]} is not the stored text"


def _parts_add_up(answers: Answers) -> Iterator[str]:
    """The bytes of a context report's parts are those of the request."""
    for step, answer in answers.items():
        report = answer.get("value")
        if isinstance(report, dict) and "parts" in report:
            total = sum(part["bytes"] for part in report["parts"])
            if total != report["bytes"] or report["parts"][-1]["bytes"] <= 0:
                yield f"step {step}: the parts add up to {total} of {report['bytes']} bytes"
