"""Random conversations: a body is what keep and tail say, whatever happened to the session."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from turns import call, reply, talking

from waybread import (
    Change,
    ChangeKind,
    Delivery,
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
    from collections.abc import Callable, Sequence

    from waybread import Settings, Storage

    Step = Callable[[Session, int], Request | None]

texts = st.text(st.sampled_from('a"\n\0é😀'), min_size=1, max_size=8).map(lambda text: f"x{text}")


def says(text: str, *, starts: bool) -> Step:
    """The person or a machine says something."""
    sender, delivery = (
        (Sender.PERSON, Delivery.STARTS_TURN)
        if starts
        else (Sender.MACHINE, Delivery.STEP_BOUNDARY)
    )
    message = UserMessage(text, sender, delivery)

    def step(session: Session, _number: int) -> None:
        session.add_message(message)

    return step


def replies(text: str, calls: int, answered: int, *, incomplete: bool) -> Step:
    """The model replies, and some of its calls are answered, the last first."""

    def step(session: Session, number: int) -> None:
        made = [call(f"c{number}-{n}") for n in range(calls)]
        given = reply(text, *made, reasoning_content=f"thought {number}")
        added = session.add_message(Reply(given.json, incomplete=incomplete))
        for one in reversed(added.calls[:answered]):
            session.insert_result(one.call, Output(text))

    return step


def builds(model: str) -> Step:
    """A request is built."""

    def step(session: Session, _number: int) -> Request:
        return session.build_request({"model": model})

    return step


def takes_back(back: int) -> Step:
    """The newest messages are taken back."""

    def step(session: Session, _number: int) -> None:
        numbers = [message.number for message in session.conversation()]
        session.rewind(numbers[-back:][0] if numbers else 1)

    return step


def notes(text: str) -> Step:
    """The plan changes."""

    def step(session: Session, _number: int) -> None:
        session.note(Change(ChangeKind.PLAN, text=text))

    return step


steps = st.lists(
    st.one_of(
        st.builds(says, texts, starts=st.booleans()),
        st.builds(replies, texts, st.integers(0, 3), st.integers(0, 3), incomplete=st.booleans()),
        st.builds(builds, st.sampled_from("mmmn")),
        st.builds(takes_back, st.integers(1, 3)),
        st.builds(notes, texts),
    ),
    max_size=14,
)
ways = st.lists(st.sampled_from(["no", "another", "reopen", "dropped"]), min_size=1, max_size=6)
kinds = st.sampled_from(Kind)


def perform(
    storage: Storage, settings: Settings, steps: Sequence[Step], reopened: Sequence[str]
) -> list[tuple[str, str | Request | None]]:
    """What each step answered, the session reopened before each in its own way."""

    def opened() -> Session:
        return Session.open("s", settings, storage=storage, filesystem=MemoryTree())

    session = opened()
    session.add_message(UserMessage("begin"))
    answers: list[tuple[str, str | Request | None]] = []
    for number, step in enumerate([*steps, builds("m")]):
        how = reopened[number % len(reopened)]
        if how == "another":
            session.close()
            session = opened()
        elif how == "reopen":
            session.reopen()
        elif how == "dropped":
            session._handle.drop()  # what a trap does
        try:
            answers.append((how, step(session, number)))
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


@given(steps, ways, kinds)
def test_nothing_differs_after_reopening(steps: list[Step], ways: list[str], kind: Kind) -> None:
    settings = talking(kind=kind)
    straight = bodies(perform(MemoryStorage(), settings, steps, ["no"]))
    assert bodies(perform(MemoryStorage(), settings, steps, ways)) == straight
    with SqliteStorage(":memory:") as storage:
        assert bodies(perform(storage, settings, steps, ways)) == straight


@given(steps, ways, kinds)
def test_bodies_are_their_keep_and_tail(steps: list[Step], ways: list[str], kind: Kind) -> None:
    answers = perform(MemoryStorage(), talking(kind=kind), steps, ways)
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
