"""Random conversations: every step of a session with a dialect, in an order that often fits."""

from __future__ import annotations

from hypothesis import strategies as st

from reference.casefile import Json

from . import assemblies, compactions, generate
from .course import Course, Make, do
from .generate import named, weighted
from .replies import reply
from .words import (
    BAD_SOURCES,
    BAD_TOOLS,
    CHANGES,
    CHECKED_FIXED,
    DATES,
    DIALECTS,
    NAMES,
    PARAMETERS,
    PARTS,
    REOPENED,
    SETTINGS,
    SOURCES,
    TOLD,
    TOOLS,
    USAGES,
    WORDS,
)

CHECKED = st.one_of(
    st.sampled_from(CHECKED_FIXED),
    st.builds(
        "".join,
        st.tuples(
            st.sampled_from(
                ["", " ", "a", "é", "1", "_", "-", ".", "~", "/", "\\", "(", ":", "x "]
            ),
            st.sampled_from(["/work/app", "/home/ada", "/work", "/work/app/../x"]),
            st.sampled_from(
                ["", "/", "\\", "/a", "a", "é", "1", "_", "-", ".", ".a", "..", ". a", ","]
            ),
        ),
    ),
)
PROMPTS = st.builds(
    lambda sources, told: named(sources=sources, told=told),
    weighted(
        (9, st.lists(st.sampled_from(SOURCES), max_size=4, unique_by=str)),
        (1, st.lists(st.sampled_from([*SOURCES, *BAD_SOURCES]), max_size=3)),
    ),
    weighted((2, st.none()), (3, st.lists(st.sampled_from(TOLD), max_size=3, unique_by=str))),
)
GOOD_PROMPTS = st.builds(
    lambda sources, told: named(sources=sources, told=told),
    st.lists(st.sampled_from(SOURCES), max_size=4, unique_by=str),
    st.lists(
        st.sampled_from([one for one in TOLD if "/work/app/x" not in one["text"]]),
        max_size=3,
        unique_by=lambda one: (one["kind"], one.get("name")),
    ),
)
TOOL_LISTS = weighted(
    (9, st.lists(st.sampled_from(TOOLS), max_size=5, unique_by=lambda tool: tool["name"])),
    (1, st.lists(st.sampled_from([*TOOLS, *BAD_TOOLS]), max_size=3)),
)


def _user(draw: st.DrawFn, course: Course) -> list[Json]:
    course.messages += 1
    course.open = []
    parts = draw(weighted((3, st.none()), (1, st.lists(st.sampled_from(PARTS), max_size=3))))
    fields = named(
        text=draw(st.sampled_from(WORDS)),
        parts=parts,
        sender=draw(st.sampled_from([None, None, None, "machine", "subagent"])),
        delivery=draw(st.sampled_from([None, None, None, "step-boundary"])),
        date=draw(st.sampled_from(DATES)),
    )
    if parts and draw(st.booleans()):
        fields["text"] = draw(st.sampled_from(["", " "]))
    return [{"do": "add-message", "user": fields}]


def _reply(draw: st.DrawFn, course: Course) -> list[Json]:
    course.messages += 1
    before = len(course.ids)
    given = reply(draw, course.dialect, course.ids)
    course.open = course.ids[before:]
    return [{"do": "add-message", "reply": given}]


def _wrap_up(_: st.DrawFn, course: Course) -> list[Json]:
    course.messages += 1
    course.open = []
    return [{"do": "add-message", "wrap-up": True}]


