"""A session may be closed, taken over or lose its component at any point: nothing differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from waybread import (
    Changes,
    Failure,
    FileChange,
    Inserted,
    MemoryStorage,
    MemoryTree,
    Output,
    Read,
    Session,
    Settings,
    SqliteStorage,
    ToolCall,
    Treatment,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybread import Outcome, Storage

NAMES = ("a", "b", "sub/c")
texts = st.text(st.sampled_from("ab\n\r\0é😀"), max_size=12)
names = st.sampled_from(NAMES)
outcomes = st.one_of(
    st.builds(
        Read,
        names,
        offset=st.none() | st.integers(0, 4),
        limit=st.none() | st.integers(0, 4),
        force=st.booleans(),
    ),
    st.builds(Output, texts),
    st.builds(Failure, texts),
    st.builds(
        lambda name, before, after, note: Changes([FileChange(name, before, after)], note),
        names,
        st.none() | texts | st.binary(max_size=4),
        texts | st.binary(max_size=4),
        st.none() | texts,
    ),
)


@dataclass(frozen=True)
class Write:
    """A file changes outside of the session."""

    name: str
    content: str


@dataclass(frozen=True)
class Recall:
    """The model asks for a result again."""

    number: int


Step = Write | Recall | Read | Changes | Output | Failure
steps = st.lists(
    outcomes | st.builds(Write, names, texts) | st.builds(Recall, st.integers(0, 12)), max_size=12
)


def perform(
    storage: Storage, steps: Sequence[Step], reopened: Sequence[str]
) -> tuple[list[Inserted], list[str]]:
    """All answers, the session reopened before each step in its own way; and all stored texts."""
    tree = MemoryTree()
    settings = Settings(root="/w")

    def opened() -> Session:
        return Session.open("s", settings, storage=storage, filesystem=tree)

    session = opened()
    answers = []
    for number, step in enumerate(steps):
        how = reopened[number % len(reopened)]
        if how == "another":
            session.close()
            session = opened()
        elif how == "reopen":
            session.reopen()
        elif how == "dropped":
            session._handle.drop()  # what a trap does
        answers += answer(session, tree, number, step)
    stored = [session.stored_text(given.id) for given in answers]
    session.close()
    return answers, stored


def answer(session: Session, tree: MemoryTree, number: int, step: Step) -> list[Inserted]:
    call = ToolCall(f"c{number}", "grep")
    match step:
        case Write():
            tree.write(f"/w/{step.name}", step.content)
            return []
        case Recall():
            return [session.recall(call, f"{step.number:x}")]
    outcome: Outcome = step
    return [session.insert_result(call, outcome)]


ways = st.lists(st.sampled_from(["no", "another", "reopen", "dropped"]), min_size=1, max_size=6)


@given(steps, ways)
def test_sessions_survive_reopening_at_any_point(steps: list[Step], ways: list[str]) -> None:
    straight = perform(MemoryStorage(), steps, ["no"])
    assert perform(MemoryStorage(), steps, ways) == straight
    with SqliteStorage(":memory:") as storage:
        assert perform(storage, steps, ways) == straight


@given(steps)
def test_ids_never_repeat_and_stubs_name_full_results(steps: list[Step]) -> None:
    answers, _ = perform(MemoryStorage(), steps, ["no"])
    assert [given.id for given in answers] == [
        f"#{number:04x}" for number in range(1, len(answers) + 1)
    ]
    treatments = {given.id: given.treatment for given in answers}
    stubs = {Treatment.UNCHANGED_READ, Treatment.SAME_RESULT}
    for given_answer in answers:
        assert (given_answer.refers_to is not None) == (given_answer.treatment in stubs)
        if given_answer.refers_to is not None:
            assert treatments[given_answer.refers_to] is Treatment.FULL
            assert given_answer.refers_to < given_answer.id
        assert given_answer.chars_out == len(given_answer.text)
