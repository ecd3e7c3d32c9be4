"""What stands in the place of what a summary covers (compaction: What a compaction leaves)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .casefile import Json
from .conversation import Message
from .inline import escaped
from .results import Read
from .rules import Rules
from .skills import Envelope
from .thinking import is_blank


@dataclass(frozen=True)
class Generation:
    """A generation of the conversation. `messages` are those that it ended with."""

    number: int
    stage: str | None = None
    summary: str | None = None
    fallback: str | None = None
    messages: Json = None

    def as_json(self, count: int) -> Json:
        """The generation as `lineage` answers it."""
        return {
            "number": self.number,
            "messages": count,
            "stage": self.stage,
            "summary": self.summary,
            "fallback": self.fallback,
        }


def table(reads: list[Read], rules: Rules) -> str | None:
    """The newest full read of each file, newest last; None if there is none."""
    newest: dict[str, Read] = {}
    for read in reads:
        if read.stub_of is None:
            newest.pop(read.identity, None)
            newest[read.identity] = read
    most = int(rules.value("context.compaction.rows"))
    rows = [_row(read, rules) for read in newest.values()][-most:]
    return rules.text("compaction.table", rows="\n".join(rows)) if rows else None


def _row(read: Read, rules: Rules) -> str:
    first, last = read.lines
    lines = str(rules.value("context.compaction.empty"))
    if last > 0:
        lines = rules.text("compaction.lines", first=first, last=last, total=read.total)
    if read.is_cut:
        lines = rules.text("compaction.part", line=first, total=read.total)
    path, sha = escaped(read.path, "|"), rules.sha(read.sha256)
    return rules.text("compaction.row", path=path, lines=lines, sha=sha, id=read.id)


def skills_message(number: int, envelopes: list[Envelope]) -> Message:
    """The skills that are active, as they stood."""
    text = "\n\n".join(envelope.text for envelope in envelopes)
    message = Message(number, "machine", starts_turn=False, text=text, given=text)
    message.replays_skills, message.envelopes = True, tuple(envelopes)
    return message


def pending_message(number: int, pending: Json, rules: Rules) -> Message:
    """The subagents whose results are still to come."""
    items = [rules.filled("delegation.pending_item", **one) for one in pending]
    text = rules.filled("delegation.pending", list="; ".join(items))
    message = Message(number, "subagent", starts_turn=False, text=text, given=text)
    message.lists_pending = True
    return message


def what_stays(messages: list[Message]) -> list[Message]:
    """Messages without envelopes, and without those that were nothing else or tell what is past."""
    left = []
    for message in messages:
        if message.lists_pending:
            continue
        if not message.envelopes:
            left.append(message)
        elif not is_blank(message.words) or message.parts or message.note is not None:
            left.append(replace(message, text=message.words, envelopes=()))
    return left
