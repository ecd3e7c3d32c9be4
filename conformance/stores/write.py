"""Writes a store as the tree of its day writes it, and what its sessions said: `v1.sqlite`, `v1.json`.

Run once for each form of the log, with the Python host of the last commit that writes it:

    target/venv/bin/python conformance/stores/write.py conformance/stores/v1

Every later version opens these stores, in each host, and goes on with the same bytes.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from waybread import (
    Block,
    Change,
    ChangeKind,
    Changes,
    Compaction,
    Delegated,
    Delivery,
    Dialect,
    Failure,
    FallbackModel,
    FileChange,
    Image,
    Kind,
    MainRequest,
    MemoryTree,
    ModelRef,
    Output,
    Prompt,
    PromptPart,
    PromptSource,
    Read,
    Reply,
    Sender,
    Session,
    Settings,
    SqliteStorage,
    Stage,
    SummaryReply,
    Tool,
    ToolCall,
    UserMessage,
    WrapUp,
)

ROOT = "/work/app"
FILES = {
    "/work/app/a.ts": "".join(f"line {n}\n" for n in range(1, 301)),
    "/work/app/b.min.js": "x=1;" * 400,
    "/work/app/AGENTS.md": "Write tests.\n",
    "/work/app/skills/review/SKILL.md": "---\nname: review\n---\nLook twice.\n",
}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TOOLS = [
    Tool(
        "bash", "Runs a command.", {"type": "object", "properties": {"command": {"type": "string"}}}
    ),
    Tool("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}}),
    Tool("grep", "Searches.", {"type": "object"}),
]
PARAMETERS: dict[Dialect, dict[str, Any]] = {
    Dialect.OPENAI_CHAT: {"model": "gpt-4o"},
    Dialect.ANTHROPIC_MESSAGES: {"model": "claude-sonnet-4-5", "max_tokens": 1000},
    Dialect.OPENAI_RESPONSES: {"model": "gpt-5", "store": False},
}
CHAT, ANTHROPIC, RESPONSES = PARAMETERS


def reply(dialect: Dialect, text: str | None, thought: str, *calls: tuple[str, str, str]) -> Reply:
    """A reply of any dialect: what was said and thought, and calls of an id, a name and arguments."""
    match dialect:
        case Dialect.OPENAI_CHAT:
            made = [
                {"id": i, "type": "function", "function": {"name": n, "arguments": a}}
                for i, n, a in calls
            ]
            message: dict[str, Any] = {
                "role": "assistant",
                "content": text,
                "reasoning_content": thought,
            }
            return Reply({**message, "tool_calls": made} if made else message)
        case Dialect.ANTHROPIC_MESSAGES:
            blocks: list[dict[str, Any]] = [
                {"type": "thinking", "thinking": thought, "signature": "c2ln"}
            ]
            blocks += [{"type": "text", "text": text, "citations": None}] if text else []
            blocks += [
                {"type": "tool_use", "id": i, "name": n, "input": json.loads(a), "caller": None}
                for i, n, a in calls
            ]
            return Reply({"role": "assistant", "content": blocks, "stop_reason": "end_turn"})
    items: list[dict[str, Any]] = [{"type": "reasoning", "id": f"rs_{thought}", "summary": []}]
    said: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    items += (
        [{"type": "message", "id": "m", "role": "assistant", "content": [said]}] if text else []
    )
    items += [
        {"type": "function_call", "id": f"f{i}", "call_id": i, "name": n, "arguments": a}
        for i, n, a in calls
    ]
    return Reply({"output": items})


class Store:
    """The store, and what its sessions say."""

    def __init__(self, path: Path) -> None:
        self.storage = SqliteStorage(path)
        self.told: dict[str, Any] = {}

    def session(
        self, key: str, dialect: Dialect | None = Dialect.OPENAI_CHAT, **more: Any
    ) -> Session:
        more = {"tools": TOOLS, "prompt": "You write code.", **more} if dialect else more
        settings = Settings(ROOT, dialect=dialect, **more)
        return Session.open(key, settings, storage=self.storage, filesystem=MemoryTree(FILES))

    def sent(self, key: str, session: Session, dialect: Dialect) -> None:
        """Notes the newest request, and what a message more makes of it."""
        parameters = PARAMETERS[dialect]
        request = session.build_request(parameters)
        body, number = str(request.body), request.number
        self.told[key] = {
            "dialect": dialect.value,
            "kind": "chat" if key.startswith("chat") else "agent",
            "parameters": json.dumps(parameters),
            "requests": number,
            "body": body,
            "messages": [
                [message.number, message.speaker.value, message.text]
                for message in session.conversation()
            ],
        }


def work(session: Session, dialect: Dialect) -> None:
    """Two turns with every outcome, a stub of each kind, a recall and a failure."""
    parameters = PARAMETERS[dialect]
    session.add_message(UserMessage("Why do the tests fail?", date="2026-11-30"))
    session.record_usage(
        session.build_request(parameters).number, {"input_tokens": 900, "output_tokens": 9}
    )
    calls = [
        ("c1", "read", '{"path": "a.ts"}'),
        ("c2", "bash", '{"command":"make"}'),
        ("c3", "grep", '{"b": 1.50, "a": 2}'),
    ]
    first, second, third = session.add_message(reply(dialect, "I look.", "one", *calls)).open_calls
    session.insert_result(second, Output("make: error\n" * 700))
    session.insert_result(first, Read("a.ts", limit=200))
    session.insert_result(third, Output("a.ts:1: line"))
    session.build_request(parameters)
    calls = [
        ("d1", "read", "{}"),
        ("d2", "grep", '{"a": 2, "b": 1.50}'),
        ("d3", "recall", '{"id":"#0001"}'),
        ("d4", "write", "{}"),
    ]
    again, same, recall, write = session.add_message(reply(dialect, None, "two", *calls)).open_calls
    session.insert_result(again, Read("a.ts", offset=50, limit=20))
    session.insert_result(same, Output("a.ts:1: line"))
    session.recall(recall, "#0001", offset=3, limit=2)
    old, new = FILES["/work/app/a.ts"], FILES["/work/app/a.ts"].replace("line 7\n", "seven\n")
    session.insert_result(write, Changes([FileChange("a.ts", before=old, after=new)]))
    session.build_request(parameters)
    session.add_message(reply(dialect, "Line 7.", "three"))
    session.note(Change(ChangeKind.PLAN, "", "1. Mend line 7."))
    session.add_message(
        UserMessage(
            "And this picture?",
            parts=[Image("image/png", PIXEL), "It is small."],
            date="2026-12-01",
        )
    )
    session.build_request(parameters)
    (long,) = session.add_message(reply(dialect, None, "four", ("e1", "read", "{}"))).open_calls
    session.insert_result(long, Read("b.min.js"))
    session.build_request(parameters)
    (gone,) = session.add_message(reply(dialect, "Hm.", "five", ("e2", "bash", "{}"))).open_calls
    session.insert_result(gone, Failure("exit code 1"))


SUMMARY: dict[Dialect, Any] = {
    CHAT: {"role": "assistant", "content": "The tests failed at line 7."},
    ANTHROPIC: {"content": [{"type": "text", "text": "The tests failed at line 7."}]},
    RESPONSES: {
        "output": [
            {
                "type": "message",
                "content": [{"type": "output_text", "text": "The tests failed at line 7."}],
            }
        ]
    },
}


def compacted(session: Session, dialect: Dialect, stage: Stage = Stage.NORMAL, **more: Any) -> None:
    begun = session.compact_begin(Compaction(PARAMETERS[dialect], stage=stage, **more))
    assert hasattr(begun, "body"), begun
    end = session.compact_finish(SummaryReply(json.dumps(SUMMARY[dialect])))
    assert hasattr(end, "generation"), end


def dialects(store: Store) -> None:
    for dialect in PARAMETERS:
        key = dialect.value
        session = store.session(key, dialect, home="/home/ada", start="/work/app/src")
        work(session, dialect)
        store.sent(key, session, dialect)

        session = store.session(f"chat/{key}", dialect, kind=Kind.CHAT)
        work(session, dialect)
        session.build_request(PARAMETERS[dialect])
        session.add_message(reply(dialect, "Done.", "six"))
        session.add_message(UserMessage("Thanks."))
        store.sent(f"chat/{key}", session, dialect)

        overrides = {
            "compaction": {"retain": 1, "least_freed_percent": 0},
            "archive": {"keep": "markdown"},
            "budget": {"window": 200_000, "max_output": 8192},
        }
        session = store.session(f"compacted/{key}", dialect, overrides=overrides)
        work(session, dialect)
        session.build_request(PARAMETERS[dialect])
        session.add_message(reply(dialect, "So be it.", "six"))
        session.enable_skill("review", "Look twice.")
        session.add_message(UserMessage("Go on, carefully."))
        compacted(session, dialect)
        session.build_request(PARAMETERS[dialect])
        (again,) = session.add_message(
            reply(dialect, "Again.", "seven", ("g1", "read", "{}"))
        ).open_calls
        session.insert_result(again, Read("a.ts"))
        store.sent(f"compacted/{key}", session, dialect)

        session = store.session(f"steiner/{key}", dialect, overrides={"preset": "steiner"})
        work(session, dialect)
        session.build_request(PARAMETERS[dialect])
        session.main_request_answered(MainRequest(ModelRef("p", "main"), at=1_000))
        session.add_message(reply(dialect, "So be it.", "six"))
        session.add_message(UserMessage("Go on."))
        small = FallbackModel(
            ModelRef("p", "small"),
            {"model": "small", "max_tokens": 500},
            window=128_000,
            reason="cold",
        )
        compacted(session, dialect, target=small, main=ModelRef("p", "main"))
        session.build_request(PARAMETERS[dialect])
        session.add_message(reply(dialect, "Then this.", "seven"))
        session.add_message(UserMessage("And now?"))
        compacted(session, dialect, Stage.EMERGENCY)
        store.sent(f"steiner/{key}", session, dialect)


def prefix(store: Store) -> None:
    """Tools, servers, conditions, marks, a rewind, a wrap-up, words at a step boundary."""
    date = PromptSource(PromptPart.SESSION_DATE, "2026-11-30")
    prompt = Prompt([PromptSource(PromptPart.PREAMBLE, "You write code."), date])
    marks = {"requests": {"cache_breakpoints": 4, "cache_ttl": "1h"}}
    session = store.session("prefix", ANTHROPIC, prompt=prompt, overrides=marks)
    parameters = PARAMETERS[ANTHROPIC]
    for words in ("One.", "Two."):
        session.add_message(UserMessage(words))
        session.build_request(parameters)
        session.add_message(reply(ANTHROPIC, "Yes.", words))
    asked = session.add_message(UserMessage("Three, taken back."))
    session.build_request(parameters)
    session.rewind(asked.number)
    session.connect_server(
        "web", [Tool("fetch", "Fetches.", {"type": "object"})], instructions="Be polite."
    )
    session.withdraw_tool("grep", "It is broken.")
    session.add_message(
        UserMessage(
            "Three.", parts=[Block({"type": "text", "text": "A block.", "citations": None})]
        )
    )
    session.build_request(parameters)
    session.add_message(reply(ANTHROPIC, None, "h", ("h1", "grep", "{}")))
    session.add_message(UserMessage("Quickly.", delivery=Delivery.STEP_BOUNDARY))
    session.build_request(parameters)
    session.add_message(reply(ANTHROPIC, None, "i", ("h1", "bash", '{"command": "ls"}')))
    session.add_message(WrapUp())
    store.sent("prefix", session, ANTHROPIC)


def odd(store: Store) -> None:
    """What a model's reply may hold: arguments that are no object, nulls, tags, a reply that broke off."""
    session = store.session("odd", CHAT)
    parameters = PARAMETERS[CHAT]
    session.add_message(UserMessage("Go."))
    session.build_request(parameters)
    given = [
        ("a", "bash", ""),
        ("b", "bash", '{"command": "cat'),
        ("c", "bash", "[1]"),
        ("d", "bash", '{"a":1}{"a":1}'),
    ]
    for call in session.add_message(reply(CHAT, "<think>Hm.</think>Text", "", *given)).open_calls:
        session.insert_result(call, Output("-"))
    session.build_request(parameters)
    message = {
        "role": "assistant",
        "content": "Half a",
        "refusal": None,
        "function_call": None,
        "parsed": None,
    }
    session.add_message(
        Reply({"choices": [{"finish_reason": "length", "message": message}]}, incomplete=True)
    )
    session.add_message(UserMessage("Two users"))
    session.add_message(UserMessage("in a row", delivery=Delivery.STEP_BOUNDARY))
    store.sent("odd", session, CHAT)


