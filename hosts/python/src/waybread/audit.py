"""Where two requests' prompts first differ, why, and how much had to be read again.

Requests of any harness, in OpenAI chat completions, Anthropic messages or OpenAI responses.
`docs/audit.md` has the causes and what counts as the same.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from waybread._calls import Imports
from waybread._component import Instance, load
from waybread._convert.arguments import spelled
from waybread._text import scalar_values
from waybread.errors import WaybreadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Part = Literal["model", "tools", "system", "message"]

_COMPONENT = "recordings.wasm"
_INTERFACE = "waybread:recordings/audit@0.1.0"
_BODIES = {"previous": "the earlier body: ", "next": "the later body: ", None: ""}


class AuditError(WaybreadError):
    """Something that can't be compared.

    Attributes:
        body: `previous` or `next`, the body at fault; None where it is a list.
        problem: What is wrong and what would be right.
    """

    def __init__(self, body: Literal["previous", "next"] | None, problem: str) -> None:
        super().__init__(f"{_BODIES[body]}{problem}")
        self.body = body
        self.problem = problem


@dataclass(frozen=True)
class Chars:
    """Characters of two prompts. `next` is the sum of `kept`, `again` and `new`.

    Attributes:
        previous: The earlier prompt.
        next: The later prompt.
        kept: What the later prompt begins with as the earlier one does.
        again: What follows the first difference although the earlier prompt had it: read again.
        new: What the earlier prompt did not have.
    """

    previous: int
    next: int
    kept: int
    again: int
    new: int


@dataclass(frozen=True)
class Parameter:
    """A parameter that changed, which can drop a cache though the prompt is the same.

    Attributes:
        path: Where it first differs: `thinking.budget_tokens`.
        previous: Its value as JSON, cut if it is long; None where it was not given.
        next: The same of the later request.
    """

    path: str
    previous: str | None
    next: str | None


@dataclass(frozen=True)
class Breakpoints:
    """Places of `cache_control` that only one of the bodies has. A model never reads them.

    Attributes:
        added: Paths that have it in the later body only; with its lifetime, if it has one.
        removed: Paths that had it in the earlier body only.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class InvalidThinking:
    """Thinking that a difference makes invalid, for models that bind it to what stands before it.

    Attributes:
        blocks: How many thinking blocks of the later body.
        message: The message of the first one, in the later body's list.
    """

    blocks: int
    message: int


@dataclass(frozen=True)
class Audit:
    """Where two requests first differ, why, and what that costs.

    `str(audit)` is what `waybread audit` prints.

    Attributes:
        json: The whole audit, the same bytes in every host.
        dialect: `openai-chat`, `anthropic-messages` or `openai-responses`.
        broken: Whether the later prompt does not begin with the whole earlier one.
        cause: Why it differs where it first does: `date`, `tool-order`, … (`docs/audit.md`).
        part: The part that the difference is in; None where there is none.
        message: The place in the body's list of messages, from 0, where the part is a message.
        path: The path in the body: of what is gone, in the earlier one, else in the later one.
        what: What changed, in words.
        previous: What stood around the difference before.
        next: What stands there now.
        byte: The byte, from 0, at which the bodies first differ as they were sent; None where
            they are the same bytes.
        chars: The prompts' characters.
        again_percent: The share of the later prompt that was read again, with one decimal.
        parameters: Parameters that changed.
        cache_control: Breakpoints that moved.
        thinking: Thinking that the difference makes invalid; None where there is none.
    """

    json: str
    dialect: str
    broken: bool
    cause: str
    part: Part | None
    message: int | None
    path: str | None
    what: str
    previous: str | None
    next: str | None
    byte: int | None
    chars: Chars
    again_percent: str
    parameters: tuple[Parameter, ...]
    cache_control: Breakpoints
    thinking: InvalidThinking | None

    def __str__(self) -> str:
        return _call("describe", self.json)


@dataclass(frozen=True)
class RequestAudit(Audit):
    """A request of a list, compared with the one before it.

    Attributes:
        request: Its place in the list, from 0.
        after: The place of the request that it is compared with.
    """

    request: int
    after: int


@dataclass(frozen=True)
class Skipped:
    """A record without a request that can be compared.

    Attributes:
        request: Its place in the list, from 0.
        message: Why.
    """

    request: int
    message: str


