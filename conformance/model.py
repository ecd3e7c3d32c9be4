"""The model on the command line.

python3 conformance/model.py CASEFILE
    prints the transcript that the model has for a case file (README.md, "Transcripts")
python3 conformance/model.py CASEFILE --against TRANSCRIPT
    prints where a host's transcript differs, any right diff being right; exit code 1 if it does
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from reference.casefile import Json, load
from reference.compare import differences
from reference.run import run


def transcript(document: Json) -> list[str]:
    """The lines of a case file's transcript."""
    return [
        _compact({"case": case["name"], "step": answer.step, **answer.body})
        for case in document["cases"]
        for answer in run(case, {})
    ]


def answers_of(lines: list[str]) -> dict[str, dict[int, Json]]:
    """A transcript's answers by case and step."""
    answers: dict[str, dict[int, Json]] = {}
    for line in lines:
        entry = json.loads(line)
        name, step = entry.pop("case"), entry.pop("step")
        answers.setdefault(name, {})[step] = entry
    return answers


def report(document: Json, lines: list[str]) -> list[str]:
    """What differs between a transcript and the model, one entry a difference."""
    given = answers_of(lines)
    found = [
        f"{case['name']}: {difference}"
        for case in document["cases"]
        for difference in differences(case, given.pop(case["name"], {}), whole=True)
    ]
    return found + [f"{name}: no such case" for name in given]


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(description="A second opinion on conformance cases.")
    parser.add_argument("casefile", type=Path)
    parser.add_argument("--against", type=Path, metavar="TRANSCRIPT")
    options = parser.parse_args(arguments)
    document = load(options.casefile)
    if options.against is None:
        sys.stdout.write("".join(line + "\n" for line in transcript(document)))
        return 0
    found = report(document, options.against.read_text(encoding="utf-8").split("\n")[:-1])
    sys.stdout.write("".join(line + "\n" for line in found))
    return 1 if found else 0


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