def subagents(store: Store) -> None:
    session = store.session("parent", CHAT)
    parameters = PARAMETERS[CHAT]
    session.add_message(UserMessage("Find the parser."))
    session.build_request(parameters)
    calls = [("c1", "task", "{}"), ("c2", "task", "{}")]
    first, second = session.add_message(reply(CHAT, None, "", *calls)).open_calls
    with session.delegate("parent/1", "explore", prompt="You look.", only_tools=["read"]) as child:
        child.add_message(UserMessage("Where is the parser?", sender=Sender.MACHINE))
        child.build_request(parameters)
        (read,) = child.add_message(reply(CHAT, None, "", ("r", "read", "{}"))).open_calls
        child.insert_result(read, Read("a.ts", limit=3))
        store.sent("parent/1", child, CHAT)
    session.delegate("parent/2", "explore", prompt="You look.").close()
    session.delegate_progress("parent/2", "queued")
    session.insert_result(first, Delegated("parent/1", "In a.ts, see #0001."))
    session.insert_result(second, Output("It works in the background."))
    session.build_request(parameters)
    session.add_message(reply(CHAT, "Wait.", ""))
    session.add_message(UserMessage("A job ended.", sender=Sender.SUBAGENT))
    compacted(session, CHAT)
    store.sent("parent", session, CHAT)


