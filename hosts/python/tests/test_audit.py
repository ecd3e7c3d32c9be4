"""The audit: the answers that the native tests keep, typed, and the command's words and codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from waybread import Audit, AuditError, InvalidArgumentError, audit, audit_list
from waybread import __main__ as command
from waybread.audit import Breakpoints, Chars, Parameter, RequestAudit

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

PAIRS = Path(__file__).parents[3] / "recordings" / "tests" / "audit"


def pair(name: str) -> tuple[str, str]:
    _, previous, later = (PAIRS / f"{name}.pair").read_bytes().decode().split("\n---\n")
    return previous, later.rstrip()


NAMES = [path.stem for path in sorted(PAIRS.glob("*.pair"))]
ANSWERS = (PAIRS / "answers.jsonl").read_text("utf-8").splitlines()


def test_there_are_pairs() -> None:
    assert len(NAMES) == len(ANSWERS) >= 24


@pytest.mark.parametrize(("name", "answer"), list(zip(NAMES, ANSWERS, strict=True)))
def test_every_answer_is_the_native_one(name: str, answer: str) -> None:
    found = audit(*pair(name))
    assert found.json == answer
    expected = json.loads(answer)
    assert (found.cause, found.path, found.broken) == (
        expected["cause"],
        expected["path"],
        expected["broken"],
    )


def test_an_answer_is_typed() -> None:
    found = audit(*pair("chat-date"))
    assert isinstance(found, Audit)
    assert (found.part, found.message, found.dialect) == ("system", None, "openai-chat")
    assert isinstance(found.chars, Chars)
    assert found.chars.next == found.chars.kept + found.chars.again + found.chars.new
    parameters = audit(*pair("anthropic-tool-choice")).parameters
    assert parameters[0] == Parameter("thinking.budget_tokens", "4000", "16000")
    moved = audit(*pair("anthropic-breakpoint-moved")).cache_control
    assert moved == Breakpoints(("messages[4].content[0]",), ("messages[2].content[1]",))


def test_a_list() -> None:
    first, second = pair("chat-append")
    _, third = pair("chat-date")
    found = audit_list(f'[{first},{{"request":{{"body":{second}}}}},{{}},{third}]')
    assert [(entry.request, entry.after) for entry in found.audits] == [(1, 0), (3, 1)]
    assert isinstance(found.audits[1], RequestAudit)
    assert found.audits[0].json == audit(first, second).json
    assert [skipped.request for skipped in found.skipped] == [2]
    assert (found.total.compared, found.total.broken) == (2, 1)
    assert found.total.causes[0].cause == "date"
    assert json.loads(found.json)["records"] == found.records == 4
    assert str(found).startswith("Request")


def test_what_cannot_be_compared() -> None:
    body, _ = pair("chat-append")
    for given, at in (((body, "{"), "next"), (("[]", body), "previous")):
        with pytest.raises(AuditError) as raised:
            audit(*given)
        assert raised.value.body == at
        assert raised.value.problem in str(raised.value)
    with pytest.raises(AuditError, match="it takes two to compare") as raised:
        audit_list(body)
    assert raised.value.body is None


def test_bodies_that_were_parsed() -> None:
    texts = pair("chat-date")
    earlier, later = map(json.loads, texts)
    compact = [json.dumps(body, separators=(",", ":")) for body in (earlier, later)]
    assert audit(earlier, later) == audit(*compact)
    assert audit(earlier, texts[1]).cause == "date"
    listed = audit_list([earlier, later])
    assert listed == audit_list((earlier, later)) == audit_list({"requests": [earlier, later]})
    assert listed == audit_list(f"[{','.join(compact)}]")


@pytest.mark.parametrize(
    ("compare", "name"),
    [
        (lambda given: audit(given, "{}"), "earlier"),
        (lambda given: audit("{}", given), "later"),
        (audit_list, "content"),
    ],
)
def test_what_is_no_json(compare: Callable[[Any], object], name: str) -> None:
    expected = f"`{name}` must be a mapping, a list or a str of JSON"
    with pytest.raises(TypeError, match=f"^{expected}, not bytes$"):
        compare(b"{}")
    with pytest.raises(InvalidArgumentError) as raised:
        compare({"messages": object()})
    assert raised.value.argument == name


def test_lone_surrogates_are_read() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "a\ud83d"}]})
    assert not audit(body, body.replace("\\ud83d", "\ud83d")).broken


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    monkeypatch.chdir(tmp_path)
    for file, content in zip(("a.json", "b.json"), pair("chat-date"), strict=True):
        Path(file).write_bytes(content.encode())

    def run(*arguments: str) -> tuple[int, str, str]:
        code = command.main(["audit", *arguments])
        said = capfdbinary.readouterr()
        return code, said.out.decode(), said.err.decode()

    return run


def test_the_command(run: Run) -> None:
    found = audit(*pair("chat-date"))
    assert run("a.json", "b.json") == (1, f"{found}\n", "")
    assert run("--json", "a.json", "b.json") == (1, found.json + "\n", "")
    assert str(found).startswith("cause        date: a date or a time changed\n")
    assert run("a.json", "a.json")[0] == 0


def test_the_command_with_a_list(run: Run) -> None:
    Path("list.jsonl").write_text(
        "\n".join(json.dumps(json.loads(body)) for body in pair("chat-date")), "utf-8"
    )
    code, out, err = run("list.jsonl")
    assert (code, err) == (1, "")
    assert out.splitlines()[0].split()[:3] == ["Request", "Cause", "Where"]


def test_the_command_reads_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    body = Path("a.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body), "utf-8"))
    assert run("-", "b.json")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-", "-"), "standard input can be only one of the bodies"),
        (("absent", "a.json"), "absent: cannot be read: No such file or directory"),
        (("a.json", "latin.json"), "latin.json: is not UTF-8"),
        (("a.json", "broken.json"), "broken.json: the body is not JSON: "),
        (("broken.json", "a.json"), "broken.json: the body is not JSON: "),
        (("broken.json",), "broken.json: the list of requests is neither JSON nor JSON lines: "),
        (("a.json",), "a.json: one request among 1 record, and it takes two to compare"),
    ],
)
def test_the_command_says_what_is_wrong(run: Run, arguments: tuple[str, ...], said: str) -> None:
    Path("latin.json").write_bytes(b'"\xe9"')
    Path("broken.json").write_text("{", "utf-8")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"waybread: {said}")


def test_the_script_is_the_same_command(run: Run) -> None:
    assert command.audit_command(["a.json", "a.json"]) == 0
    with pytest.raises(SystemExit) as ended:
        command.audit_command([])
    assert ended.value.code == 2
