"""Results of messages that stay when others go (compaction: What a compaction leaves)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .arguments import comparable
from .conversation import Message, ReplyCall, Result
from .inline import escaped
from .lines import capped
from .results import Read, Search
from .session import Session, number_of


def unfolded(
    session: Session, messages: list[Message], gone: Collection[str] = ()
) -> list[Message]:
    """Messages in which no stub names a result of another message, or one that is `gone`.

    A stub that would is shown in full under its own id; the session knows it as a full result then.
    """
    kept = {one.id for message in messages for one in message.answers()} - set(gone)
    return [replace(message, results=_results(session, message, kept)) for message in messages]


def _results(session: Session, message: Message, kept: set[str]) -> list[Result | None]:
    return [
        result
        if result is None or result.refers_to is None or result.refers_to in kept
        else _full(session, call, result)
        for call, result in zip(message.calls, message.results, strict=True)
    ]


def _full(session: Session, call: ReplyCall, result: Result) -> Result:
    reads = {read.id: read for read in session.reads}
    text = (
        _full_read(session, reads[result.id])
        if result.id in reads
        else _full_search(session, call, result.id)
    )
    shown = text.replace("\0", session.rules.nul)
    return Result(result.id, shown, result.failed)


def _full_read(session: Session, read: Read) -> str:
    full, path = replace(read, stub_of=None), escaped(read.path)
    session.reads = [full if one is read else one for one in session.reads]
    sha, (first, last) = session.rules.sha(read.sha256), read.lines
    if last == 0:
        return session.rules.text("reads.empty", id=read.id, path=path, sha=sha)
    lines = {"first": first, "last": last, "total": read.total}
    bracket = session.rules.text("reads.bracket", id=read.id, path=path, sha=sha, **lines)
    return f"{bracket}\n{session.stored_text(read.id)}"


def _full_search(session: Session, call: ReplyCall, id_: str) -> str:
    text = session.stored_text(id_)
    found = Search(id_, (call.name, comparable(call.arguments)), text)
    session.searches = sorted([*session.searches, found], key=lambda one: number_of(one.id) or 0)
    shown = text.replace("\0", session.rules.nul)
    rest = capped(shown, id_, session.rules)
    bracket = session.rules.text("bracket", id=id_)
    return f"{bracket}\n{shown}" if rest is None else rest.below(bracket)
