"""What fills a window, for people: the texts that the native tests keep, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, built, call, talking, turn

from waybread import (
    BigResult,
    Confidence,
    ContextKind,
    ContextPart,
    ContextReport,
    Dialect,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    OutOfOrderError,
    Output,
    Pressure,
    PressureAction,
    Prompt,
    PromptPart,
    PromptSource,
    Session,
    SqliteStorage,
    StoredText,
    TokenEstimate,
    TokenStrategy,
    ToolCall,
    UserMessage,
    context_json,
    context_page,
    context_table,
    stored_context_report,
)
from waybread import __main__ as command

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Open

    Run = Callable[..., tuple[int, str, str]]

FOLDER = Path(__file__).parents[3] / "recordings" / "tests"
KEPT = json.loads((FOLDER / "context" / "report.json").read_text("utf-8"))
NUMBER: Any = 1
NO_FILE = "no such file; name a file of sessions, or the folder that replay --sessions wrote"


def typed(told: dict[str, Any]) -> ContextReport:
    """The report that has this JSON."""
    pressure = told["pressure"]
    return ContextReport(
        bytes=told["bytes"],
        pressure=Pressure(
            estimate=TokenEstimate(
                tokens=pressure["tokens"],
                raw=pressure["tokens"],
                strategy=TokenStrategy(pressure["strategy"]),
                confidence=Confidence(pressure["confidence"]),
            ),
            window=pressure["window"],
            soft_limit=pressure["soft_limit"],
            hard_limit=pressure["hard_limit"],
            reserve=pressure["reserve"],
            margin=pressure["margin"],
            used=pressure["tokens"],
            fits=True,
            action=PressureAction(pressure["action"]),
            reason=pressure["reason"],
            health=None,
        ),
        parts=tuple(
            ContextPart(**{**part, "kind": ContextKind(part["kind"])}) for part in told["parts"]
        ),
        biggest=tuple(BigResult(**result) for result in told["biggest"]),
    )


def test_the_texts_are_the_native_ones() -> None:
    session, report = KEPT["session"], typed(KEPT)
    assert context_json(session, report) == json.dumps(
        KEPT, ensure_ascii=False, separators=(",", ":")
    )
    for name, made in (("table.txt", context_table), ("page.html", context_page)):
        assert made(session, report).rstrip("\n") == (
            (FOLDER / "context" / name).read_bytes().decode().rstrip("\n")
        )


def test_what_is_no_report() -> None:
    report: Any = typed(KEPT)
    key: Any = "s"
    for made in (context_table, context_page, context_json):
        with pytest.raises(TypeError, match=r"^`report` must be a ContextReport, not int$"):
            made("s", NUMBER)
        with pytest.raises(TypeError, match=r"^`session` must be a str, not int$"):
            made(NUMBER, report)
        with pytest.raises(TypeError, match=r"^`session` must be a str, not ContextReport$"):
            made(report, key)


@pytest.mark.parametrize("storage", ["sessions.db", Path("sessions.db"), None])
def test_what_is_no_storage(storage: Any) -> None:
    kind = type(storage).__name__
    expected = rf"^`storage` must be a Storage, such as SqliteStorage\(path\), not {kind}$"
    with pytest.raises(TypeError, match=expected):
        stored_context_report(storage, "s")


@pytest.fixture
def stored(open_session: Open) -> Session:
    """The session `s`, with a prompt, after a request of the model `m`."""
    prompt = Prompt([PromptSource(PromptPart.SESSION_DATE, "2026-11-30")])
    session = open_session(settings=talking(prompt=prompt, dialect=Dialect.OPENAI_CHAT))
    turn(session, call("c1"))
    session.insert_result(ToolCall("c1", "bash"), Output("x\n" * 1000))
    built(session)
    session.add_message(UserMessage("and?"))
    return session


def test_a_stored_session(stored: Session, storage: MemoryStorage) -> None:
    log = storage.read_log("s", 0)
    report = stored_context_report(storage, "s")
    assert report == stored_context_report(storage, "s", PARAMETERS)
    assert report == stored.context_report(PARAMETERS) == stored.context_report()
    assert report.bytes == built(stored).length
    assert storage.read_log("s", 0)[: len(log)] == log


def test_a_prompt_that_would_be_made_again(stored: Session, storage: MemoryStorage) -> None:
    with pytest.raises(InvalidArgumentError, match="must name the same model") as raised:
        stored_context_report(storage, "s", {"model": "other"})
    assert raised.value.argument == "parameters"


def test_a_prompt_of_the_sessions_own_blocks(open_session: Open, storage: MemoryStorage) -> None:
    session = open_session(settings=talking())
    session.add_message(UserMessage("go"))
    assert stored_context_report(storage, "s", {"model": "any"}).bytes
    built(session)
    with pytest.raises(InvalidArgumentError, match="must name the same model"):
        stored_context_report(storage, "s", {"model": "other"})


def test_sessions_without_a_report(open_session: Open, storage: MemoryStorage) -> None:
    with pytest.raises(InvalidArgumentError, match="`key` is `nobody`, which no session has"):
        stored_context_report(storage, "nobody")
    open_session()
    with pytest.raises(OutOfOrderError):
        stored_context_report(storage, "s")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, by: Callable[..., int] = command.main) -> tuple[int, str, str]:
        code = by(arguments)
        said = capfdbinary.readouterr()
        return code, said.out.decode(), said.err.decode()

    return run


RECORDINGS = [
    "cc-06-search-stub.jsonl",
    "cc-01-compaction.jsonl",
    "atif-03-orchestrator.jsonl",
]


def test_replayed_sessions_add_up(run: Run) -> None:
    files = [str(FOLDER / "fixtures" / name) for name in RECORDINGS]
    assert run("replay", "--quiet", "--sessions", "kept", *files) == (0, "", "")
    with SqliteStorage("kept/sessions.db", read_only=True) as storage:
        keys = storage.sessions()
    assert keys == [
        "atif-03-orchestrator",
        "cc-01-compaction",
        "cc-01-compaction/main after compaction 1",
        "cc-06-search-stub",
    ]
    for key in keys:
        code, out, err = run("context", "--sessions", "kept", key, "--json")
        assert (code, err) == (0, "")
        report = json.loads(out)
        assert report["session"] == key
        assert sum(part["bytes"] for part in report["parts"]) == report["bytes"] > 0


def test_the_command(run: Run, stored: Session, storage: MemoryStorage) -> None:
    report = stored.context_report()
    with SqliteStorage("sessions.db") as sessions:
        texts = [StoredText("#0001", storage.read_text("s", "#0001"))]
        sessions.append("s", 0, storage.read_log("s", 0), texts)
    assert run("context", "--sessions", "sessions.db", "s", "--html", "w.html") == (
        0,
        f"{context_table('s', report)}\n",
        "",
    )
    assert Path("w.html").read_bytes().decode() == context_page("s", report)
    assert run("--sessions", ".", "s", "--json", by=command.context_command) == (
        0,
        f"{context_json('s', report)}\n",
        "",
    )
    code, out, _ = run(
        "context", "--sessions", ".", "s", "--parameters", '{"model":"m","n":1}', "--json"
    )
    assert code == 0
    assert json.loads(out)["bytes"] == report.bytes + len(',"n":1')


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--sessions", "absent", "s"], f"absent: {NO_FILE}\n"),
        (["--sessions", "empty", "s"], f"{Path('empty/sessions.db')}: {NO_FILE}\n"),
        (
            ["--sessions", ".", "x"],
            "sessions.db: holds `other`, `s`, and no session `x`\n",
        ),
        (["--sessions", "new.db", "x"], "new.db: holds no session, and no session `x`\n"),
        (
            ["--sessions", ".", "s", "--parameters", "[]"],
            "sessions.db: session `s`: argument `parameters` is no JSON object",
        ),
        (["--sessions", ".", "s", "--html", "absent/w"], "absent/w: cannot be written: "),
        (["--sessions", "text", "s"], "text: session `s`: file is not a database"),
    ],
)
def test_what_cannot_be_told(arguments: list[str], problem: str, run: Run) -> None:
    with SqliteStorage("sessions.db") as sessions:
        for key in ("s", "other"):
            Session.open(key, talking(), storage=sessions, filesystem=MemoryTree()).add_message(
                UserMessage("go")
            )
    SqliteStorage("new.db").close()
    Path("empty").mkdir()
    Path("text").write_text("text " * 1000, "utf-8")
    code, out, err = run("context", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"waybread: {problem}")
    assert not Path("absent").exists()


def test_no_control_characters_of_a_key_are_printed(run: Run) -> None:
    with SqliteStorage("sessions.db") as sessions:
        sessions.append("\x1b[2J\n\x9b", 0, ["record"], [])
    code, _, err = run("context", "--sessions", ".", "\x1b[31m it's \\ ü")
    assert code == 1
    assert err == (
        r"waybread: sessions.db: holds `\x1b[2J\n\x9b`, and no session `\x1b[31m it's \ ü`" + "\n"
    )
    code, _, err = run("context", "--sessions", ".", "\x1b[2J\n\x9b")
    assert code == 1
    assert err.startswith(r"waybread: sessions.db: session `\x1b[2J\n\x9b`: ")


def test_wrong_usage(run: Run) -> None:
    for arguments in (["s"], ["--sessions", "."]):
        with pytest.raises(SystemExit) as stopped:
            run("context", *arguments)
        assert stopped.value.code == 2
