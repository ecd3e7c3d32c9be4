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
TARGETS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *[None] * 6,
        *({"fallback": FALLBACK}, {"fallback": FALLBACK | {"window": 5000, "max-output": 20}}),
        *({"fallback": FALLBACK | {"window": 100}}, {"unresolved": "no key"}),
    ]
)
PENDING: list[Json] = [
    {"id": "s1", "kind": "explore", "state": "running"},
    {"id": "own", "kind": "plan", "state": "queued"},
    {"id": "a<b", "kind": "plan", "state": "queued"},
]
MODELS: st.SearchStrategy[Json] = st.sampled_from([{"model": "m1"}] * 6 + [{"model": "m2"}, {}])
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


def _compaction(draw: st.DrawFn, course: Course) -> list[Json]:
    begin = named(
        do="compact-begin",
        stage=draw(st.sampled_from([None, None, "emergency"])),
        main=draw(MAINS),
        parameters=draw(MODELS),
        target=draw(TARGETS),
        steering=draw(st.sampled_from([None, None, None, "tests"])),
    )
    finish = {"do": "compact-finish", **_outcome(draw, course)}
    said = {"do": "add-message", "reply": {"json": _content(course.dialect, "so far")}}
    before = [said] * draw(st.sampled_from([1, 1, 1, 0]))
    course.messages += len(before) + 1
    return [*before, begin, *draw(BETWEEN), finish]


def _outcome(draw: st.DrawFn, course: Course) -> Json:
    outcome: Json = {"reply": _content(course.dialect, draw(SUMMARIES))}
    broken: list[Json] = [
        *({"failed": "overloaded"}, {"cancelled": True}, {"reply": "{"}, {"reply": [1]}),
        {"reply": {"error": {"message": "overloaded"}}},
    ]
    outcome = draw(weighted((5, st.just(outcome)), (1, st.sampled_from(broken))))
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
