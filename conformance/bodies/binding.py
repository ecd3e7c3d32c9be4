"""Thinking that a model binds to what it was made behind: the requests of a session in their order.

A block is right where system, tools and every block before it are what they were in the request
whose reply brought it, breakpoints of the cache aside. One of a reply that no request brought is
right where they are what they were when it was first shown.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from reference.casefile import Json

THINKING = ("thinking", "redacted_thinking")
OWN_KEY = "conformance"

Flat = list[Json]
"""System, tools, and each block with its role."""


@dataclass
class Made:
    """A reply's blocks, and what it was made behind, if a request brought it.

    `shown` is what stood before each of its thinking blocks when it was first shown.
    """

    blocks: list[Json]
    front: Flat | None
    shown: dict[int, Flat] = field(default_factory=dict)

    def is_behind(self, at: int, before: Flat) -> bool:
        """Whether the thinking block at a place of the reply may stand behind something."""
        if self.front is None:
            return self.shown.setdefault(at, before) == before
        count = len(self.front)
        own = before[count:]
        if before[:count] != self.front or any(role != "assistant" for role, _ in own):
            return False
        sent = [block for _, block in own]
        return _thoughts(sent) == _thoughts(self.blocks[:at])


@dataclass
class History:
    """What a session's requests were, and the replies to them."""

    replies: list[Made] = field(default_factory=list)
    newest: Flat | None = None

    def reply(self, blocks: list[Json]) -> None:
        """A reply that was added; only the first after a request is the one that it brought."""
        self.replies.append(Made(blocks, self.newest))
        self.newest = None

    def wrong(self, flat: Flat) -> Iterator[str]:
        """The thinking blocks of a request that stand behind something else."""
        for place, piece in enumerate(flat[2:], 2):
            role, block = piece
            if (
                role == "assistant"
                and _is_thinking(block)
                and not self._is_right(flat[:place], block)
            ):
                yield f"{json.dumps(block)} stands behind something else than it was made behind"

    def _is_right(self, before: Flat, block: Json) -> bool:
        return any(
            made.is_behind(at, before)
            for made in self.replies
            for at, one in enumerate(made.blocks)
            if one == block
        )


def binding_problems(
    case: Json, answers: Mapping[int, Json], binds: Callable[[str], bool]
) -> Iterator[str]:
    """One sentence for each thinking block that a model which `binds` would refuse."""
    key, histories = OWN_KEY, {OWN_KEY: History()}
    for number, step in enumerate(case["steps"], 1):
        answer = answers.get(number, {})
        if "error" in answer:
            continue
        if step["do"] in ("reopen", "delegate"):
            key = step.get("key", key)
            histories.setdefault(key, History())
        if step["do"] == "fork":
            histories[step["key"]] = copy.deepcopy(histories[key])
        history = histories[key]
        if "reply" in step and "added" in answer:
            history.reply(_blocks_of(step["reply"]["json"]))
        for kind in ("request", "summary-request"):
            if kind not in answer:
                continue
            body = json.loads(answer[kind]["body"])
            flat = _flat(body)
            model = body.get("model")
            if isinstance(model, str) and binds(model):
                yield from (f"step {number}: {problem}" for problem in history.wrong(flat))
            if kind == "request":
                history.newest = flat


def _flat(body: Json) -> Flat:
    pieces = [
        [message["role"], _bare(block)]
        for message in body["messages"]
        for block in _content(message["content"])
    ]
    fronts = [[_bare(one) for one in body.get(name, [])] for name in ("system", "tools")]
    return [*fronts, *pieces]


def _blocks_of(given: Json) -> list[Json]:
    reply = json.loads(given) if isinstance(given, str) else json.loads(json.dumps(given))
    return _content(reply["content"] if isinstance(reply, dict) else reply)


def _content(content: Json) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _bare(value: Json) -> Json:
    """Without breakpoints of the cache."""
    if isinstance(value, dict):
        return {name: one for name, one in value.items() if name != "cache_control"}
    return value


def _thoughts(blocks: list[Json]) -> list[Json]:
    return [block for block in blocks if _is_thinking(block)]


def _is_thinking(block: Json) -> bool:
    return block.get("type") in THINKING
