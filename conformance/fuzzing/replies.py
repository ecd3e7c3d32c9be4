"""Random replies in the three dialects, as providers give them and as they should not.

Vocabularies are small and words are chosen for what the rules look at: tags at the edges of lines,
texts with nothing in them, reasoning with and without signatures, numbers that a parser would
spell otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from reference.casefile import Json
from reference.spelling import compact

from .generate import named, weighted

TOOLS = ["grep", "grep", "grep", "list", "bash", "page", "tab", "recall", "nobody"]
OBJECTS = [
    "{}",
    '{"x":1,"y":2}',
    '{"y":2, "x":1}',
    '{"x":1.0}',
    '{"x":"\\ud83d","x":"\\ud83d\\ude42"}',
]
FLAWED = [
    *("", " ", "null", "not json", '"é\\u00e9"', "[]", "7", "-", "01", "{}{}", '{"x":NaN}', "tru"),
    *('{"é":"cut', '{"x":1,}', "{'x':1}", '{"x":"a\nb"}', '{"x":"\\u00"}', '{"x":1}\0', "{}\n."),
    *('{"x":[1, 2', '{"x":-1.5e', '{"x" 1}', '{"x":' * 128, '{"x":' * 127 + "1" + "}" * 127),
]
ARGUMENTS = [*OBJECTS * 4, *FLAWED]
CUSTOM_INPUTS: list[Json] = [{"input": "a\nb"}, {"input": ["a"]}, {}]
INPUTS: list[Json] = [
    *[{}, {"x": 1, "y": 2}, {"y": 2, "x": 1}, {"x": "é\n"}, {"x": None}] * 3,
    *(None, "", "q", '{"x": 1.0}', [], 7, True),
]
TEXTS = ["", " ", "ok", "ok", "done.\n", "two\n\nlines", 'é漢😀 " \\ \u0001\u007f', "a\0b"]
TAGGED = [
    "<think>why</think>answer",
    "\n <think>\nwhy\n\n</think>\n\nanswer\n",
    "<think>a</think> <thinking>b</thinking>c",
    "why</think>answer",
    "<think>never closed",
    "[THINK]x[/THINK]",
    "<think></think>\n\nok",
    "say\n<think>x</think>\nmore",
    "say <think>x</think> more",
    "```\n<think>x</think>\n```\nend",
    "ok\n```py\n```\n<reasoning>r</reasoning> rest",
    "ok\n<think>never closed",
    "◁think▷k◁/think▷ok",
    "why\n</think>\n\nanswer",
    "why\n [/THINK] \nan\n</think>\nswer",
    "~~~\n</think>\n~~~\nend",
    "say <think> now\n</think>\nmore\n[/THINK]\nend",
    "   ```\n<think>x</think>\n~~~\n<think>y</think>\n    ~~~\n<think>z</think>",
]


def _calls(draw: st.DrawFn, ids: list[str]) -> list[tuple[str, str]]:
    """Ids and names of a reply's calls; `ids` are those that were given before."""
    count = draw(st.sampled_from([0, 0, 1, 1, 1, 2, 3]))
    calls: list[tuple[str, str]] = []
    for _ in range(count):
        again = [id_ for id_ in ids if id_ not in [call[0] for call in calls]]
        fresh = f"c{len(ids) + 1}"
        twice = [id_ for id_, _ in calls]
        odd = ["", " ", "a\0", "a␀", "call00201", "call00302", *twice[:1]]
        id_ = draw(st.sampled_from([*[fresh] * 24, *again[:1] * 2, *odd]))
        if id_ == fresh:
            ids.append(fresh)
        calls.append((id_, draw(st.sampled_from(TOOLS))))
    return calls


def _chat_call(draw: st.DrawFn, id_: str, name: str, place: int) -> Json:
    if _rarely(draw, 9):
        given = draw(st.sampled_from(CUSTOM_INPUTS))
        return {"id": id_, "type": "custom", "custom": {"name": name, **given}}
    arguments = draw(st.sampled_from([*ARGUMENTS, {"x": 1}, None]))
    function: Json = {"name": name, "arguments": arguments}
    if arguments is None and draw(st.booleans()):
        del function["arguments"]
    call: Json = {"id": id_, "type": "function", "function": function}
    if _rarely(draw, 9):
        function["parsed_arguments"] = {"x": None}
    extras: list[Json] = [
        {},
        {},
        {"index": place},
        {"extra": {"signature": "s"}},
        {"index": None, "x": None},
    ]
    extra = draw(st.sampled_from(extras))
    return call | extra


