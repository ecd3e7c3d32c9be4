"""Parts of the model that cases reach only through a whole session."""

from __future__ import annotations

import base64
import hashlib
import json
import struct

import pytest

from reference import skills
from reference.anthropic import Anthropic
from reference.blocks import cut
from reference.callwords import call_words
from reference.casefile import Json
from reference.chat import Chat
from reference.compare import differences
from reference.conversation import Message, ReplyCall
from reference.dialects import Dialect
from reference.errors import SessionError
from reference.fallback import Idle, MainRequest, ModelRef, decision
from reference.images import size_of
from reference.models import Calibration, Limits
from reference.paths import Absolute
from reference.responses import Responses
from reference.rules import Rules, rules_with
from reference.run import run
from reference.snapshots import diagnosis
from reference.summaries import answer
from reference.switches import Switches, active_in
from reference.weights import TOKENS, VOCABULARIES, cost

O200K = TOKENS["weights"]["o200k"]
LOWER = O200K["further"]["lower"]
RULES = rules_with("{}")
MODEL = ModelRef("big", "m")


def _first(before: str, name: str) -> int:
    return int(O200K["first"][before][list(TOKENS["ascii"]).index(name)])


@pytest.mark.parametrize(
    ("text", "spent"),
    [
        ("", 0),
        ("a", _first("newline", "lower")),
        ("\n", O200K["further"]["newline"][0]),
        ("aB", _first("newline", "lower") + _first("lower", "upper")),
        ("a" * 9, _first("newline", "lower") + sum(LOWER) + LOWER[-1]),
        ("é", O200K["beyond"]["latin"][1]),
        (" é", _first("newline", "space") + O200K["beyond"]["latin"][0]),
        ("éa", O200K["beyond"]["latin"][1] + _first("beyond", "lower")),
        ("漢" * 6, sum(O200K["beyond"]["han"][1:]) + O200K["beyond"]["han"][5]),
        ("\x7f", _first("newline", "control")),
        ("\u1700", O200K["beyond"]["other"][1]),
    ],
)
def test_a_text_costs_what_its_characters_cost(text: str, spent: int) -> None:
    assert cost(text, "o200k") == spent


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_text_that_is_cut_at_lines_is_the_sum_of_its_parts(vocabulary: str) -> None:
    lines = ["def f(x):\n", "    return x  # größer\n", "漢字 und 🎉\n"]
    assert cost("".join(lines), vocabulary) == sum(cost(line, vocabulary) for line in lines)


PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1280, 800)
GIF = b"GIF89a" + struct.pack("<HH", 30, 20)
JPEG = (
    b"\xff\xd8\xff\xe0"
    + struct.pack(">H", 6)
    + b"JFIF\xff\xff\xc4"
    + struct.pack(">H", 4)
    + b"\0\0\xff\xc2"
    + struct.pack(">HBHH", 11, 8, 480, 640)
)


def _webp(kind: bytes, rest: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + rest


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (PNG, (1280, 800)),
        (GIF, (30, 20)),
        (JPEG, (640, 480)),
        (_webp(b"VP8X", b"\0\0\0\0\x0f\x01\0\x07\0\0"), (272, 8)),
        (_webp(b"VP8L", b"\x2f" + struct.pack("<I", 99 | 49 << 14)), (100, 50)),
        (_webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 0x4000 | 5, 6)), (5, 6)),
        (PNG[:20], None),
        (JPEG[:24], None),
        (JPEG[:2] + b"\0", None),
        (_webp(b"VP8X", b"\0\0\0\0\x0f\x01\0\x07\0"), None),
        (GIF[:6] + struct.pack("<HH", 0, 20), None),
        (b"BM", None),
        (b"", None),
    ],
)
def test_the_size_of_an_image(data: bytes, size: tuple[int, int] | None) -> None:
    assert size_of(base64.b64encode(data).decode()) == size


def test_an_image_is_read_as_far_as_it_is_base64() -> None:
    text = base64.b64encode(PNG).decode().rstrip("=")
    assert size_of(text + "\n!") == (1280, 800)
    assert size_of("!") is None


def _learned(samples: list[tuple[int, int]]) -> Calibration:
    # Without the bounds that small numbers break.
    calibration = Calibration(rules_with('{"preset": "steiner"}'))
    for raw, given in samples:
        calibration.learn("m", raw, given)
    return calibration