def _result(draw: st.DrawFn, course: Course) -> list[Json]:
    """A result, mostly of an open call, in any order."""
    step = draw(RESULTS)
    others = ["nobody", *course.ids[:2]] if course.open else [*course.ids[-2:], "nobody", ""]
    open_calls = course.open * (20 // len(course.open)) if course.open else []
    call = draw(st.sampled_from(open_calls + others))
    if call in course.open:
        course.open = [id_ for id_ in course.open if id_ != call]
    return [step | {"call": call}]


DELEGATED = st.builds(
    lambda key, text: {"key": key, "text": text},
    st.sampled_from([*assemblies.KEYS * 4, "nobody"]),
    generate.TEXTS,
)
RESULTS = weighted(
    (6, generate.insert("output", generate.OUTPUTS)),
    (5, generate.insert("read", generate.READS)),
    (2, generate.insert("changes", generate.CHANGES)),
    (1, generate.insert("failure", generate.TEXTS)),
    (2, generate.RECALLS),
    (1, generate.insert("delegated", DELEGATED)),
)


def _request(draw: st.DrawFn, course: Course) -> list[Json]:
    course.open = []
    return [named(do="build-request", parameters=draw(st.sampled_from(PARAMETERS)))]


def _rewind(draw: st.DrawFn, course: Course) -> list[Json]:
    newest = course.messages
    firsts = [*range(max(2, newest - 4), newest + 1)] * 5
    first = draw(st.sampled_from([*firsts, 0, 1, newest + 1]))
    last = draw(st.sampled_from([None, None, None, first, first + 1]))
    return [named(do="rewind", first=first, last=last)]


def _fork(draw: st.DrawFn, course: Course) -> list[Json]:
    after = draw(st.sampled_from([*[None, *range(1, course.messages + 1)] * 5, 0, 99]))
    key = draw(st.sampled_from([*["f1", "f2", "f3"] * 5, "", "conformance"]))
    return [named(do="fork", key=key, after=after)]


def _reopen(draw: st.DrawFn, _: Course) -> list[Json]:
    settings = draw(
        weighted(
            (12, st.none()),
            (2, st.builds(lambda prompt: {"prompt": prompt}, PROMPTS)),
            (3, st.sampled_from(REOPENED)),
            (2, st.builds(lambda assembly: {"assembly": assembly}, assemblies.ASSEMBLIES)),
        )
    )
    key = draw(st.sampled_from([None] * 4 + ["conformance", "f1", "f1", "f2", "s1"]))
    return [named(do="reopen", settings=settings, key=key)]


def _note(draw: st.DrawFn, _: Course) -> list[Json]:
    by_model = draw(st.sampled_from([None, None, None, True]))
    return [{"do": "note", **draw(st.sampled_from(CHANGES)), **named(**{"by-model": by_model})}]


def _fail(draw: st.DrawFn, _: Course) -> list[Json]:
    return [{"do": "fail-storage", "error": draw(generate.FAILURES)}]


def _usage(draw: st.DrawFn, _: Course) -> list[Json]:
    usage = draw(st.sampled_from(USAGES))
    return [
        {
            "do": "record-usage",
            "number": draw(st.sampled_from([*[1, 2] * 4, 3, 4, 5, 6, 0, 9])),
            "usage": usage,
        }
    ]


MAYBE_SILENT: list[tuple[int, Make]] = [
    (5, _note),
    (2, do("set-prompt", prompt=PROMPTS)),
    (
        2,
        do(
            "set-condition",
            name=st.sampled_from(["page", "page", "net", "net", ""]),
            met=st.booleans(),
        ),
    ),
    (
        1,
        do(
            "withdraw-tool",
            name=st.sampled_from([*["grep", "page"] * 3, "bash", "nobody"]),
            refusal=st.sampled_from([*["Not any more."] * 5, ""]),
        ),
    ),
    (
        2,
        do(
            "connect-server",
            name=st.sampled_from([*["srv", "two"] * 5, ""]),
            tools=TOOL_LISTS,
            instructions=st.sampled_from([None, "", "Ask it.", "Ask it twice."]),
        ),
    ),
    (3, _fork),
    (4, _reopen),
    *assemblies.ASSEMBLING,
]
"""Steps of which no document says whether they write to storage when nothing changed."""

OTHERS: list[tuple[int, Make]] = [
    (3, _rewind),
    (1, _wrap_up),
    (2, _usage),
    (1, do("cache-report")),
    (2, do("conversation")),
    (1, do("prefix")),
    (1, do("setting", key=st.sampled_from(SETTINGS))),
    (1, do("name-path", path=st.sampled_from([*NAMES, *generate.PATHS]))),
    (2, do("check-paths", name=st.just("task"), text=CHECKED)),
    (1, do("last-read", path=st.sampled_from(["a", "b", "link"]))),
    (1, do("write-file", path=st.just("/work/app/a"), content=generate.CONTENTS)),
    *assemblies.OBSERVING,
    *compactions.LOOKING,
]
"""Steps beside a conversation's own."""


def _next(draw: st.DrawFn, course: Course) -> list[Json]:
    own: list[tuple[int, Make]] = [(60, _result), (4, _request), (4, _user), (2, _reply)]
    if not course.open:
        own = [(30, _reply), (24, _request), (16, _user), (1, _result)]
        own += [] if course.failing else compactions.COMPACTING
    beside = [(2, _fail)] if course.failing else MAYBE_SILENT
    choices = [make for weight, make in own + beside + OTHERS for _ in range(weight)]
    return draw(st.sampled_from(choices))(draw, course)


OVERRIDES = st.builds(
    lambda windows, **sections: (
        windows | {name: value for name, value in sections.items() if value}
    ),
    windows=weighted((1, st.just({})), (2, compactions.WINDOWS)),
    assembly=assemblies.SETTINGS,
    skills=assemblies.NOTICES,
    reasoning=st.sampled_from(
        [
            *({}, {}, {}, {"carry": "as-given"}, {"earlier_turns": "all"}),
            *({}, {}, {"after_calls": "reply"}, {"models": ["* bound"]}),
            *({"earlier_turns": "tool-calls"}, {"tags": ["<a> </a>"]}, {"fields": ["x"]}),
        ]
    ),
    requests=st.sampled_from(
        [{}, {}, {"system_role": "developer"}]
        + [{"cache_breakpoints": count} for count in range(5)]
        + [{"cache_breakpoints": 3, "cache_ttl": "1h"}]
    ),
    context=st.sampled_from(
        [{}, {}, {"cap": generate.SMALL_CAP}, {"reads": {"full_after_stubs": 1}}]
    ),
)
OFFERS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *({}, {}, {}, {"vision": False}, {"recall": True}, {"recall": True}),
        *({"without-tools": ["bash"]}, {"only-tools": ["grep", "page", "recall"], "recall": True}),
        *({"conditions": ["page"]}, {"start": "d"}, {"start": "/work/app/"}, {"start": "./d/e"}),
    ]
)


@st.composite
def talks(draw: st.DrawFn) -> Json:
    """A case with a conversation, expecting nothing yet."""
    course = Course(draw(st.sampled_from(DIALECTS)), messages=1)
    course.failing = draw(st.sampled_from([False] * 4 + [True] + [False] * 5))
    settings = {
        "kind": draw(st.sampled_from(["agent", "agent", "chat"])),
        "home": generate.HOME,
        "dialect": course.dialect,
        "overrides": draw(OVERRIDES),
        "prompt": draw(GOOD_PROMPTS),
        "assembly": draw(weighted((1, st.just({})), (2, assemblies.ASSEMBLIES))),
        "tools": draw(TOOL_LISTS),
        **draw(OFFERS),
    }
    length = draw(st.integers(14, 34))
    steps = [{"do": "add-message", "user": {"text": "begin"}}]
    while len(steps) <= length:
        steps += _next(draw, course)
    files = {path: draw(generate.CONTENTS) for path in generate.FILES}
    return {
        "name": "a random conversation",
        "rule": "fuzzing",
        "settings": settings,
        "files": generate.FIXED | assemblies.FILES | files,
        "steps": steps,
    }
