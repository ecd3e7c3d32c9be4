"""Random conversations: a body is what keep and tail say, whatever happened to the session."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from turns import spoken, talking

from waybread import (
    Change,
    ChangeKind,
    Delivery,
    Dialect,
    Kind,
    MemoryStorage,
    MemoryTree,
    Output,
    Reply,
    Request,
    Sender,
    Session,
    SqliteStorage,
    UserMessage,
    WaybreadError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybread import Settings, Storage

texts = st.text(st.sampled_from('a"\n\0é😀'), min_size=1, max_size=8).map(lambda text: f"x{text}")


@dataclass(frozen=True)
class Says:
    """The person starts a turn, or a machine says something in one."""

    text: str
    starts: bool


@dataclass(frozen=True)
class Replies:
    """The model replies, and the last of its calls are answered."""

    text: str
    calls: int
    answered: int
    incomplete: bool


@dataclass(frozen=True)
class Builds:
    """A request is built."""

    model: str


@dataclass(frozen=True)
class TakesBack:
    """The newest messages are taken back."""

    count: int


@dataclass(frozen=True)
class Plans:
    """The plan changes."""

    text: str


Step = Says | Replies | Builds | TakesBack | Plans
steps = st.lists(
    st.one_of(
        st.builds(Says, texts, st.booleans()),
        st.builds(Replies, texts, st.integers(0, 3), st.integers(0, 3), st.booleans()),
        st.builds(Builds, st.sampled_from("mmmn")),
        st.builds(TakesBack, st.integers(1, 3)),
        st.builds(Plans, texts),
    ),
    max_size=14,
)
some_settings = st.builds(
    lambda kind, dialect, breakpoints: talking(
        kind=kind,
        dialect=dialect,
        overrides={"requests": {"cache_breakpoints": breakpoints}},
    ),
    st.sampled_from(Kind),
    st.sampled_from(Dialect),
    st.integers(0, 4),
)


def take(session: Session, settings: Settings, number: int, step: Step) -> Request | None:
    """Take one step."""
    match step:
        case Says(text, starts=True):
            session.add_message(UserMessage(text))
        case Says(text):
            session.add_message(UserMessage(text, Sender.MACHINE, Delivery.STEP_BOUNDARY))
        case Replies():
            reply_to(session, settings, number, step)
        case Builds(model):
            return session.build_request({"model": model})
        case TakesBack(count):
            numbers = [message.number for message in session.conversation()]
            session.rewind(numbers[-count:][0] if numbers else 1)
        case Plans(text):
            session.note(Change(ChangeKind.PLAN, text=text))
    return None


def reply_to(session: Session, settings: Settings, number: int, step: Replies) -> None:
    """The model's reply; ids of calls are unique in the session."""
    ids = [f"c{number}-{n}" for n in range(step.calls)]
    assert settings.dialect is not None
    given = spoken(settings.dialect, step.text, f"thought {number}", ids)
    added = session.add_message(Reply(given.json, step.incomplete))
    for one in reversed(added.open_calls[: step.answered]):
        session.insert_result(one, Output(step.text))


ways = st.lists(st.sampled_from(["no", "another", "reopen", "dropped"]), min_size=1, max_size=6)


def perform(
    storage: Storage, settings: Settings, steps: Sequence[Step], reopened: Sequence[str]
) -> list[tuple[str, str | Request | None]]:
    """What each step answered, the session reopened before each in its own way."""

    def opened() -> Session:
        return Session.open("s", settings, storage=storage, filesystem=MemoryTree())

    session = opened()
    session.add_message(UserMessage("begin"))
    answers: list[tuple[str, str | Request | None]] = []
    for number, step in enumerate([*steps, Builds("m")]):
        how = reopened[number % len(reopened)]
        if how == "another":
            session.close()
            session = opened()
        elif how == "reopen":
            session.reopen()
        elif how == "dropped":
            session._handle.drop()  # what a trap does
        try:
            answers.append((how, take(session, settings, number, step)))
        except WaybreadError as error:
            answers.append((how, str(error)))
    session.close()
    return answers


def bodies(answers: Sequence[tuple[str, str | Request | None]]) -> list[object]:
    """What must be the same whatever the session went through."""
    return [
        (answer.number, answer.shared, answer.difference, answer.closed, str(answer.body))
        if isinstance(answer, Request)
        else answer
        for _, answer in answers
    ]


@given(some_settings, steps, ways)
def test_nothing_differs_after_reopening(
    settings: Settings, steps: list[Step], ways: list[str]
) -> None:
    straight = bodies(perform(MemoryStorage(), settings, steps, ["no"]))
    assert bodies(perform(MemoryStorage(), settings, steps, ways)) == straight
    with SqliteStorage(":memory:") as storage:
        assert bodies(perform(storage, settings, steps, ways)) == straight


@given(some_settings, steps, ways)
def test_bodies_are_their_keep_and_tail(
    settings: Settings, steps: list[Step], ways: list[str]
) -> None:
    answers = perform(MemoryStorage(), settings, steps, ways)
    before, whole = b"", b""
    for how, request in answers:
        if how != "no":
            whole = b""
        if isinstance(request, Request):
            whole = whole[: request.keep] + request.tail.encode()
            body = bytes(request.body)
            assert body == whole
            assert hashlib.sha256(body).hexdigest() == request.sha256
            assert body[: request.shared] == before[: request.shared]
            assert body[request.shared :][:1] != before[request.shared :][:1] or body == before
            before = body
