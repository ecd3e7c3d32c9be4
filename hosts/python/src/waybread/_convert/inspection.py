"""Snapshots, and what fills the window."""

from __future__ import annotations

from typing import Any

from waybread._convert.arguments import items, must_be, number, optional, text
from waybread._convert.pressure import pressure
from waybread.context_report import BigResult, ContextKind, ContextPart, ContextReport
from waybread.snapshot import MessageHash, Snapshot


def snapshot(answer: dict[str, Any]) -> Snapshot:
    """`snapshot`."""
    messages = tuple(MessageHash(**message) for message in answer["messages"])
    return Snapshot(**{**answer, "messages": messages})


def snapshot_given(name: str, given: Snapshot) -> dict[str, Any]:
    """`snapshot`, back."""
    must_be(Snapshot, name, given)
    return {
        "request": number(f"{name}.request", given.request),
        "messages": items(_message_hash, "MessageHash", f"{name}.messages", given.messages),
        "prompt_bytes": number(f"{name}.prompt-bytes", given.prompt_bytes),
        "blocks_bytes": number(f"{name}.blocks-bytes", given.blocks_bytes),
        "tools_bytes": number(f"{name}.tools-bytes", given.tools_bytes),
        "max_tokens": optional(number, f"{name}.max-tokens", given.max_tokens),
    }


def context_report(answer: dict[str, Any]) -> ContextReport:
    """`context-report`."""
    return ContextReport(
        bytes=answer["bytes"],
        pressure=pressure(answer["pressure"]),
        parts=tuple(map(_part, answer["parts"])),
        biggest=tuple(BigResult(**result) for result in answer["biggest"]),
    )


def _part(answer: dict[str, Any]) -> ContextPart:
    return ContextPart(**{**answer, "kind": ContextKind(answer["kind"])})


def _message_hash(name: str, given: MessageHash) -> dict[str, Any]:
    must_be(MessageHash, name, given)
    return {
        "message": optional(number, f"{name}.message", given.message),
        "role": text(f"{name}.role", given.role),
        "hash": text(f"{name}.hash", given.hash),
    }
