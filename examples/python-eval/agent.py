"""An agent's loop, as small as it gets: what a session needs of its harness, and nothing else."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from waybread import (
    Dialect,
    Failure,
    Kind,
    MemoryTree,
    Output,
    Read,
    Reply,
    Session,
    Settings,
    SqliteStorage,
    Tool,
    ToolCall,
    UserMessage,
)

PATHS = {
    Dialect.OPENAI_CHAT: "chat/completions",
    Dialect.ANTHROPIC_MESSAGES: "messages",
    Dialect.OPENAI_RESPONSES: "responses",
}

Run = Callable[[ToolCall, dict[str, Any]], Output | Read | Failure]


@dataclass
class Scenario:
    """One conversation: what the person says, and what the tools answer."""

    given: dict[str, Any]
    _answers: dict[str, Iterator[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Scenario:
        """The scenario of a file."""
        return cls(json.loads(path.read_text("utf-8")))

    def settings(self, overrides: dict[str, Any] | None = None) -> Settings:
        """The settings of its session."""
        given = self.given
        return Settings(
            given["root"],
            kind=Kind(given["kind"]),
            dialect=Dialect(given["dialect"]),
            prompt=given["prompt"],
            tools=[
                Tool(tool["name"], tool["description"], tool["parameters"])
                for tool in given["tools"]
            ],
            overrides=overrides or {},
        )

    def run(self, call: ToolCall, arguments: dict[str, Any]) -> Output | Read | Failure:
        """What a tool answers: a read its file, the others what the scenario says, in order."""
        if call.name == "read":
            lines = {name: arguments[name] for name in ("offset", "limit") if name in arguments}
            return Read(arguments["path"], **lines)
        answers = self._answers.setdefault(
            call.name, iter(self.given["results"].get(call.name, []))
        )
        answer = next(answers, None)
        return Failure(f"no tool {call.name}") if answer is None else Output(answer)


@dataclass
class Agent:
    """A session and the model that it talks to."""

    session: Session
    dialect: Dialect
    url: str
    parameters: dict[str, Any]
    run: Run

    def turn(self, words: str, date: str | None = None) -> str:
        """What the model answers in the end."""
        self.session.add_message(UserMessage(words, date=date))
        while True:
            request = self.session.build_request(self.parameters)
            answer = self._post(bytes(request.body))
            reply = self.session.add_message(Reply(answer))
            if usage := json.loads(answer).get("usage"):
                self.session.record_usage(request.number, usage)
            for call in reply.open_calls:
                self._answer(call)
            if not reply.calls:
                return self.session.conversation()[-1].text

    def _answer(self, call: ToolCall) -> None:
        arguments = json.loads(str(call.arguments))
        if call.name == "recall":
            names = ("offset", "limit", "char_offset", "char_limit")
            window = {name: arguments[name] for name in names if name in arguments}
            self.session.recall(call, arguments["id"], **window)
        else:
            self.session.insert_result(call, self.run(call, arguments))

    def _post(self, body: bytes) -> str:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/{PATHS[self.dialect]}", body, headers)  # noqa: S310
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - the URL is the caller's
            return str(answer.read().decode())


def play(
    scenario: Scenario,
    url: str,
    storage: SqliteStorage,
    key: str = "scenario",
    overrides: dict[str, Any] | None = None,
) -> Session:
    """Takes a scenario through the loop. The session is left open."""
    settings = scenario.settings(overrides)
    files = MemoryTree(scenario.given["files"])
    session = Session.open(key, settings, storage=storage, filesystem=files)
    dialect = Dialect(scenario.given["dialect"])
    agent = Agent(session, dialect, url, scenario.given["parameters"], scenario.run)
    for words in scenario.given["turns"]:
        agent.turn(words, scenario.given["date"])
    return session