@pytest.mark.parametrize(
    ("samples", "raw", "tokens", "confidence"),
    [
        ([], 10, 10, "low"),
        ([(10, 20)], 10, 13, "medium"),
        ([(10, 20)], 2, 3, "medium"),
        ([(10, 20)] * 3, 10, 16, "high"),
        ([(100, 1)] * 20, 1, 1, "high"),
        ([(100, 1)] * 20, 0, 0, "high"),
        ([(0, 20), (20, 0)], 10, 10, "low"),
    ],
)
def test_usage_corrects_an_estimate(
    samples: list[tuple[int, int]], raw: int, tokens: int, confidence: str
) -> None:
    found = _learned(samples).estimate("m", lambda _: raw * 1000)
    strategy = "weights" if confidence == "low" else "provider-usage"
    assert (found.tokens, found.raw, found.strategy, found.confidence) == (
        *(tokens, raw, strategy),
        confidence,
    )


def test_a_model_without_a_name_is_not_calibrated() -> None:
    calibration = Calibration(RULES)
    calibration.learn("", 10, 20)
    assert calibration.corrections == {}


@pytest.mark.parametrize(
    ("window", "margin", "normal"),
    [(32768, 327, 6144), (200_000, 2000, 16000), (1_000_000, 2048, 20480)],
)
def test_shares_of_a_window_have_bounds(window: int, margin: int, normal: int) -> None:
    limits = Limits(RULES, window, 0)
    names = ("percent", "least", "most")
    share = [f"compaction.summary_{name}" for name in names]
    assert (limits.margin, limits.share(*share)) == (margin, normal)


def _told(number: int, *envelopes: skills.Envelope) -> Message:
    return Message(number, "person", starts_turn=True, text="", given="", envelopes=envelopes)


def _envelope(name: str, *, on: bool = True) -> skills.Envelope:
    return skills.enclosed(name, "abc", RULES, on=on)


def test_a_skill_that_is_switched_on_again_is_last() -> None:
    messages = [
        _told(1, _envelope("alpha")),
        _told(2, _envelope("beta"), _envelope("alpha")),
        _told(3, _envelope("c", on=False)),
    ]
    assert list(active_in(messages)) == ["beta", "alpha"]


def test_what_is_off_is_told_first_and_then_what_is_on() -> None:
    active = active_in([_told(1, _envelope("b"), _envelope("a"))])
    switches = Switches()
    for name in ("new", "a"):
        switches.enable(name, "t")
    owed = [(one.name, one.is_active) for one in switches.owed(active, RULES)]
    assert owed == [("b", False), ("new", True), ("a", True)]


def test_the_same_text_given_again_is_nothing_new() -> None:
    switches = Switches()
    switches.enable("a", "t")
    (envelope,) = switches.owed({}, RULES)
    switches.enable("a", "t")
    assert switches.owed({"a": envelope}, RULES) == []
    switches.enable("a", "other")
    assert [one.name for one in switches.owed({"a": envelope}, RULES)] == ["a"]


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("plain", "plain"),
        ('a"\\b', r"a\"\\b"),
        ("\a\b\f\n\r\t\v", r"\a\b\f\n\r\t\v"),
        ("\0\x7f\u2028\U000e0001", r"\x00\x7f\u2028\U000e0001"),
        ("äöü 漢 🎉", "äöü 漢 🎉"),
    ],
)
def test_a_name_is_spelled_with_escapes(name: str, spelled: str) -> None:
    envelope = skills.enclosed(name, "body\n", RULES, on=True)
    assert envelope.text.partition(" state=")[0] == f'<session-skill name="{spelled}"'


@pytest.mark.parametrize(
    ("text", "count", "left"),
    [
        ("abc", 2, "ab"),
        ("aé", 2, "a"),
        ("a \t\r\nb", 5, "a"),
        ("é", 1, ""),
        ("a\u00a0", 3, "a\u00a0"),
    ],
)
def test_a_text_is_cut_at_a_character(text: str, count: int, left: str) -> None:
    assert cut(text, count) == left


def _snapshot(*hashes: str) -> Json:
    return {"messages": [{"message": place, "hash": one} for place, one in enumerate(hashes)]}


@pytest.mark.parametrize(
    ("earlier", "later", "shared", "differs_at"),
    [
        ("", "ab", 0, None),
        ("ab", "abc", 2, None),
        ("ax", "abc", 1, 1),
        ("abc", "ab", 2, None),
        ("x", "a", 0, 0),
    ],
)
def test_where_snapshots_part(earlier: str, later: str, shared: int, differs_at: int) -> None:
    found = diagnosis(_snapshot(*earlier), _snapshot(*later))
    told = (found["shared"], found["earlier"], found["differs-at"])
    assert told == (shared, len(earlier), differs_at)
    assert (found["prefix"] == "") == (shared == 0)


