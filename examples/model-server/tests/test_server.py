"""The server answers as a provider does, and refuses what one refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import IncompleteRead
from pathlib import Path
from typing import Any

import pytest

from model_server.script import ScriptError, parse
from model_server.server import server

Post = Callable[..., Any]
ASK = {"role": "user", "content": "Go."}
BODIES: dict[str, dict[str, Any]] = {
    "chat/completions": {"model": "m", "messages": [ASK]},
    "messages": {"model": "m", "max_tokens": 99, "messages": [ASK]},
    "responses": {"model": "m", "input": [ASK]},
}
REPLY = {
    "thinking": "Hm, let me see.",
    "text": "I look at it now.",
    "calls": [{"name": "read", "arguments": {"path": "a.ts"}}],
}


@contextmanager
def serving(*replies: Any, **model: Any) -> Iterator[Post]:
    with server(parse({"models": {"m": {"replies": list(replies), **model}}})) as served:
        threading.Thread(target=served.serve_forever, args=(0.01,), daemon=True).start()

        def post(path: str, body: dict[str, Any]) -> Any:
            url = f"http://127.0.0.1:{served.server_port}/v1/{path}"
            request = urllib.request.Request(url, json.dumps(body).encode(), method="POST")
            with urllib.request.urlopen(request) as answer:
                return answer.read().decode()

        yield post
        served.shutdown()


def refused(work: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as caught:
        work()
    with caught.value as answer:
        return answer.code, answer.read().decode()


@pytest.mark.parametrize("path", BODIES)
def test_a_reply_holds_what_the_script_says(path: str) -> None:
    with serving(REPLY) as post:
        answer = post(path, BODIES[path])
    for said in ("Hm, let me see.", "I look at it now.", "read", "a.ts"):
        assert said in answer


@pytest.mark.parametrize("path", BODIES)
def test_a_stream_adds_up_to_the_reply(path: str) -> None:
    with serving(REPLY) as post:
        stream = post(path, {**BODIES[path], "stream": True})
    assert joined(path, stream) == "I look at it now."
    assert len(stream.split("\n\n")) > 6


def joined(path: str, stream: str) -> str:
    lines = [
        line.removeprefix("data: ") for line in stream.split("\n") if line.startswith("data: ")
    ]
    events = [json.loads(line) for line in lines if line != "[DONE]"]
    if path == "chat/completions":
        deltas = [event["choices"][0]["delta"] for event in events if event["choices"]]
        return "".join(delta.get("content") or "" for delta in deltas)
    if path == "messages":
        deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
        return "".join(delta.get("text", "") for delta in deltas)
    return "".join(e["delta"] for e in events if e["type"] == "response.output_text.delta")


def test_what_was_read_before_is_cached() -> None:
    body = BODIES["chat/completions"]
    longer = {**body, "messages": [ASK, {"role": "assistant", "content": "a"}, ASK]}
    other = {**body, "messages": [{"role": "user", "content": "Another."}]}
    with serving(REPLY, REPLY, REPLY) as post:
        first, second, third = (
            json.loads(post("chat/completions", each))["usage"] for each in (body, longer, other)
        )
    cached = [each["prompt_tokens_details"]["cached_tokens"] for each in (first, second, third)]
    assert cached[0] == 0
    assert first["prompt_tokens"] - cached[1] <= 1
    assert cached[2] < cached[1] < second["prompt_tokens"]


def test_a_body_that_the_provider_refuses_is_refused() -> None:
    orphan = {"role": "tool", "tool_call_id": "c", "content": "x"}
    body = {"model": "m", "messages": [ASK, orphan]}
    twice = {"model": "m", "max_tokens": 9, "messages": [ASK, ASK]}
    with serving(REPLY) as post:
        assert refused(lambda: post("chat/completions", body))[0] == 400
        status, words = refused(lambda: post("messages", twice))
        assert (status, "in a row" in words) == (400, True)
        # The script goes on as if nothing had been asked.
        assert "I look" in post("chat/completions", BODIES["chat/completions"])


def test_thinking_is_bound_to_what_stood_before_it() -> None:
    body = BODIES["messages"]
    thinks = {"thinking": "Hm.", "text": "Yes."}
    with serving(thinks, thinks, thinks, binding=True) as post:
        content = json.loads(post("messages", body))["content"]
        said = [ASK, {"role": "assistant", "content": content}, ASK]
        post("messages", {**body, "messages": said})
        marked = {"type": "text", "text": "Go.", "cache_control": {"type": "ephemeral"}}
        status, words = refused(
            lambda: post("messages", {**body, "system": "New.", "messages": said})
        )
        assert (status, "messages.1.content.0" in words) == (400, True)
        said[0] = {"role": "user", "content": [marked]}
        assert refused(lambda: post("messages", {**body, "messages": said}))[0] == 400


@pytest.mark.parametrize(
    ("fault", "status"), [("rate-limit", 429), ("overloaded", 529), ("too-long", 400)]
)
def test_faults_are_answered_once(fault: str, status: int) -> None:
    with serving({"fault": fault}, REPLY) as post:
        assert refused(lambda: post("messages", BODIES["messages"]))[0] == status
        assert "I look" in post("messages", BODIES["messages"])


def test_a_reply_can_be_cut_or_be_no_reply() -> None:
    cut = {**REPLY, "fault": "cut"}
    body = BODIES["chat/completions"]
    with serving(cut, cut, {"fault": "malformed"}) as post:
        with pytest.raises(IncompleteRead):
            post("chat/completions", body)
        assert "[DONE]" not in post("chat/completions", {**body, "stream": True})
        assert post("chat/completions", body).startswith("<html>")


def test_the_window_and_the_script_have_an_end() -> None:
    with serving(REPLY, window=20) as post:
        long = {"model": "m", "messages": [{"role": "user", "content": "x" * 100}]}
        assert "too long" in refused(lambda: post("chat/completions", long))[1]
        post("chat/completions", BODIES["chat/completions"])
        over = refused(lambda: post("chat/completions", BODIES["chat/completions"]))
        assert "has 1 replies, and this is 2" in over[1]
        unknown = {**BODIES["chat/completions"], "model": "n"}
        assert refused(lambda: post("chat/completions", unknown))[0] == 404


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ([], "the script: must be an object"),
        ({}, "models: must name"),
        ({"models": {"m": {}}}, "models.m.replies: must be a list"),
        ({"models": {"m": {"replies": [{"txt": ""}]}}}, "models.m.replies[0].txt: is unknown"),
        ({"models": {"m": {"replies": [{"fault": "x"}]}}}, "models.m.replies[0].fault: is 'x'"),
    ],
)
def test_a_script_that_is_none_says_where(script: Any, place: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(script)
    assert str(caught.value).startswith(place)


@contextmanager
def started(*given: str) -> Iterator[str]:
    program = Path(__file__).parents[1] / "serve.py"
    with subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, str(program), *given], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def test_a_user_starts_it(tmp_path: Path) -> None:
    demo = Path(__file__).parents[1] / "demo.json"
    log = tmp_path / "log.jsonl"
    command: AbstractContextManager[str] = started(str(demo), "--log", str(log))
    with command as url:
        body = json.dumps(BODIES["messages"]).encode()
        request = urllib.request.Request(f"{url}/messages", body, method="POST")
        with urllib.request.urlopen(request) as answer:
            assert "I should look" in answer.read().decode()
    (line,) = log.read_text("utf-8").splitlines()
    assert json.loads(line) == {
        "dialect": "anthropic-messages",
        "body": json.dumps(BODIES["messages"]),
        "problems": [],
    }