def chat(draw: st.DrawFn, ids: list[str]) -> Json:
    """A message of chat completions."""
    calls = [_chat_call(draw, *call, place) for place, call in enumerate(_calls(draw, ids))]
    content = draw(
        weighted(
            (2, st.none()),
            (5, st.sampled_from(TEXTS)),
            (4, st.sampled_from(TAGGED)),
            (2, st.lists(st.sampled_from(CHAT_BLOCKS), max_size=3)),
        )
    )
    reasoning = draw(st.sampled_from([None, None, "thought", "two\n", ""]))
    fields = {
        "reasoning_content": reasoning,
        "reasoning": draw(st.sampled_from([None, None, None, "other", 7])),
        "reasoning_details": draw(st.sampled_from([None, None, [], [{"type": "t", "n": 1}]])),
        "refusal": draw(st.sampled_from([None, None, None, None, "no"])),
        "parsed": draw(st.sampled_from([None, None, None, {"x": 1}])),
        "annotations": draw(st.sampled_from([None, [], [{"a": 1}]])),
        "name": draw(st.sampled_from([None, None, None, "bot"])),
    }
    message = {"role": "assistant", "content": content, **_some(draw, fields)}
    if calls or _rarely(draw, 5):
        message["tool_calls"] = calls
    if draw(st.booleans()):
        message = dict(draw(st.permutations(list(message.items()))))
    wraps = draw(st.booleans())
    finish = named(finish_reason=draw(st.sampled_from([None, "stop", "length"])))
    choice = {"index": 0, "message": message, **finish}
    return {"id": "r", "choices": [choice]} if wraps else message


CHAT_BLOCKS: list[Json] = [
    {"type": "text", "text": "ok"},
    {"type": "text", "text": "more"},
    {"type": "text", "text": ""},
    {"type": "text", "text": "<think>why</think>"},
    {"type": "text", "text": "ok\n<think>hm</think>\nso"},
    {"type": "text", "text": "why\n</think>\nok"},
    {"type": "thinking", "thinking": "why"},
    {
        "type": "thinking",
        "thinking": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
    },
    {"type": "reasoning", "text": "why not"},
    {"type": "reference", "ids": [1, 2]},
]
ANTHROPIC_BLOCKS: list[Json] = [
    {"type": "thinking", "thinking": "why", "signature": "s1"},
    {"type": "thinking", "thinking": "why"},
    {"type": "redacted_thinking", "data": "zz"},
    {"type": "text", "text": "ok"},
    {"type": "text", "text": "more", "citations": None},
    {"type": "own", "text": "more", "citations": None},
    {"type": "text", "text": " \n"},
    {"type": "text", "text": "held", "cache_control": {"type": "ephemeral"}},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"q": 1.5}},
]
RESPONSES_ITEMS: list[Json] = [
    {"type": "reasoning", "id": "rs1", "summary": [], "encrypted_content": "e"},
    {"type": "reasoning", "id": "rs2", "summary": [{"type": "summary_text", "text": "t"}]},
    {"type": "web_search_call", "id": "ws1", "status": "completed"},
    {"type": "message", "role": "assistant", "content": "plain"},
    {
        "type": "message",
        "id": "m1",
        "role": "assistant",
        "status": "completed",
        "content": [
            {"type": "output_text", "text": "ok", "annotations": []},
            {"type": "output_text", "text": " then"},
            {"type": "refusal", "refusal": "no"},
            {"type": "output_text", "text": "end"},
        ],
    },
]