def test_a_prefix_is_a_hash_of_hashes() -> None:
    found = diagnosis(_snapshot("aa", "bb"), _snapshot("aa", "bb", "cc"))
    first = hashlib.sha256(b"aa").hexdigest()[:8]
    assert found["prefix"] == hashlib.sha256((first + "bb").encode()).hexdigest()[:8]
    assert diagnosis(None, _snapshot("aa"))["predecessor-known"] is False


@pytest.mark.parametrize(
    ("after", "now", "told"),
    [
        (0, 10**9, "disabled"),
        (300_000, 300_000, "warm"),
        (300_000, 720_000, {"cold": "idle 12m > 5m"}),
        (300_000, 330_000, {"cold": "idle 5m30s > 5m0s"}),
        (3_600_000, 3_600_500, {"cold": "idle 1h0m0.5s > 1h0m0s"}),
        (5, 1_010, {"cold": "idle 1.01s > 0.005s"}),
    ],
)
def test_when_the_cache_is_cold(after: int, now: int, told: Json) -> None:
    last = MainRequest(MODEL, "k", 0)
    assert decision(last, MODEL, "k", Idle(after, now), RULES) == told


def test_a_request_of_another_key_counts_as_none() -> None:
    last = MainRequest(MODEL, "k", 0)
    assert decision(last, MODEL, "", Idle(5, 1), RULES) == {"cold": "no recent request"}


def _words(name: str, arguments: str) -> str:
    return call_words(ReplyCall("1", name, arguments), Absolute("/", ("work", "app"), "/"), RULES)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("read", "no JSON", "read"),
        ("read", '{"limit": 5, "path": "/work/app/./src/a.rs"}', "read path=src/a.rs, limit=5"),
        ("read", '{"path": "/etc/passwd"}', "read path=passwd"),
        ("read", '{"path": "../a/./b/../c"}', "read path=../a/c"),
        ("bash", '{"cwd": "/tmp/x", "command": "ls /tmp/x/y /tmp/x"}', "bash cwd=., command=ls y"),
        ("bash", '{"command": "cd /a ; make && ls"}', "bash command=ls"),
        ("make", '{"command": "cd /a && ls"}', "make command=cd /a && ls"),
        ("grep", '{"pattern": "%s"}' % ("x" * 41), "grep pattern=" + "x" * 40 + "..."),
        ("grep", '{"pattern": " ", "offset": null}', "grep offset=null"),
    ],
)
def test_a_call_in_a_few_words(name: str, arguments: str, words: str) -> None:
    assert _words(name, arguments) == words


@pytest.mark.parametrize(
    ("dialect", "given", "reason"),
    [
        (Chat, "{", "unreadable"),
        (Chat, '{"error":{"message":"overloaded"}}', "failed"),
        (Anthropic, '{"type":"error","error":{"message":7}}', "failed"),
        (Chat, '{"content":"s","error":"busy"}', "failed"),
        (Chat, '{"choices":[{"message":{"content":"s"},"error":{}}]}', "failed"),
        (Chat, '{"choices":[{"finish_reason":"error"}]}', "failed"),
        (Chat, '{"error":" "}', "unreadable"),
        (Responses, '{"output":[],"status":"cancelled"}', "failed"),
        (Anthropic, '{"content":[],"status":"failed"}', "empty"),
        (Chat, '{"role":"assistant","content":"s","refusal":"no"}', "refused"),
        (Chat, '{"choices":[{"message":{"content":"s"},"finish_reason":"length"}]}', "cut-off"),
        (Chat, '{"content":" \\n"}', "empty"),
        (Anthropic, '{"content":[],"stop_reason":"refusal"}', "refused"),
        (Anthropic, '[{"type":"tool_use","id":"1","name":"x","input":{}}]', "only-calls"),
        (Anthropic, '{"content":[],"stop_reason":"pause_turn"}', "cut-off"),
        (Responses, '{"output":[],"incomplete_details":{"reason":"max_output_tokens"}}', "cut-off"),
        (Responses, '{"output":[],"status":"incomplete"}', "cut-off"),
        (Responses, '[{"type":"message","status":"in_progress"}]', "cut-off"),
        (Responses, '{"output":[{"type":"reasoning","status":"queued"}]}', "cut-off"),
        (Responses, '[{"type":"message","content":[{"type":"refusal"}]}]', "refused"),
    ],
)
def test_a_reply_that_is_no_summary(dialect: type[Dialect], given: str, reason: str) -> None:
    assert answer(given, dialect(RULES)).reason == reason


def test_a_summary_is_what_stands_before_the_first_call() -> None:
    given = """[{"type":"text","text":" S.\\n[history] in x\\nT.\\n"},
        {"type":"tool_use","id":"1","name":"x","input":{}},{"type":"text","text":"U."}]"""
    assert answer(given, Anthropic(RULES)).summary == "S.\nT."


