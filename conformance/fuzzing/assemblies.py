"""Random assemblies, skills and subagents, and what a session tells of its requests."""

from __future__ import annotations

from hypothesis import strategies as st

from reference.casefile import Json
from reference.run import OWN_KEY

from .course import Course, Make, do
from .generate import TEXTS, named, weighted

FILES: Json = {
    "/work/AGENTS.md": "Above.\n",
    "/work/app/AGENTS.md": "In the project.\n\n",
    "/work/app/CLAUDE.md": {"base64": "/w=="},
    "/work/app/d/AGENTS.md": "Further down.",
    "/work/app/d/e/AGENTS.md": "Further still.\n",
    "/home/ada/.config/A.md": "For all.",
    "/work/app/skills/alpha/SKILL.md": "Alpha of the project, é 漢.\n",
    "/home/ada/skills/alpha/SKILL.md": "Alpha of home.",
    "/home/ada/skills/beta/SKILL.md": "Beta\n",
    "/work/app/skills/bad/SKILL.md": {"broken": "input/output error"},
}
CONTEXT_FILES = ["a", "d/c", "./d/../b", "keep/x", "gone", "secret", "AGENTS.md", "d"]
ASSEMBLIES: st.SearchStrategy[Json] = st.builds(
    lambda scope, instructions, files, ignore, skills: named(
        **{"scope": scope, "instructions": instructions, "context-files": files, "ignore": ignore},
        **{"skill-roots": ["skills", "~/skills"], "skills": skills},
    ),
    st.sampled_from(["", "", "", "other"]),
    st.sampled_from([None, True, True]),
    st.lists(st.sampled_from(CONTEXT_FILES), max_size=4),
    st.sampled_from([None, ["c"], ["d/c", "x"], ["./d/../b", "keep/./x/"]]),
    st.lists(st.sampled_from(["alpha", "beta", "gone"]), max_size=2, unique=True),
)
BAD_ASSEMBLIES: st.SearchStrategy[Json] = st.sampled_from(
    [
        *({"context-files": ["a", "../x"]}, {"context-files": ["broken"]}),
        {"skill-roots": ["skills"], "skills": ["bad"]},
        *({"skills": ["alpha", ".."]}, {"skill-roots": ["."], "skills": ["skills/alpha"]}),
    ]
)
SETTINGS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *({}, {}, {"project_context_bytes": 9}, {"skill_bytes": 60}, {"skill_bytes": 9}),
        *({"global_instructions": ".config/A.md"}, {"instruction_files": ["CLAUDE.md", "a"]}),
        {"skill_frame": " "},
    ]
)

SKILLS = ["alpha", "alpha", "beta", "own", "own"]
ODD_SKILLS = ['q"\\\n', "bad", "gone", "", "..", "../skills/beta"]
SKILL_TEXTS = weighted(
    (2, st.none()), (2, st.sampled_from(["One.", "Two.", "</session-skill>"])), (1, TEXTS)
)
STATES = st.sampled_from(["running", "queued", "queued", "failed", "answered", "a;b", " ", "a\tb"])
KEYS = ["s1", "s2"]
NOTICES: st.SearchStrategy[Json] = st.sampled_from([{}, {}, {"notices": ["Note:", "To all:"]}])
TOGGLING = st.sampled_from(
    ["with it", "with it", "Note:\n\nwith it", "To all:\n\nwith it", "Note:\n\n", "Note: x"]
)
"""What is said when skills were switched."""

DATED: Json = {"part": "session-date", "name": "own", "text": "2020-01-01"}
PREAMBLE: Json = {"part": "preamble", "text": "You are a helper."}
DELEGATED_PROMPTS: st.SearchStrategy[Json] = st.sampled_from(
    [
        *(None, None, {"sources": []}, {"sources": [DATED]}, {"sources": [PREAMBLE]}),
        {"told": [{"kind": "plan", "text": "1. help"}]},
    ]
)
ALL_TOOLS = ["grep", "list", "bash", "page", "tab", "look", "talk", "web", "recall"]
OFFERED: st.SearchStrategy[Json] = st.sampled_from(
    [None, None, None, ["grep", "recall"], ALL_TOOLS, ALL_TOOLS[1:], []]
)


def _switch(draw: st.DrawFn) -> Json:
    name = draw(st.sampled_from([*SKILLS * 4, *ODD_SKILLS]))
    if draw(st.integers(0, 3)) == 0:
        return {"do": "disable-skill", "name": name}
    return {"do": "enable-skill", "name": name, **named(text=draw(SKILL_TEXTS))}


def _toggle(draw: st.DrawFn, course: Course) -> list[Json]:
    """Skills are switched, and a message tells it."""
    switched = [_switch(draw) for _ in range(draw(st.integers(1, 3)))]
    course.messages += 1
    course.open = []
    told = {"do": "add-message", "user": {"text": draw(TOGGLING)}}
    return [*switched, told, {"do": "skills"}]


def _delegate(draw: st.DrawFn, course: Course) -> list[Json]:
    """A subagent is given work, sometimes more of it later."""
    key = draw(st.sampled_from([*KEYS * 9, OWN_KEY, "f1", "a<b", "a\u0085b", ""]))
    times = draw(st.sampled_from([1, 1, 2]))
    return [step for _ in range(times) for step in _delegation(draw, course, key)]


def _delegation(draw: st.DrawFn, course: Course, key: str) -> list[Json]:
    """A subagent does some of its work, and the parent goes on."""
    kind = draw(st.sampled_from(["explore"] * 6 + ["plan", "two\nlines"]))
    assembly = draw(weighted((2, st.none()), (2, ASSEMBLIES), (1, st.just({}))))
    given = named(prompt=draw(DELEGATED_PROMPTS), assembly=assembly)
    opens = {"do": "delegate", "key": key, "kind": kind, **given}
    course.subagents += 1
    course.open = []
    works = [
        {"do": "add-message", "user": {"text": "do it"}},
        {"do": "build-request", "parameters": {"model": "m1"}},
        {"do": "snapshot"},
    ]
    count = draw(st.integers(0, len(works)))
    back = {"do": "reopen", "key": OWN_KEY}
    opens |= named(**{"only-tools": draw(OFFERED)})
    return [opens, {"do": "prompt-report"}, *works[:count], back]


def _progress(draw: st.DrawFn, _: Course) -> list[Json]:
    key = draw(st.sampled_from([*KEYS * 4, "nobody"]))
    return [{"do": "delegate-progress", "key": key, "state": draw(STATES)}, {"do": "delegates"}]


def _observed(draw: st.DrawFn, course: Course) -> list[Json]:
    """A request, and what it held."""
    course.open = []
    request = {"do": "build-request", "parameters": {"model": draw(st.sampled_from(["m1", "m2"]))}}
    return [request, {"do": "snapshot"}, {"do": "prompt-report"}, {"do": "file-reads"}]


ASSEMBLING: list[tuple[int, Make]] = [
    (4, do("set-assembly", assembly=weighted((9, ASSEMBLIES), (1, BAD_ASSEMBLIES)))),
    (6, _toggle),
    (3, _delegate),
    (3, _progress),
]
"""Steps that write."""

OBSERVING: list[tuple[int, Make]] = [
    (3, _observed),
    (2, do("skills")),
    (3, do("context-report", parameters=st.sampled_from([None, "", {"model": "m1"}]))),
    (1, do("write-file", path=st.sampled_from(sorted(FILES)), content=TEXTS)),
]
"""Steps that tell, or write nothing to the log but a request."""