def anthropic(draw: st.DrawFn, ids: list[str]) -> Json:
    """A message's content blocks."""
    blocks: list[Json] = draw(st.lists(st.sampled_from(ANTHROPIC_BLOCKS), max_size=3))
    blocks = [_signed(draw, block) for block in blocks]
    for id_, name in _calls(draw, ids):
        call = {"type": "tool_use", "id": id_, "name": name, "input": draw(st.sampled_from(INPUTS))}
        blocks.append(call)
    wraps = draw(st.booleans())
    stop = named(stop_reason=draw(st.sampled_from([None, "tool_use", "max_tokens"])))
    return {"id": "r", "role": "assistant", "content": blocks, **stop} if wraps else blocks


def _signed(draw: st.DrawFn, block: Json) -> Json:
    """Thinking that is told from all other."""
    signed = {"signature": "s1", "data": "zz"}
    kept = {name: f"{draw(st.integers(0, 10**9))}==" for name in signed if name in block}
    return block | kept


def responses(draw: st.DrawFn, ids: list[str]) -> Json:
    """A response's output items."""
    items: list[Json] = draw(st.lists(st.sampled_from(RESPONSES_ITEMS), max_size=3))
    for place, (id_, name) in enumerate(_calls(draw, ids)):
        own = draw(st.sampled_from([{}, {"id": f"fc{place}"}, {"id": "m1"}, {"id": ""}]))
        if _rarely(draw, 5):
            call = {"type": "custom_tool_call", "call_id": id_, "name": name, "input": "a\nb"}
        else:
            arguments: Json = draw(st.sampled_from([*ARGUMENTS, {"x": 1}, None]))
            call = {"type": "function_call", "call_id": id_, "name": name, "arguments": arguments}
        items.append(call | own)
    status = named(status=draw(st.sampled_from([None, "completed", "incomplete"])))
    return {"id": "r", "output": items, **status} if draw(st.booleans()) else items


FOREIGN: list[Json] = [
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "x", "input": {}}]},
    {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "a"}]},
    [{"type": "text", "text": "a"}],
    [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}],
    [{"role": "assistant", "content": "a"}],
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}}]},
    {"output": {"message": {"role": "assistant", "content": []}}},
    {"message": {"role": "assistant", "content": "a"}, "done": True},
    {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}}]},
    [{"type": "message_start", "message": {}}],
    {"type": "response.completed", "response": {}},
    {"error": {"message": "m"}},
    {"error": "m", "content": ""},
    {"object": "error", "message": "m"},
    "data: {}\n\n",
]
"""What one dialect takes and another does not, or none."""

REPLIES: dict[str, Callable[[st.DrawFn, list[str]], Json]] = {
    "openai-chat": chat,
    "anthropic-messages": anthropic,
    "openai-responses": responses,
}
BAD: dict[str, list[Json]] = {
    "openai-chat": [
        {"role": "assistant", "content": None, "function_call": {"name": "grep"}},
        {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "x"}}]},
        {"choices": []},
        "not json",
    ],
    "anthropic-messages": [[{"type": "tool_use", "id": "c1", "input": {}}], {"content": 3}, "[1]"],
    "openai-responses": [[{"type": "function_call", "name": "grep"}], {"output": None}, "3"],
}


def reply(draw: st.DrawFn, dialect: str, ids: list[str]) -> Json:
    """A reply step's fields. `ids` grows by those of its calls."""
    if _rarely(draw, 24):
        return {"json": draw(st.sampled_from([*BAD[dialect], *FOREIGN]))}
    given = REPLIES[dialect](draw, ids)
    if _rarely(draw, 6):
        given = _respelled(given)
    return named(json=given, incomplete=draw(st.sampled_from([None] * 9 + [True])))


def _rarely(draw: st.DrawFn, often: int) -> bool:
    """True once in so many times: the ends of a range are drawn more often than its middle."""
    return bool(draw(st.integers(0, often)) == often // 2)


def _respelled(value: Json) -> str:
    """The same JSON with white space, numbers spelled otherwise and a key given twice."""
    text = compact(value).replace('":', '" : ').replace("1.5", "1.50e+0")
    if text.startswith("{"):
        return '{"id": 0,' + text[1:-1] + ',"id":1E2 }\n'
    return f" {text}"


def _some(draw: st.DrawFn, fields: Json) -> Json:
    """The fields, where null sometimes stands and sometimes does not."""
    nulls = draw(st.booleans())
    return {name: value for name, value in fields.items() if nulls or value is not None}
