"""What holds of every request: it is an append, it says so rightly, and its calls have results."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reference.casefile import Json
from reference.run import Answers

from .results import OPENS, sessions_of

MESSAGES = {
    "openai-chat": "messages",
    "anthropic-messages": "messages",
    "openai-responses": "input",
}
CALLS = ("function_call", "custom_tool_call")


def broken_requests(case: Json, answers: Answers) -> Iterator[str]:
    """One sentence for each property that a request breaks."""
    dialect = case["settings"].get("dialect")
    before: dict[str, Json] = {}
    fresh = True
    same: tuple[Json, str] | None = None
    for number, key in sessions_of(case, answers):
        step, answer = case["steps"][number - 1], answers.get(number, {})
        request = answer.get("request")
        if request is not None:
            problems = list(_body(request, dialect)) or [
                *_against(request, before.get(key), dialect, fresh=fresh),
                *_reopened(request, same, step),
            ]
            yield from (f"step {number}: {problem}" for problem in problems)
            if problems:
                return
            before[key], fresh = request, False
            same = step.get("parameters", "{}"), request["sha256"]
        elif step["do"] in OPENS:
            fresh = fresh or "error" not in answer
            same = None if step.get("key") or step.get("settings") else same
        elif step["do"] not in ("cache-report", "conversation", "prefix", "stored-text"):
            same = None


def _against(request: Json, before: Json, dialect: str, *, fresh: bool) -> Iterator[str]:
    """What a request says of the one before it in its session, if that is known."""
    keep, shared, body = request["keep"], request["shared"], request["body"].encode()
    difference = request["difference"]
    if fresh and keep != 0:
        yield f"keep is {keep} in the first request since the session was opened"
    if before is None:
        return
    old = before["body"].encode()
    if request["number"] != before["number"] + 1:
        yield f"number {request['number']} follows {before['number']}"
    if keep > shared:
        yield f"keep {keep} is more than shared {shared}"
    if (
        old[:shared] != body[:shared]
        or b"" != old[shared : shared + 1] == body[shared : shared + 1]
    ):
        yield f"shared {shared} is not where the bodies part"
    sent, sends = _read_by_a_model(old, dialect), _read_by_a_model(body, dialect)
    stands = sends[: len(sent)] == sent
    if stands != (difference is None):
        yield f"the difference is {difference}, though what was sent {stands=}"


def _read_by_a_model(data: bytes, dialect: str) -> list[str]:
    """Model, tools, system prompt and messages (blocks in Anthropic), each spelled as it is."""
    body = json.loads(data, parse_int=str, parse_float=str)
    front = [json.dumps(body.get(key)) for key in ("model", "tools", "system", "instructions")]
    read = []
    for message in body.get("messages", body.get("input")):
        blocks = message["content"] if dialect == "anthropic-messages" else [message]
        read += [json.dumps([message.get("role"), block]) for block in blocks]
    return front + read


def _reopened(request: Json, same: tuple[Json, str] | None, step: Json) -> Iterator[str]:
    """A session that was opened again builds the same bytes."""
    if same is None or same[0] != step.get("parameters", "{}"):
        return
    if same[1] != request["sha256"]:
        yield "the same request after the session was opened again has another body"


def _body(request: Json, dialect: str) -> Iterator[str]:
    """The body alone: its length, its hash, its JSON, its pairs."""
    data = request["body"].encode()
    if request["length"] != len(data) or request["sha256"] != hashlib.sha256(data).hexdigest():
        yield "length or sha256 is not the body's"
    try:
        body = json.loads(request["body"], object_pairs_hook=_unique)
    except ValueError as error:
        yield f"the body is no JSON: {error}"
        return
    messages = body[MESSAGES[dialect]]
    pairs = Pairs()
    for message in messages:
        pairs.take(message)
    pairs.end()
    yield from pairs.problems
    if dialect == "anthropic-messages":
        roles = [message["role"] for message in messages]
        if any(one == other for one, other in itertools.pairwise(roles)):
            yield f"the roles do not alternate: {roles}"
        if any(not message["content"] for message in messages):
            yield "a message holds nothing"


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError(f"a key stands twice: {[key for key, _ in pairs]}")
    return dict(pairs)


@dataclass
class Pairs:
    """Calls that wait for their results, in order."""

    waiting: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def take(self, message: Json) -> None:
        """Takes the next message, of whichever dialect."""
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        result = message.get("tool_call_id", _output(message))
        if result is not None:
            self._result(result)
            return
        results = [block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"]
        if any(block.get("type") == "tool_result" for block in blocks[len(results) :]):
            self.problems.append("a result stands behind other blocks of its message")
        for id_ in results:
            self._result(id_)
        if message.get("type") in CALLS:
            self.waiting.append(message["call_id"])
            return
        if message.get("type") not in (None, "message"):
            return
        self.end()
        self.waiting = [call["id"] for call in message.get("tool_calls", [])]
        self.waiting += [block["id"] for block in blocks if block.get("type") == "tool_use"]

    def end(self) -> None:
        """Nothing may be left waiting."""
        if self.waiting:
            self.problems.append(f"the calls {self.waiting} have no results")
        self.waiting = []

    def _result(self, id_: str) -> None:
        if self.waiting[:1] != [id_]:
            self.problems.append(f"a result of {id_} stands where {self.waiting} wait")
        self.waiting = [waiting for waiting in self.waiting if waiting != id_]


def _output(item: Json) -> str | None:
    kind = item.get("type")
    return item["call_id"] if isinstance(kind, str) and kind.endswith("_output") else None