@pytest.mark.parametrize(
    ("dialect", "given", "sent"),
    [
        ("openai-chat", {"model": "m"}, {"model": "m", "max_tokens": 6144}),
        ("openai-chat", {"model": "x/o3"}, {"model": "x/o3", "max_completion_tokens": 6144}),
        ("openai-chat", {"max_tokens": 9, "n": 1}, {"max_tokens": 6144, "n": 1}),
        ("openai-chat", {"tool_choice": "required"}, {"max_tokens": 6144}),
        ("openai-chat", {"response_format": {"type": "text"}, "tool_choice": "auto"}, None),
        ("openai-chat", {"response_format": {"type": "json_object"}}, {"max_tokens": 6144}),
        ("anthropic-messages", {"tool_choice": {"type": "tool"}}, {"max_tokens": 6144}),
        ("anthropic-messages", {"tool_choice": {"type": "none"}}, None),
        ("anthropic-messages", {"thinking": {"budget_tokens": 1000}}, 7144),
        ("anthropic-messages", {"thinking": {"budget_tokens": 5000}}, 8000),
        ("anthropic-messages", {"thinking": {"budget_tokens": 9000}}, 15144),
        ("openai-chat", {"thinking": {"budget_tokens": 1000}}, None),
        ("openai-responses", {"text": {"format": {"type": "x"}}}, {"max_output_tokens": 6144}),
    ],
)
def test_the_parameters_of_a_request_for_a_summary(dialect: str, given: Json, sent: Json) -> None:
    """None: as they were given, with the limit at the end; a number: with another limit."""
    expected = sent if isinstance(sent, dict) else given | {"max_tokens": sent or 6144}
    case = {
        "settings": {
            "dialect": dialect,
            "kind": "chat",
            "overrides": {"budget": {"window": 50_000, "max_output": 8000}, "compaction": FREELY},
        },
        "steps": [
            {"do": "add-message", "user": {"text": "a"}},
            {"do": "add-message", "reply": {"json": REPLIES[dialect]}},
            {"do": "compact-begin", "parameters": given},
        ],
    }
    body = json.loads(list(run(case, {}))[-1].body["summary-request"]["body"])
    del body["input" if dialect == "openai-responses" else "messages"]
    assert body == expected


FREELY: Json = {"least_freed_percent": 0}
REPLIES: Json = {
    "openai-chat": {"content": "b"},
    "anthropic-messages": {"content": "b"},
    "openai-responses": [{"type": "message", "content": "b"}],
}


@pytest.mark.parametrize("path", ["/a", "../a", "a/../..", ".", "a/..", "~/a", "C:/a", "\\a"])
def test_a_file_that_is_not_below_home(path: str) -> None:
    given = json.dumps({"assembly": {"global_instructions": path}})
    with pytest.raises(SessionError) as error:
        rules_with(given)
    assert error.value.payload["key"] == "assembly.global_instructions"


@pytest.mark.parametrize("path", ["", " ", "a", "./a/../b", "a~/.b", "..a"])
def test_a_file_below_home(path: str) -> None:
    given = {"assembly": {"global_instructions": path}}
    assert rules_with(json.dumps(given)).value("assembly.global_instructions") == path


COMPACTED: Json = {
    "name": "a compaction",
    "rule": "§7",
    "settings": {"dialect": "openai-chat", "overrides": {"compaction": {"retain": 3}}},
    "steps": [{"do": "add-message", "user": {"text": "a"}}, {"do": "compact-begin"}],
}


@pytest.mark.parametrize(
    ("changes", "agrees"),
    [
        ({}, True),
        ({"message": "other words"}, True),
        ({"message": None}, False),
        ({"reason": "no-turn-since"}, False),
        ({"more": 1}, False),
    ],
)
def test_words_that_are_the_components_own(changes: Json, *, agrees: bool) -> None:
    told = {
        "stage": "normal",
        "reason": "nothing-to-summarise",
        "message": "own words",
        "rerun-on-main": False,
        "fallback": None,
        "state-cleared": False,
    }
    added: Json = {"number": 1, "note": None, "skills": [], "calls": [], "closed": []}
    answers = {1: {"added": added}, 2: {"not-applied": told | changes}}
    assert (list(differences(COMPACTED, answers, whole=True)) == []) == agrees


def test_rules_know_the_preset() -> None:
    steiner = rules_with('{"preset": "steiner", "compaction": {"retain": 7}}')
    assert isinstance(steiner, Rules)
    values = [steiner.value(f"compaction.{key}") for key in ("retain", "retain_by", "source")]
    assert (steiner.value("preset"), *values) == ("steiner", 7, "steps", "older")
