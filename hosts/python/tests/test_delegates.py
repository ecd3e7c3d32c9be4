"""Subagents: their sessions live on their own, and are opened again by their own keys."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, SYSTEM, built, call, reply, talking, turn

from waybread import (
    Assembly,
    ClosedError,
    ConflictError,
    Delegated,
    DelegateState,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    OutOfOrderError,
    Output,
    Prompt,
    PromptPart,
    PromptSource,
    Session,
    Tool,
    ToolCall,
    TrappedError,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Open

    from waybread import Request

NUMBER: Any = 1
NOTHING: Any = None
DATE = PromptSource(PromptPart.SESSION_DATE, "2026-11-30")
TOLD = "Current date: 2026-11-30, recorded when this session started."
TOO_MUCH = "x" * (9 * 2**20)


@pytest.fixture
def parent(open_session: Open) -> Session:
    """A session with a date, two tools, and an open call of a task."""
    session = open_session(
        settings=talking(prompt=Prompt([DATE]), tools=[Tool("task"), Tool("bash")]),
        memory_limit=8 * 2**20,
    )
    turn(session, call("c1", "task"))
    return session


@pytest.fixture
def child(parent: Session) -> Iterator[Session]:
    """A subagent that may use `bash`."""
    with parent.delegate("s/1", "explore", prompt="You look.", only_tools=["bash"]) as child:
        yield child


def answer(parent: Session, text: str = "found") -> str:
    return parent.insert_result(ToolCall("c1", "task"), Delegated("s/1", text)).text


def front(request: Request) -> list[str]:
    """What stands ahead of the conversation."""
    return [message["content"] for message in request.body.json()["messages"][:2]]


def context_files(session: Session) -> list[str]:
    """The project's files that are in the prompt."""
    part = PromptPart.PROJECT_CONTEXT
    return [block.name for block in session.prompt_report() if block.part is part]


def test_what_a_subagent_takes_over(parent: Session, child: Session) -> None:
    child.add_message(UserMessage("look"))
    body = child.build_request(PARAMETERS).body.json()
    assert [tool["function"]["name"] for tool in body["tools"]] == ["bash"]
    assert [message["content"] for message in body["messages"]] == [
        f"You look.\n\n{SYSTEM}",
        TOLD,
        "look",
    ]
    assert parent.delegates() == [DelegateState("s/1", "explore", "running")]


def test_both_are_used_in_turn(parent: Session, child: Session) -> None:
    child.add_message(UserMessage("look"))
    parent.delegate_progress("s/1", "queued")
    assert parent.delegates() == [DelegateState("s/1", "explore", "queued")]
    child.add_message(reply("found"))
    assert answer(parent) == "[#0001 explore s/1]\nfound"
    assert parent.delegates() == [DelegateState("s/1", "explore", "")]
    child.add_message(UserMessage("thanks"))
    assert [message.text for message in child.conversation()] == ["look", "found", "thanks"]
    sent = built(parent).body.json()["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "user", "assistant", "tool"]


def test_many_are_used_at_once(parent: Session, open_session: Open) -> None:
    def work(number: int) -> int:
        with parent.delegate(f"s/{number}", "explore") as child:
            for step in range(5):
                child.add_message(UserMessage(f"step {step}"))
                parent.delegate_progress(f"s/{number}", f"at {step}")
            return len(child.conversation())

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(4))) == [5] * 4
    assert {state.state for state in parent.delegates()} == {"at 4"}
    found = parent.delegates()
    parent.reopen()
    assert parent.delegates() == found


