"""The README's examples run as they stand."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, call, messages, reply, talking

import waybread
from waybread import (
    Assembly,
    Body,
    Compaction,
    Directory,
    MemoryStorage,
    Output,
    PressureAction,
    Session,
    SkillChange,
    Tool,
    ToolCall,
    UserMessage,
)

if TYPE_CHECKING:
    from conftest import Open

README = Path(__file__).parents[1] / "README.md"


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def example(holding: str) -> str:
    """The one example that holds these words."""
    (found,) = [one for one in examples() if holding in one]
    return found


def lines(example: str) -> int:
    return len([line for line in example.splitlines() if line and not line.startswith("from ")])


def test_a_whole_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = example("while True")
    assert lines(turn) <= 12
    replies: list[dict[str, Any]] = [
        {"content": None, "tool_calls": [call("c1")]},
        {"content": "Because."},
    ]
    bodies: list[Any] = []

    def post(body: Body) -> str:
        bodies.append(body.json())
        message = {"role": "assistant", **replies[len(bodies) - 1]}
        return json.dumps({"choices": [{"index": 0, "message": message}]})

    def run(call: ToolCall) -> Output:
        return Output(f"ran {call.name}")

    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"post": post, "run": run}
    exec(example("TOOLS = "), names)  # noqa: S102 - that is the test
    exec(example("def recalled"), names)  # noqa: S102 - that is the test
    exec(turn, names)  # noqa: S102 - that is the test
    names["sessions"].close()
    first, second = bodies
    system = first["messages"][0]["content"]
    assert system.startswith("You write code.\n\nProject: ")
    bash, recall = (tool["function"] for tool in first["tools"])
    assert (bash["name"], recall["name"]) == ("bash", "recall")
    assert bash["description"] == "Runs a command in the shell."
    assert bash["parameters"]["required"] == ["command"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert second["messages"][-1]["content"] == "[#0001]\nran bash"
    assert second["stream"] is False


def test_a_full_window(open_session: Open) -> None:
    window = {"budget": {"window": 8_000, "max_output": 1_000}}
    session = open_session(settings=talking(overrides=window))
    session.add_message(UserMessage("hello"))
    session.build_request(PARAMETERS)
    session.add_message(reply("word " * 6_000))
    session.add_message(UserMessage("go on"))
    bodies: list[Any] = []

    def post(body: Body) -> str:
        bodies.append(body.json())
        return json.dumps({"role": "assistant", "content": "A summary."})

    names: dict[str, Any] = {"session": session, "parameters": PARAMETERS, "post": post}
    exec(example("PressureAction.STOP"), names)  # noqa: S102 - that is the test
    assert len(bodies) == 1
    said = [message["content"] for message in messages(names["request"])]
    assert said[0].endswith("A summary.")
    assert said[1:] == ["go on"]


def test_a_full_window_by_halves(open_session: Open) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("hello"))
    session.add_message(reply("word " * 100))
    answers = iter(["A summary.", ""])
    logged: list[str] = []

    async def post(body: Body) -> str:
        assert body.json()["model"] == "m"
        return json.dumps({"role": "assistant", "content": next(answers)})

    code = compile(example("await post"), README, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {name: getattr(waybread, name) for name in waybread.__all__}
    names |= {"session": session, "parameters": PARAMETERS, "post": post, "log": logged.append}
    for _ in range(2):
        names["pressure"] = session.pressure(PARAMETERS)
        asyncio.run(eval(code, names))  # noqa: S307 - that is the test
        session.add_message(UserMessage("go on"))
        session.add_message(reply("word " * 100))
    assert len(session.lineage()) == 2
    assert len(logged) == 1


@pytest.mark.parametrize(
    ("idle", "sent_with", "told"),
    [(300_000, ("post", "m"), None), (300_001, ("post_small", "small"), "provider/small")],
)
def test_a_fallback_where_the_cache_is_cold(
    idle: int, sent_with: tuple[str, str], told: str | None, open_session: Open
) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("hello"))
    session.add_message(reply("word " * 20_000))
    asked: list[tuple[str, str]] = []

    def sending(name: str, body: Body) -> str:
        asked.append((name, body.json()["model"]))
        return json.dumps({"role": "assistant", "content": "A summary."})

    names: dict[str, Any] = {"session": session, "parameters": PARAMETERS}
    names |= {name: partial(sending, name) for name in ("post", "post_small")}
    names["now"] = partial(next, iter([0, idle]))
    exec(example("CacheCold"), names)  # noqa: S102 - that is the test
    assert asked == [sent_with]
    assert session.lineage()[-1].fallback == told


def test_the_history_archive(open_session: Open, tmp_path: Path) -> None:
    kept = re.search(r"With `overrides=(\{.*?\})` what was", README.read_text("utf-8"))
    written = re.search(r"`(session\.write_history\(.*\))`\. The", README.read_text("utf-8"))
    assert kept is not None
    assert written is not None
    files = Directory(tmp_path)
    settings = talking(root=files.root, overrides=ast.literal_eval(kept[1]))
    session = open_session(settings=settings, filesystem=files)
    session.add_message(UserMessage("hello"))
    session.add_message(reply("word " * 100))
    summary = json.dumps({"role": "assistant", "content": "A summary."})
    session.compact(lambda _: summary, Compaction(PARAMETERS))
    told = session.conversation()[0].text
    eval(written[1], {"session": session, "files": files, "Path": Path})  # noqa: S307
    assert "is kept in history.md." in told
    assert "hello" in (tmp_path / "history.md").read_text("utf-8")


def test_carrying_a_session_on(open_session: Open) -> None:
    began = open_session(settings=talking(prompt="You write.", tools=[Tool("bash")]))
    began.add_message(UserMessage("hello"))
    began.build_request(PARAMETERS)
    began.close()

    def sent(model: str, **later: Any) -> tuple[str, list[str]]:
        with open_session(settings=talking(**later)) as session:
            body = session.build_request({"model": model}).body.json()
        words = body["messages"][0]["content"].split("\n")[0]
        return words, [tool["function"]["name"] for tool in body["tools"]]

    assert sent("m", prompt="You look.", tools=[Tool("read")]) == ("You write.", ["bash"])
    assert sent("other", prompt="You look.", recall=True) == ("You look.", ["bash"])
    assert sent("third") == ("You look.", ["bash"])


def test_a_window_that_is_given_by_model_only(open_session: Open) -> None:
    window = {"budget": {"models": ["m 4000 500"]}}
    session = open_session(settings=talking(overrides=window))
    session.add_message(UserMessage("word " * 5_000))
    assert session.pressure({"model": "m"}).action is PressureAction.STOP
    assert session.pressure({"model": "other"}).action is PressureAction.NONE


def test_what_is_not_there(open_session: Open) -> None:
    assembly = Assembly(context_files=["absent.md"], skill_roots=["skills"], skills=["absent"])
    session = open_session(settings=talking(prompt="You write.", assembly=assembly))
    assert [block.name for block in session.prompt_report()] == ["prompt", "environment"]
    with session.delegate("d", "explore", prompt="You look.", only_tools=["misspelt"]) as child:
        child.add_message(UserMessage("hello"))
        assert "tools" not in child.build_request(PARAMETERS).body.json()


def test_what_stands_in_front(tmp_path: Path) -> None:
    files = {"AGENTS.md": "Use tabs.", "docs/map.md": "a map", "skills/review/SKILL.md": "Read."}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    asked: list[Any] = []

    def converse(child: Session) -> str:
        asked.append(child.build_request(PARAMETERS).body.json())
        return "In src."

    names: dict[str, Any] = {name: getattr(waybread, name) for name in waybread.__all__}
    names |= {"files": Directory(tmp_path), "sessions": MemoryStorage(), "converse": converse}
    names["TOOLS"] = [Tool("read"), Tool("task")]
    exec(example("Assembly("), names)  # noqa: S102 - that is the test
    session = names["session"]
    assert session.add_message(UserMessage("go")).skills == (SkillChange("review", active=True),)
    (made,) = session.add_message(reply(None, call("c1", "task"))).open_calls
    names["explore"](made)
    assert [message["content"] for message in asked[0]["messages"]][1:] == [
        "Current date: 2026-11-30, recorded when this session started.",
        "Where is the parser?",
    ]
    assert [tool["function"]["name"] for tool in asked[0]["tools"]] == ["read"]
    first, date, *_, result = session.build_request(PARAMETERS).body.json()["messages"]
    assert first["content"].endswith("Instructions from AGENTS.md:\n\nUse tabs.")
    assert date["content"].startswith("a map\nCurrent date: ")
    assert result["content"] == "[#0001 explore parser/1]\nIn src."


def test_results_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = example("Output(")
    assert lines(results) <= 10
    (tmp_path / "README.md").write_text("".join(f"line {n}\n" for n in range(60)), "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(results, {})  # noqa: S102 - that is the test
    stub, *rest = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"\[#0002 README\.md lines 1-10 of 60 sha [0-9a-f]{8}\]"
        r" Unchanged since #0001, which already shows lines 1-40\.",
        stub,
    )
    assert rest == ["301 3000"]