@dataclass(frozen=True)
class CauseCount:
    """How often a cause was found, and the characters that were read again for it."""

    cause: str
    count: int
    again: int


@dataclass(frozen=True)
class ListTotal:
    """The sum of a list's audits.

    Attributes:
        compared: Requests that were compared with the one before them.
        broken: Those that are broken.
        causes: Their causes, the one first for which most was read again.
        chars: The sum of their characters.
        again_percent: The share that was read again, with one decimal.
    """

    compared: int
    broken: int
    causes: tuple[CauseCount, ...]
    chars: Chars
    again_percent: str


@dataclass(frozen=True)
class AuditList:
    """What came of a list. `str(audits)` is what `waybread audit` prints.

    Attributes:
        json: The whole answer, the same bytes in every host.
        records: Records in the list, those without a request included.
        audits: One for each request after the first.
        skipped: Records that hold no request that can be compared.
        total: The audits' sum.
    """

    json: str
    records: int
    audits: tuple[RequestAudit, ...]
    skipped: tuple[Skipped, ...]
    total: ListTotal

    def __str__(self) -> str:
        return _call("describe", self.json)


def audit(earlier: Mapping[str, object] | str, later: Mapping[str, object] | str) -> Audit:
    """Compare two request bodies.

    Args:
        earlier: The JSON that was sent, or parsed. `Audit.byte` is exact only of the JSON itself.
        later: Likewise.

    Raises:
        TypeError: One of them is neither a text nor parsed JSON.
        InvalidArgumentError: One of them is parsed, and cannot be written as JSON.
        AuditError: One of them is no JSON, or no request body in one of the three dialects.
    """
    answer = _call("audit", spelled("earlier", earlier), spelled("later", later))
    return Audit(answer, **_fields(json.loads(answer)))


def audit_list(content: Mapping[str, object] | Sequence[object] | str) -> AuditList:
    """Compare each request of a recorded list with the one before it.

    Args:
        content: A JSON list, an object with one (`requests`, `entries`, `log.entries`, …), or JSON
            lines. A record is a body, or holds one as JSON or as a string (`request`, `body`,
            `request.body`, …). The JSON, or parsed.

    Raises:
        TypeError: It is neither a text nor parsed JSON.
        InvalidArgumentError: It is parsed, and cannot be written as JSON.
        AuditError: It is no JSON, or holds fewer than two requests.
    """
    answer = _call("audit-list", spelled("content", content))
    found = json.loads(answer)
    total = found["total"]
    return AuditList(
        json=answer,
        records=found["records"],
        audits=tuple(_request(entry) for entry in found["audits"]),
        skipped=tuple(Skipped(**skipped) for skipped in found["skipped"]),
        total=ListTotal(
            compared=total["compared"],
            broken=total["broken"],
            causes=tuple(CauseCount(**cause) for cause in total["causes"]),
            chars=Chars(**total["chars"]),
            again_percent=total["again_percent"],
        ),
    )


def _request(entry: Mapping[str, Any]) -> RequestAudit:
    fields = dict(entry)
    request, after = fields.pop("request"), fields.pop("after")
    compact = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return RequestAudit(compact, **_fields(fields), request=request, after=after)


def _fields(found: Mapping[str, Any]) -> dict[str, Any]:
    parameters: Sequence[Mapping[str, Any]] = found["parameters"]
    moved = found["cache_control"]
    thinking = found["thinking"]
    return {
        **found,
        "chars": Chars(**found["chars"]),
        "parameters": tuple(Parameter(**parameter) for parameter in parameters),
        "cache_control": Breakpoints(tuple(moved["added"]), tuple(moved["removed"])),
        "thinking": None if thinking is None else InvalidThinking(**thinking),
    }


def _call(function: str, *arguments: str) -> str:
    """Call the component, an instance for each call: nothing is kept of a body."""
    instance = Instance(load(_COMPONENT, _INTERFACE), Imports({}))
    try:
        case, answer = instance.call(function, *map(scalar_values, arguments))
    finally:
        instance.close()
    if case == "err":
        if isinstance(answer, str):
            raise WaybreadError(answer)
        raise AuditError(answer["body"], answer["message"])
    answered: str = answer
    return answered