def test_a_trap_of_one_is_none_of_the_other(
    parent: Session, child: Session, storage: MemoryStorage
) -> None:
    child.add_message(UserMessage("look"))
    found = built(child)
    answer(parent)
    records = {key: storage.read_log(key, 0) for key in ("s", "s/1")}
    with pytest.raises(TrappedError):
        child.add_message(UserMessage(TOO_MUCH))
    with pytest.raises(TrappedError):
        parent.add_message(UserMessage(TOO_MUCH))
    # Opened again, neither has written anything: the subagent's work is still done.
    assert parent.delegates() == [DelegateState("s/1", "explore", "")]
    assert [message.text for message in child.conversation()] == ["look"]
    assert {key: storage.read_log(key, 0) for key in ("s", "s/1")} == records
    assert built(child).sha256 == found.sha256
    parent.add_message(UserMessage("go on"))
    child.add_message(UserMessage("go on"))
    assert front(built(child, {"model": "other"})) == [f"You look.\n\n{SYSTEM}", TOLD]


def test_a_subagent_is_opened_again_as_it_was(
    parent: Session, child: Session, storage: MemoryStorage
) -> None:
    child.add_message(UserMessage("look"))
    built(child)
    records = len(storage.read_log("s/1", 0))
    child.reopen()
    assert len(storage.read_log("s/1", 0)) == records
    # Another model has the prompt made again, of what the subagent was given.
    assert front(built(child, {"model": "other"})) == [f"You look.\n\n{SYSTEM}", TOLD]


def test_a_subagent_may_delegate(parent: Session, child: Session, storage: MemoryStorage) -> None:
    with child.delegate("s/1/1", "deeper", prompt="You dig.") as grandchild:
        grandchild.add_message(UserMessage("dig"))
        records = {key: len(storage.read_log(key, 0)) for key in ("s", "s/1")}
        grandchild.reopen()
        assert grandchild.prefix().system == f"You dig.\n\n{SYSTEM}"
        assert {key: len(storage.read_log(key, 0)) for key in ("s", "s/1")} == records
    assert [state.key for state in child.delegates()] == ["s/1/1"]
    assert [state.key for state in parent.delegates()] == ["s/1"]


def test_the_date_is_the_one_that_the_parent_tells(open_session: Open) -> None:
    settings = talking(prompt=Prompt([DATE]))
    with open_session(settings=settings) as earlier:
        earlier.set_prompt(Prompt([PromptSource(PromptPart.SESSION_DATE, "2026-12-01")]))
    session = open_session(settings=settings)
    with session.delegate("child", "finder", prompt="You look.") as child:
        child.add_message(UserMessage("Look."))
        bodies = [bytes(built(child, {"model": model}).body).decode() for model in "mz"]
    # The JavaScript host's test has these bytes too.
    assert bodies == [
        f'{{"model":"{model}","messages":['
        f'{{"role":"system","content":"You look.\\n\\n{SYSTEM}"}},'
        f'{{"role":"user","content":"{TOLD}"}},'
        '{"role":"user","content":"Look."}]}'
        for model in "mz"
    ]


def test_files_are_read_for_the_subagent_alone(open_session: Open, tree: MemoryTree) -> None:
    tree.write("/work/app/map.md", "a map")
    session = open_session(settings=talking(assembly=Assembly(context_files=["a.ts"])))
    with session.delegate("s/1", "explore") as child:
        assert context_files(child) == []
    with session.delegate("s/2", "explore", assembly=Assembly(context_files=["map.md"])) as child:
        assert context_files(child) == ["map.md"]
    assert context_files(session) == ["a.ts"]


def test_a_follow_up_without_a_prompt_keeps_the_subagents(
    parent: Session, tree: MemoryTree
) -> None:
    tree.write("/work/app/map.md", "a map")
    read = Assembly(context_files=["map.md"])
    parent.delegate("s/1", "explore", prompt="You look.", assembly=read).close()
    with parent.delegate("s/1", "explore") as child:
        child.add_message(UserMessage("look"))
        for model in ("m", "other"):
            request = built(child, {"model": model})
            assert front(request) == [f"You look.\n\n{SYSTEM}", f"a map\n{TOLD}"]


def test_a_follow_up_with_a_prompt_has_it_when_it_is_next_made(
    parent: Session, child: Session
) -> None:
    with parent.delegate("s/1", "explore", prompt="You dig.") as again:
        again.add_message(UserMessage("look"))
        assert front(built(again)) == [f"You look.\n\n{SYSTEM}", TOLD]
        assert front(built(again, {"model": "other"})) == [f"You dig.\n\n{SYSTEM}", TOLD]