def results(store: Store) -> None:
    session = store.session("results", None)
    shown = [
        session.insert_result(ToolCall(f"c{number}", "read"), Read("a.ts", limit=5)).text
        for number in range(2)
    ]
    store.told["results"] = {"dialect": None, "kind": "agent", "shown": shown}


def go_on(storage: SqliteStorage, told: dict[str, Any]) -> None:
    """What a message more makes of each session, in a copy of the store."""
    for key, session in told.items():
        if session["dialect"] is None:
            continue
        settings = Settings(ROOT, dialect=Dialect(session["dialect"]), kind=Kind(session["kind"]))
        opened = Session.open(key, settings, storage=storage, filesystem=MemoryTree(FILES))
        again = str(opened.build_request(session["parameters"]).body)
        assert again == session["body"], key
        opened.add_message(UserMessage("Go on."))
        session["next"] = str(opened.build_request(session["parameters"]).body)


PARTS: list[Callable[[Store], None]] = [dialects, prefix, odd, subagents, results]


def main() -> None:
    base = Path(sys.argv[1])
    base.with_suffix(".sqlite").unlink(missing_ok=True)
    store = Store(base.with_suffix(".sqlite"))
    for part in PARTS:
        part(store)
    store.storage.close()
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(base.with_suffix(".sqlite"), folder)
        with SqliteStorage(copy) as storage:
            go_on(storage, store.told)
    text = json.dumps(store.told, indent=1, ensure_ascii=False)
    base.with_suffix(".json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
