"""The replay with a window: what is compacted, what is not sent, and wrong usage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Dialect,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    Session,
    Settings,
    UserMessage,
    Window,
    replay,
)
from waybread import __main__ as command
from waybread._replay_context import Context

if TYPE_CHECKING:
    from pathlib import Path

STAND_IN = json.dumps(
    {
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "What was said."},
                "finish_reason": "stop",
            }
        ]
    }
)


def talk(turns: int, words: int) -> str:
    """A recording of so many turns, each of so many words and a call."""
    messages: list[dict[str, Any]] = []
    for number in range(turns):
        function = {"name": "bash", "arguments": "{}"}
        made = {"id": f"c{number}", "type": "function", "function": function}
        messages += [
            {"role": "user", "content": f"{number} " + "word " * words},
            {"role": "assistant", "content": None, "tool_calls": [made]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "ok"},
            {"role": "assistant", "content": f"{number} " + "word " * words},
        ]
    return json.dumps(messages)


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A recording of some 10,000 tokens."""
    path = tmp_path / "long.json"
    path.write_text(talk(20, 250), "utf-8")
    return path


def test_a_long_session_is_compacted(long: Path) -> None:
    report = replay([long], window=Window(4_000, summary_tokens=100))
    assert report.window is not None
    [session] = report.sessions
    assert session["window"] == report.window
    assert report.window["parameters"]["window"] == 4_000
    assert report.window["parameters"]["summary_tokens"] == 100
    assert report.window["normal"] > 1
    assert (report.window["over"], report.window["stopped"]) == (0, [])
    assert report.window["requests"] == 40
    assert report.window["kept_cost"] < report.window["pasted_cost"]
    assert json.loads(report.json)["window"] == report.window
    assert report.total["errors"] == 0


def test_a_wide_window_compacts_nothing(long: Path) -> None:
    report = replay([long], window=Window(200_000, "steiner"))
    assert report.window is not None
    assert report.window["parameters"]["preset"] == "steiner"
    assert (report.window["normal"], report.window["emergency"]) == (0, 0)
    assert report.policies == replay([long]).policies


def test_without_a_window_there_is_none(long: Path) -> None:
    report = replay([long])
    assert report.window is None
    assert "window" not in report.sessions[0]


def context(stand_in: str, window: int, *texts: str) -> Context:
    """A context of messages and replies by turns, a request before each reply."""
    steps: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        if number % 2:
            reply = {"json": json.dumps({"role": "assistant", "content": text})}
            steps += [{"do": "build-request"}, {"do": "add-message", "reply": reply}]
        else:
            steps.append({"do": "add-message", "user": {"text": text}})
    settings = {
        "dialect": "openai-chat",
        "overrides": {"budget": {"window": window, "max_output": 500}},
    }
    return Context({"name": "main", "settings": settings, "stand_in": stand_in, "steps": steps})


def test_what_is_counted_of_a_request() -> None:
    (first,) = context(STAND_IN, 4_000, "hello", "hello").requests
    settings = Settings("/work/app", dialect=Dialect.OPENAI_CHAT, recall=False)
    with Session.open("s", settings, storage=MemoryStorage(), filesystem=MemoryTree()) as session:
        session.add_message(UserMessage("hello"))
        tokens = session.pressure().estimate.tokens
        assert session.build_request().tail == first["tail"]
    assert first["keep"] == 0
    assert first["pressure"] == {
        "window": 4_000,
        "tokens": tokens,
        "reserve": 500,
        "margin": 256,
        "reason": None,
    }


# A reply that makes a compaction due in a window of 8,000 tokens, and fits it.
LONG = "word " * 6_000


def test_a_compaction_before_a_request() -> None:
    first, compaction, second = context(STAND_IN, 8_000, "hello", LONG, "again", "yes").requests
    asked = compaction["compaction"]
    assert (asked["stage"], asked["not_applied"]) == ("normal", None)
    # The request for the summary keeps what the model was sent.
    assert asked["request"]["keep"] > 0
    assert asked["request"]["tokens"] > 5_600
    assert "What was said." in second["tail"]
    assert second["pressure"]["tokens"] < 1_000
    assert "pressure" in first


def test_a_request_that_is_not_sent() -> None:
    (stopped,) = context(STAND_IN, 4_000, "word " * 5_000, "no").requests
    assert stopped["stopped"].startswith("request exceeds context window: prompt=")


def test_a_stand_in_that_is_no_reply_fails_each_stage() -> None:
    requests = context("no JSON", 8_000, "hello", LONG, "again", "yes").requests
    _, normal, emergency, sent = requests
    stages = [one["compaction"]["stage"] for one in (normal, emergency)]
    reasons = [one["compaction"]["not_applied"] for one in (normal, emergency)]
    assert (stages, reasons) == (["normal", "emergency"], ["unreadable", "unreadable"])
    assert sent["pressure"]["tokens"] > 5_600


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"tokens": 3_999}, "argument `tokens` is 3999; it must be from 4000 to 10000000"),
        ({"summary_tokens": 0}, "argument `summary_tokens` is 0; it must be from 1 to 3072"),
        ({"preset": "x"}, "argument `preset` is `x`; it must be context-hygiene or steiner"),
    ],
)
def test_windows_that_there_are_not(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        Window(**{"tokens": 4_000, **given})
    assert str(caught.value) == problem


@pytest.mark.parametrize("window", [4_000, {"tokens": 4_000}, "4000"])
def test_what_is_no_window(window: Any, tmp_path: Path) -> None:
    kind = type(window).__name__
    with pytest.raises(TypeError, match=f"^`window` must be a Window, not {kind}$"):
        replay([tmp_path / "absent.json"], window=window, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--window", "3999"], "'3999' must be a whole number from 4000 to 10000000"),
        (["--window", "-1"], "'-1' must be a whole number from 4000 to 10000000"),
        (["--window", "8k"], "'8k' must be a whole number from 4000 to 10000000"),
        (["--window", "8000", "--summary-tokens", "0"], "must be a whole number from 1 to 3072"),
        (["--window", "8000", "--preset", "x"], "invalid choice: 'x'"),
        (["--preset", "steiner"], "--preset and --summary-tokens need --window"),
        (["--summary-tokens", "9"], "--preset and --summary-tokens need --window"),
    ],
)
def test_wrong_usage(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["replay", "x.json", *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: waybread replay ")
    assert problem in said


def test_the_help_tells_the_range(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["replay", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "a window of N tokens, 4,000 to 10,000,000: they are compacted" in said


def test_the_command(long: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    window = ["--window", "4000", "--preset", "steiner", "--summary-tokens", "100"]
    assert command.main(["replay", "--json", *window, str(long)]) == 0
    said = capfdbinary.readouterr().out.decode()
    assert said == replay([long], window=Window(4_000, "steiner", 100)).json + "\n"
