"""What stands at the front of every request, and what is told at its end (§10, §11)."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, SYSTEM, call, reply, talking, turn

from waybread import (
    Change,
    ChangeKind,
    DifferenceCause,
    InvalidArgumentError,
    InvalidSettingError,
    Kind,
    Prompt,
    PromptPart,
    PromptSource,
    Session,
    Tool,
    UserMessage,
    WaybreadError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Open

SCHEMA = '{"type": "object", "properties": {"n": {"maximum": 1.0}}}'


def names(session: Session) -> list[str]:
    return [tool["function"]["name"] for tool in json.loads(session.prefix().tools)]


def test_the_system_prompt(open_session: Open) -> None:
    prompt = Prompt(
        [
            PromptSource(PromptPart.PROJECT_INSTRUCTIONS, "Use tabs.\n", "docs/AGENTS.md"),
            PromptSource(PromptPart.PREAMBLE, "You write code.", "preamble"),
            PromptSource(PromptPart.PHASE_PROMPT, "Plan first."),
        ]
    )
    session = open_session(settings=talking(prompt=prompt, start=PurePosixPath("packages/web")))
    assert session.prefix().system == (
        f"You write code.\n\n{SYSTEM}\nStarted in: packages/web (relative to the project root)\n\n"
        "Instructions from docs/AGENTS.md:\n\nUse tabs.\n\nPlan first."
    )


def test_a_prompt_that_is_a_text(open_session: Open) -> None:
    session = open_session(settings=talking(prompt="You write code."))
    assert session.prefix().system == f"You write code.\n\n{SYSTEM}"
    session.add_message(UserMessage("hi"))
    one = session.build_request(PARAMETERS)
    session.set_prompt("You review code.")
    assert session.build_request(PARAMETERS).body == one.body
    other = session.build_request({"model": "other"})
    assert other.difference is not None
    assert other.difference.cause is DifferenceCause.MODEL
    assert session.prefix().system == f"You review code.\n\n{SYSTEM}"


def test_what_the_model_is_told_of_recall(open_session: Open) -> None:
    session = open_session(settings=talking(recall=True, tools=[Tool("bash")]))
    assert "`[#0012]`" in session.prefix().system
    assert names(session) == ["bash", "recall"]


def test_tools_as_they_are_sent(open_session: Open) -> None:
    tools = [
        Tool("b", "does b", SCHEMA),
        Tool("a", parameters={"type": "object", "x": "é"}),
        Tool("p", definition={"type": "custom", "name": "p"}),
        Tool("see", vision=True),
        Tool("chat", kinds=[Kind.CHAT]),
        Tool("off"),
    ]
    session = open_session(settings=talking(tools=tools, vision=False, without_tools=["off"]))
    assert session.prefix().tools == (
        '[{"type":"function","function":{"name":"b","description":"does b","parameters":'
        '{"type":"object","properties":{"n":{"maximum":1.0}}}}},'
        '{"type":"function","function":{"name":"a","description":"","parameters":'
        '{"type":"object","x":"é"}}},{"type":"custom","name":"p"}]'
    )
    only = open_session(key="only", settings=talking(tools=tools, only_tools=["off", "b"]))
    assert names(only) == ["b", "off"]


def test_conditions_and_withdrawn_tools(open_session: Open) -> None:
    tools = [Tool("page", requires=["page"], unavailable="No page is open."), Tool("bash")]
    session = open_session(settings=talking(tools=tools))
    (closed,) = turn(session, call("c1", "page")).calls
    assert closed.refused is not None
    assert closed.refused.text == "[#0001] No page is open."
    session.set_condition("page", met=True)
    (opened,) = turn(session, call("c2", "page")).calls
    assert opened.refused is None
    session.withdraw_tool("bash", "Not in this session.")
    (withdrawn,) = turn(session, call("c3")).calls
    assert withdrawn.refused is not None
    assert withdrawn.refused.text.endswith("] Not in this session.")
    assert names(session) == ["page", "bash"]


def test_a_condition_that_is_met_from_the_start(open_session: Open) -> None:
    tools = [Tool("page", requires=["page"])]
    session = open_session(settings=talking(tools=tools, conditions=["page"]))
    assert turn(session, call("c1", "page")).calls[0].refused is None
    session.set_condition("page", met=False)
    assert turn(session, call("c2", "page")).calls[0].refused is not None


def test_a_server_that_connects_late(open_session: Open) -> None:
    session = open_session(settings=talking(tools=[Tool("bash")]))
    session.add_message(UserMessage("hi"))
    session.build_request(PARAMETERS)
    session.connect_server("db", [Tool("query"), Tool("bash")], "Ask in SQL.")
    assert names(session) == ["bash", "query"]
    session.add_message(reply("hello"))
    note = session.add_message(UserMessage("again")).note
    assert note is not None
    assert "The MCP server db says how it is used:\nAsk in SQL." in note
    later = session.build_request(PARAMETERS)
    assert later.difference is not None
    assert later.difference.cause is DifferenceCause.TOOLS
    session.connect_server("db", [Tool("query"), Tool("bash")], "Ask in SQL.")
    assert session.build_request(PARAMETERS).difference is None


def test_notes(open_session: Open) -> None:
    told = [Change(ChangeKind.MODE, "ask", "Ask before you write.")]
    prompt = Prompt([PromptSource(PromptPart.PREAMBLE, "Mode: ask.")], told)
    session = open_session(settings=talking(prompt=prompt))
    session.note(told[0])
    session.note(Change(ChangeKind.PLAN, text="1. all"), by_model=True)
    assert session.add_message(UserMessage("hi")).note is None
    session.note(Change(ChangeKind.PLAN))
    session.note(Change(ChangeKind.MODE, "plan", "Change nothing."))
    session.add_message(reply("hello"))
    assert session.add_message(UserMessage("now")).note == (
        "<session-note>\nThe permission mode is now plan: Change nothing.\n\n"
        "The plan was changed. It is now:\n(empty)\n</session-note>"
    )


def test_settings_and_paths(open_session: Open) -> None:
    session = open_session(settings=talking(home="/home/ada"))
    assert session.setting("tools.mcp_wait_ms") == "5000"
    assert json.loads(session.setting("context.dedupe"))["by_result"][0] == "list"
    assert session.name_path("/work/app/docs/../a.ts") == "a.ts"
    assert session.name_path("/home/ada/notes.md") == "~/notes.md"
    assert session.name_path("/etc/hosts") == "/etc/hosts"
    session.check_paths("init", "Look into docs/ and /etc/hosts.")


@pytest.mark.parametrize(
    ("act", "error", "fields"),
    [
        (lambda s: s.setting("tools.no"), InvalidSettingError, {"key": "tools.no"}),
        (lambda s: s.name_path(""), InvalidArgumentError, {"argument": "path"}),
        (
            lambda s: s.check_paths("init", "é /work/app/x"),
            InvalidArgumentError,
            {"argument": "text"},
        ),
        (lambda s: s.set_condition("", met=True), InvalidArgumentError, {"argument": "name"}),
        (lambda s: s.withdraw_tool("no", "x"), InvalidArgumentError, {"argument": "name"}),
        (lambda s: s.withdraw_tool("bash", ""), InvalidArgumentError, {"argument": "refusal"}),
        (
            lambda s: s.connect_server("db", [Tool("a"), Tool("a")]),
            InvalidArgumentError,
            {"argument": "tools[1].name"},
        ),
        (
            lambda s: s.note(Change(ChangeKind.MODE, "plan")),
            InvalidArgumentError,
            {"argument": "change.text"},
        ),
        (
            lambda s: s.set_prompt("It is 2026-11-30."),
            InvalidArgumentError,
            {"argument": "prompt.sources[0].text"},
        ),
    ],
)
def test_what_is_refused(
    open_session: Open, act: Callable[[Session], object], error: type[WaybreadError], fields: Any
) -> None:
    session = open_session(settings=talking(tools=[Tool("bash")]))
    with pytest.raises(error) as caught:
        act(session)
    assert vars(caught.value).items() >= fields.items()
    assert str(caught.value)
