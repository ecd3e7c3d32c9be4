"""Random compactions: windows that are soon full, summaries of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from reference.casefile import Json

from .course import Course, Make, do
from .generate import named, weighted

PROMPTS: Json = {"prompt": "Sum up.", "emergency_prompt": "Short."}
SMALL_SHARES: Json = {
    "summary_least": 10,
    "summary_most": 60,
    "emergency_least": 1,
    "emergency_most": 10,
}


def _with_small_shares(fields: Json) -> Json:
    return {**PROMPTS, **SMALL_SHARES, "least_freed_percent": 0} | fields


def _with_small_margins(fields: Json) -> Json:
    return {"margin_least": 5, "margin_most": 20, "default_output": 50} | fields


COMPACTIONS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *({}, {"retain": 1}, {"retain": 1, "retain_emergency": 1}, {"anchor": "person"}),
        *({"retain_by": "steps", "retain": 2}, {"source": "older"}, {"images": "omit"}),
        *({"summary_role": "system"}, {"summary_max": 5}, {"least_freed_percent": 10}),
    ]
).map(_with_small_shares)
BUDGETS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *({}, {}, {"window": 20000}, {"window": 400, "max_output": 20}, {"models": ["m1 250 10"]}),
        *({"window": 600, "provider": "stateful"}, {"window": 300, "max_tokens": 10}),
        *({"window": 500, "max_output": 40}, {"window": 600, "provider": "stateful"}),
        *[{"window": 600, "max_output": 400, "default_output": 400}] * 2,
    ]
).map(_with_small_margins)
WINDOWS: st.SearchStrategy[Json] = st.builds(
    lambda compaction, budget, others: {"compaction": compaction, "budget": budget, **others},
    COMPACTIONS,
    BUDGETS,
    st.sampled_from(
        [
            *({}, {}, {"archive": {"keep": "markdown"}}, {"preset": "steiner"}),
            {"archive": {"keep": "markdown", "path": "/work/app/h.md"}},
        ]
    ),
)

SUMMARIES = st.sampled_from(
    ["A summary.", "A summary.", "S.\n\n[history] gone\n", "all of it " * 20, "", "nul \0"]
)
FALLBACK: Json = {"provider": "small", "model": "s", "parameters": {"model": "s"}, "reason": "cold"}
FORCED: Json = {"tool_choice": "required"}
THINKING: Json = {"thinking": {"type": "enabled", "budget_tokens": 30}}
DEMANDS: list[Json] = [
    *(FORCED, {"tool_choice": "auto"}, {"tool_choice": {"type": "any"}}),
    *({"tool_choice": {"type": "none"}}, {"tool_choice": {"type": "auto"}}),
    *({"response_format": {"type": "json_object"}}, {"response_format": {"type": "text"}}),
    *({"text": {"format": {"type": "json_schema"}}}, {"text": {"verbosity": "low"}}),
    *(THINKING, {"thinking": {"type": "enabled", "budget_tokens": 300}}),
    *({"thinking": {"type": "adaptive"}}, {"max_tokens": 9}, {"max_completion_tokens": 9, "n": 1}),
]
"""Parameters of which some do not go with a request for a summary."""
TARGETS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *[None] * 6,
        *({"fallback": FALLBACK}, {"fallback": FALLBACK | {"window": 5000, "max-output": 20}}),
        *({"fallback": FALLBACK | {"window": 100}}, {"unresolved": "no key"}),
        {"fallback": FALLBACK | {"parameters": {"model": "x/o3-mini", **FORCED}}},
        {"fallback": FALLBACK | {"parameters": {"model": "s", **THINKING}, "max-output": 50}},
    ]
)
PENDING: list[Json] = [
    {"id": "s1", "kind": "explore", "state": "running"},
    {"id": "own", "kind": "plan", "state": "queued"},
    {"id": "a<b", "kind": "plan", "state": "queued"},
]
MODELS: st.SearchStrategy[Json] = st.sampled_from([{"model": "m1"}] * 6 + [{"model": "m2"}, {}])
ASKED: st.SearchStrategy[Json] = st.builds(
    lambda model, demand: model | demand,
    st.sampled_from([{"model": "m1"}] * 8 + [{"model": "m2"}, {"model": "gpt-5"}, {}]),
    weighted((2, st.just({})), (1, st.sampled_from(DEMANDS))),
)
MAINS = st.sampled_from([None, {"provider": "big", "model": "m1"}])
BETWEEN: st.SearchStrategy[Json] = st.sampled_from(
    [
        *[[]] * 12,
        [{"do": "reopen"}],
        [{"do": "rewind", "first": 2}],
        [{"do": "add-message", "user": {"text": "meanwhile"}}],
        [{"do": "note", "kind": "plan", "text": "meanwhile"}],
    ]
)


STAGES: st.SearchStrategy[list[str | None]] = st.sampled_from(
    [*[[None]] * 5, ["emergency"], [None, "emergency"], [None, None]]
)
"""The stages of an operation; none named is the normal one."""


def _content(dialect: str, text: str) -> Json:
    if dialect == "openai-chat":
        return {"role": "assistant", "content": text}
    if dialect == "anthropic-messages":
        return {"content": [{"type": "text", "text": text}]}
    return {
        "output": [
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": text}],
            }
        ]
    }


ENDINGS: dict[str, list[Json]] = {
    "openai-chat": [
        *({"finish_reason": "length"}, {"finish_reason": "stop", "error": None}),
        *({"finish_reason": "error"}, {"error": {"code": 1}}, {"error": " "}, {"error": "busy"}),
    ],
    "anthropic-messages": [
        *(
            {"stop_reason": reason}
            for reason in ("pause_turn", "max_tokens", "refusal", "end_turn")
        ),
        {"error": {"type": "overloaded_error"}},
    ],
    "openai-responses": [
        *({"status": status} for status in ("incomplete", "queued", "cancelled", "completed")),
        {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
        *({"incomplete_details": {"reason": "max_output_tokens"}}, {"error": "", "status": None}),
        {"status": "failed", "error": None},
    ],
}
"""How a reply ended, beside what it says."""


def _ended(dialect: str, content: Json, ending: Json) -> Json:
    """A reply with its ending; of a chat, that of its choice."""
    if dialect == "openai-chat":
        return {"choices": [{"index": 0, "message": content, **ending}]}
    return content | ending


def _compaction(draw: st.DrawFn, course: Course) -> list[Json]:
    """One stage, sometimes with the stage that follows it, of one target; or none comes about."""
    said = {"do": "add-message", "reply": {"json": _content(course.dialect, "so far")}}
    before = [said] * draw(st.sampled_from([1, 1, 1, 0]))
    course.messages += len(before) + 1
    stages, target = draw(STAGES), draw(TARGETS)
    if draw(st.sampled_from([False] * 6 + [True])):
        return [*before, *_given_up(draw)]
    return [*before, *(step for stage in stages for step in _stage(draw, course, stage, target))]


def _given_up(draw: st.DrawFn) -> list[Json]:
    """Stages that fail one after the other, until nothing is left to be done."""
    model = {"parameters": {"model": draw(st.sampled_from(["m1", "m1", "m2"]))}}
    failed = {"do": "compact-finish", "failed": draw(st.sampled_from(["overloaded", ""]))}
    looks = {"do": "pressure", **model}
    stages: list[Json] = [{}, {"stage": "emergency"}]
    return [
        step
        for stage in stages
        for step in ({"do": "compact-begin", **stage, **model}, failed, looks)
    ]


def _stage(draw: st.DrawFn, course: Course, stage: str | None, target: Json) -> list[Json]:
    begin = named(
        do="compact-begin",
        stage=stage,
        main=draw(MAINS),
        parameters=draw(ASKED),
        target=target,
        steering=draw(st.sampled_from([None, None, None, "tests"])),
    )
    finish = {"do": "compact-finish", **_outcome(draw, course)}
    looks = draw(st.sampled_from([[], [], [{"do": "pressure", "parameters": {"model": "m1"}}]]))
    return [begin, *draw(BETWEEN), finish, *looks]


def _outcome(draw: st.DrawFn, course: Course) -> Json:
    content = _content(course.dialect, draw(SUMMARIES))
    ended = _ended(course.dialect, content, draw(st.sampled_from(ENDINGS[course.dialect])))
    broken: list[Json] = [
        *({"failed": "overloaded"}, {"cancelled": True}, {"reply": "{"}, {"reply": [1]}),
        *({"failed": ""}, {"reply": {"error": {"message": "overloaded"}}}),
        *({"reply": {"error": "busy"}}, {"reply": content | {"error": {}}}),
    ]
    outcome = draw(
        weighted(
            (6, st.just({"reply": content})),
            (2, st.just({"reply": ended})),
            (1, st.sampled_from(broken)),
        )
    )
    pending = draw(weighted((3, st.none()), (1, st.lists(st.sampled_from(PENDING), max_size=2))))
    retired = draw(st.sampled_from([None, None, True]))
    return {**outcome, **named(**{"pending-subagents": pending, "state-retired": retired})}


COMPACTING: list[tuple[int, Make]] = [
    (14, _compaction),
    (
        1,
        do(
            "main-request-answered",
            provider=st.sampled_from(["big", ""]),
            model=st.just("m1"),
            at=st.sampled_from([0, 1000]),
        ),
    ),
]
"""Steps that write."""

LOOKING: list[tuple[int, Make]] = [
    (2, do("pressure", parameters=MODELS)),
    (1, do("lineage")),
    (1, do("generation", number=st.sampled_from([1, 2, 9]))),
    (1, do("history")),
    (1, do("context-state")),
    (1, do("last-main-request")),
    (
        1,
        do(
            "fallback-due",
            provider=st.just("big"),
            model=st.just("m1"),
            **{
                "after-ms": st.sampled_from([0, 5, 300_000]),
                "now": st.sampled_from([500, 400_000]),
            },
        ),
    ),
]
"""Steps that write nothing."""
