"""The replay: the report, what is written, bad files, and the command's words and codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import waybread
from waybread import Speaker, SqliteStorage, replay
from waybread import __main__ as command
from waybread._aside import look_at
from waybread._component import Instance

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybread._calls import Imports
    from waybread._component import Component

    Run = Callable[..., tuple[int, str, str]]


def recording(*outputs: str) -> str:
    """A conversation in which a tool was called for each output."""
    messages: list[dict[str, object]] = []
    for number, output in enumerate(outputs, start=1):
        function = {"name": "bash", "arguments": json.dumps({"command": f"cat f{number}"})}
        calls = [{"id": f"c{number}", "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": output})
    return json.dumps(messages)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.json").write_text(recording("hello", "é\n" * 1000), "utf-8")
    return tmp_path


@pytest.fixture
def run(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = command.main(["replay", *arguments])
        said = capfdbinary.readouterr()
        return code, said.out.decode(), said.err.decode()

    return run


def test_the_report(folder: Path) -> None:
    report = replay(["one.json"])
    assert report.files == 1
    assert [session["name"] for session in report.sessions] == ["one"]
    assert (report.total["results"], report.total["full"], report.total["capped"]) == (2, 1, 1)
    assert report.total["chars_out"] < report.total["chars_in"]
    assert report.failed_files == []
    assert json.loads(report.json)["total"] == report.total


def test_what_would_have_been_shown_is_written(folder: Path) -> None:
    replay([Path("one.json")], out=folder / "new" / "out")
    lines = (folder / "new" / "out" / "one.jsonl").read_bytes().decode().splitlines()
    assert lines[0] == (
        '{"context":"main","id":"#0001","call":"c1","treatment":"full","text":"[#0001]\\nhello"}'
    )
    assert json.loads(lines[1])["treatment"] == "capped"
    assert "é" in lines[1]
    assert len(lines) == 2


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    first, second = (replay(["one.json"], out=f"out-{n}") for n in (1, 2))
    assert first == second
    assert Path("out-1/one.jsonl").read_bytes() == Path("out-2/one.jsonl").read_bytes()


def test_files_of_one_name(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "one.json").write_text(recording("other"), "utf-8")
    report = replay(["one.json", "sub/one.json", "one.json"], out="out")
    files = [session["file"] for session in report.sessions]
    assert files == ["one.json", "2~one.json", "3~one.json"]
    assert len(list(Path("out").iterdir())) == 3


def test_a_numbered_name_that_is_taken(folder: Path) -> None:
    (folder / "sub").mkdir()
    for name in ("2~one.json", "sub/one.json"):
        (folder / name).write_text(recording("other"), "utf-8")
    report = replay(["one.json", "2~one.json", "sub/one.json"], out="out")
    files = [session["file"] for session in report.sessions]
    assert files == ["one.json", "2~one.json", "3~one.json"]
    assert len(list(Path("out").iterdir())) == 3


def test_sessions_are_kept(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "one.json").write_text(recording("other"), "utf-8")
    replay(["one.json", "sub/one.json"], sessions=folder / "new" / "kept", out="out")
    with SqliteStorage(folder / "new" / "kept" / "sessions.db") as stored:
        assert stored.read_text("one", "#0001") == "hello"
        assert stored.read_text("2~one", "#0001") == "other"
        with look_at(stored, "one") as session:
            speakers = [message.speaker for message in session.conversation()]
            assert speakers == [Speaker.MACHINE, Speaker.MODEL, Speaker.MODEL]


def test_sessions_are_not_mixed(folder: Path, run: Run) -> None:
    replay(["one.json"], sessions="kept")
    before = Path("kept/sessions.db").read_bytes()
    with pytest.raises(FileExistsError, match="holds sessions already; name another folder"):
        replay(["one.json"], sessions="kept")
    code, out, err = run("one.json", "--sessions", "kept")
    place = Path("kept/sessions.db")
    assert (code, out) == (1, "")
    assert err == f"waybread: {place}: holds sessions already; name another folder\n"
    assert place.read_bytes() == before


def test_a_folder_is_searched_in_the_order_of_names(folder: Path) -> None:
    for name in ("b/z.jsonl", "b/a.traj", "a.json", "b/skipped.txt", "c.ndjson"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(recording("x"), "utf-8")
    (folder / "empty").mkdir()
    report = replay([folder, "empty"])
    found = [session["file"] for session in report.sessions]
    assert found == ["a.json", "a.traj", "z.jsonl", "c.ndjson", "one.json"]
    assert report.failed_files == [
        {
            "file": "empty",
            "error": {"message": "the folder holds no recording (.json, .jsonl, .ndjson, .traj)"},
        }
    ]


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ("one.json", "`paths` must be a sequence of paths, not str"),
        (b"one.json", "`paths` must be a sequence of paths, not bytes"),
        (Path("one.json"), f"`paths` must be a sequence of paths, not {type(Path()).__name__}"),
        (1, "`paths` must be a sequence of paths, not int"),
        (["one.json", b"x"], r"`paths\[1\]` must be a str or PathLike, not bytes"),
    ],
)
def test_what_is_no_sequence_of_paths(paths: Any, problem: str, folder: Path) -> None:
    with pytest.raises(TypeError, match=f"^{problem}$"):
        replay(paths, out="out")
    assert not Path("out").exists()


def test_any_sequence_of_paths(folder: Path) -> None:
    assert replay(path for path in [folder]) == replay((folder,))


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text are Linux's")
def test_a_name_that_is_no_text(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    (folder / name).write_text(recording("x"), "utf-8")
    assert [session["file"] for session in replay([name]).sessions] == ["caf\ufffd.json"]


def test_bad_files_are_told_and_the_rest_goes_on(folder: Path, run: Run) -> None:
    Path("latin.json").write_bytes(b'[{\n"role":"caf\xe9"}]')
    Path("broken.jsonl").write_text('{"type":"user"\n', "utf-8")
    Path("empty.json").write_text("", "utf-8")
    code, out, err = run("--json", "latin.json", "broken.jsonl", "one.json", "absent", "empty.json")
    assert code == 1
    report = json.loads(out)
    assert [session["name"] for session in report["sessions"]] == ["one"]
    failed = {file["file"]: file["error"] for file in report["failed_files"]}
    assert list(failed) == ["latin.json", "broken.jsonl", "absent", "empty.json"]
    assert failed["latin.json"] == {"line": 2, "message": "is not UTF-8"}
    assert failed["absent"] == {"message": "cannot be read: No such file or directory"}
    lines = err.splitlines()
    assert lines[0] == "waybread: latin.json:2: is not UTF-8"
    assert lines[2] == "waybread: absent: cannot be read: No such file or directory"
    assert len(lines) == 4


@pytest.mark.skipif(os.name != "posix", reason="making links takes rights on Windows")
def test_links_that_lead_nowhere_are_no_recordings_of_a_folder(folder: Path, run: Run) -> None:
    Path("circle.json").symlink_to("circle.json")
    Path("dangling.json").symlink_to("absent")
    assert run("--quiet", ".") == (0, "", "")
    code, _, err = run("--quiet", "circle.json")
    assert (code, err) == (
        1,
        "waybread: circle.json: cannot be read: Too many levels of symbolic links\n",
    )


def test_the_json_is_the_report_and_a_newline(folder: Path, run: Run) -> None:
    assert run("--json", "one.json") == (0, replay(["one.json"]).json + "\n", "")


def test_the_table(folder: Path, run: Run) -> None:
    code, out, err = run("one.json")
    assert (code, err) == (0, "")
    assert "Session" in out
    assert "% saved." in out
    assert run("--quiet", "one.json") == (0, "", "")


POLICIES = [
    "full-history",
    "waybread",
    "prune-old-outputs",
    "sliding-window",
    "clear-tool-uses",
]


def test_every_request_under_every_policy(folder: Path, run: Run) -> None:
    report = replay(["one.json"])
    [session] = report.sessions
    assert session["policies"] == report.policies
    assert [policy["policy"] for policy in report.policies] == POLICIES
    for policy in report.policies:
        assert policy["requests"] == len(conversation_replies("one.json")) > 0
        assert policy["sent"] == policy["kept"] + policy["reread"]
        # Nothing that was sent is rewritten.
        assert (policy["again"], policy["breaks"]) == (0, 0)
    assert report.summary + "\n" == run("one.json")[1]
    for name in POLICIES:
        assert f"\n {name} " in report.summary


def conversation_replies(name: str) -> list[object]:
    messages = json.loads(Path(name).read_text("utf-8"))
    return [message for message in messages if message["role"] == "assistant"]


def test_an_out_that_cannot_be_written(folder: Path, run: Run) -> None:
    code, out, err = run("--json", "--out", "one.json", "one.json")
    assert (code, out) == (1, "")
    assert err.startswith("waybread: one.json: ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["replay"],
        ["replay", "--no-such", "x"],
        ["play"],
        ["replay", ""],
        ["replay", "x", "--out", ""],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert "usage: waybread" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "unknown"),
    [
        (["replay", "x", "--js"], "--js"),
        (["replay", "x", "--quiet", "--no-such", "--shell"], "--no-such --shell"),
        (["audit", "x", "y", "z"], "z"),
        (["context", "s", "--sessions", "x", "--param={}"], "--param={}"),
    ],
)
def test_the_commands_own_usage_and_whole_options(
    arguments: list[str], unknown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = arguments
    script = getattr(command, f"{name}_command")
    for run, told, called in (
        (command.main, arguments, f"waybread {name}"),
        (script, rest, f"waybread-{name}"),
    ):
        with pytest.raises(SystemExit) as ended:
            run(told)
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith(f"usage: {called} ")
        assert said.endswith(f"{called}: error: unrecognized arguments: {unknown}\n")


def test_the_script_is_the_same_command(folder: Path, capfdbinary: object) -> None:
    assert command.replay_command(["--quiet", "one.json"]) == 0
    assert command.replay_command(["--quiet", "absent"]) == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows has no broken pipes")
def test_a_reader_that_has_seen_enough(folder: Path) -> None:
    program = [sys.executable, "-m", "waybread", "replay", "--json", "one.json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_an_output_with_no_room(folder: Path) -> None:
    program = [sys.executable, "-m", "waybread", "replay", "--json", "one.json"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, check=False)
    said = b"waybread: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_no_outputs_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """Python has none where the shell said `>&-` and `2>&-`."""
    monkeypatch.setattr(sys, "stderr", None)
    code, out, err = run("--json", "absent")
    assert (code, json.loads(out)["files"], err) == (1, 1, "")
    monkeypatch.setattr(sys, "stdout", None)
    assert run("--json", "one.json") == (0, "", "")


def test_shell_reads_as_reads(folder: Path) -> None:
    (folder / "two.json").write_text(recording("one\ntwo\n", "one\ntwo\n"), "utf-8")
    assert replay(["two.json"]).total["reads"] == 0
    assert replay(["two.json"], shell_reads=True).total["reads"] == 2


def test_a_recording_too_much_for_the_component_fails_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limited(component: Component, imports: Imports) -> Instance:
        return Instance(component, imports, 4 * 2**20)

    monkeypatch.setattr("waybread._recordings.Instance", limited)
    (folder / "huge.json").write_text(recording("x" * 5 * 2**20), "utf-8")
    report = replay(["huge.json", "one.json"])
    assert [session["name"] for session in report.sessions] == ["one"]
    assert "stopped" in report.failed_files[0]["error"]["message"]


def test_the_public_names_are_all_there() -> None:
    assert all(hasattr(waybread, name) for name in waybread.__all__)
    assert waybread.__all__ == sorted(waybread.__all__)