def test_a_follow_up_takes_no_tools_away(parent: Session, child: Session) -> None:
    with pytest.raises(InvalidArgumentError, match="leave out `bash`") as raised:
        parent.delegate("s/1", "explore", only_tools=["task"])
    assert raised.value.argument == "delegation.only-tools"


def test_a_follow_up(parent: Session, child: Session) -> None:
    child.add_message(UserMessage("look"))
    answer(parent)
    with parent.delegate("s/1", "explore", prompt="You look.", only_tools=["bash"]) as again:
        assert [message.text for message in again.conversation()] == ["look"]
    assert parent.delegates() == [DelegateState("s/1", "explore", "running")]


def test_each_is_closed_on_its_own(parent: Session, child: Session) -> None:
    parent.close()
    child.add_message(UserMessage("still here"))
    child.close()
    with pytest.raises(ClosedError, match="the session `s/1` is closed"):
        child.conversation()


def test_a_long_answer_is_stored_in_full(parent: Session, child: Session) -> None:
    text = "line\n" * 10_000
    assert len(answer(parent, text)) < 20_100
    assert parent.stored_text("#0001") == text


def test_another_writer_was_faster(parent: Session, open_session: Open) -> None:
    open_session(settings=talking(prompt=Prompt([DATE]))).add_message(UserMessage("first"))
    with pytest.raises(ConflictError):
        parent.delegate("s/1", "explore")
    assert parent.delegates() == []
    parent.reopen()
    with parent.delegate("s/1", "explore") as child:
        child.add_message(UserMessage("look"))
    assert parent.delegates() == [DelegateState("s/1", "explore", "running")]


def test_a_session_of_results_only_delegates_nothing(session: Session) -> None:
    with pytest.raises(OutOfOrderError):
        session.delegate("s/1", "explore")
    with pytest.raises(OutOfOrderError):
        session.delegate_progress("s/1", "running")
    assert session.delegates() == []


@pytest.mark.parametrize("key", ["s", "other", "", "a;b", "a<b", "a\nb"])
def test_keys_that_are_no_subagent(key: str, parent: Session, open_session: Open) -> None:
    open_session(key="other", settings=talking()).add_message(UserMessage("mine"))
    with pytest.raises(InvalidArgumentError) as raised:
        parent.delegate(key, "explore")
    assert raised.value.argument == "delegation.key"
    assert parent.delegates() == []


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"key": NUMBER}, "`delegation.key` must be a str, not int"),
        ({"kind": NOTHING}, "`delegation.kind` must be a str, not NoneType"),
        ({"prompt": NUMBER}, "`delegation.prompt` must be a Prompt, not int"),
        ({"assembly": NUMBER}, "`delegation.assembly` must be a Assembly, not int"),
        ({"only_tools": "bash"}, "`delegation.only-tools` must be a sequence of str, not str"),
    ],
)
def test_what_is_no_delegation(given: dict[str, Any], problem: str, parent: Session) -> None:
    with pytest.raises(TypeError) as raised:
        parent.delegate(**{"key": "s/1", "kind": "explore", **given})
    assert str(raised.value) == problem


def test_what_is_no_answer(parent: Session) -> None:
    with pytest.raises(InvalidArgumentError, match=r"`outcome\.delegated\.key`|`delegated\.key`"):
        answer(parent)
    with pytest.raises(TypeError, match=r"`delegated\.text` must be a str, not int"):
        parent.insert_result(ToolCall("c1", "task"), Delegated("s/1", NUMBER))


def test_results_of_the_parent_are_not_the_childs(parent: Session, child: Session) -> None:
    added = turn(child, call("c1"))
    (made,) = added.open_calls
    assert child.insert_result(made, Output("x")).id == "#1-0001"
    assert answer(parent).startswith("[#0001 ")
