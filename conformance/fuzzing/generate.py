"""Random cases: every step, small caps and windows, texts of the sizes where rules change.

Vocabularies are small on purpose, so that files, searches and calls meet again. What the rulings
leave open (what a folder is after its last file went, a failing append at a reopen) is not made.
"""

from __future__ import annotations

from hypothesis import strategies as st

from reference.casefile import Json

ROOT = "/work/app"
HOME = "/home/ada"
FILES = ["/work/app/a", "/work/app/b", "/work/app/d/c", "/home/ada/n"]
FIXED = {
    "/work/app/link": {"link": "a"},
    "/work/app/dirlink": {"link": "/work/app/d"},
    "/work/app/loop": {"link": "loop"},
    "/work/app/keep/x": "x\n",
    "/work/app/secret": {"denied": True},
    "/work/app/broken": {"broken": "input/output error"},
}
NAMES = [
    *("a", "b", "d/c", "link", "dirlink/c", "~/n", "keep", "secret", "broken", "loop", "gone"),
    *("./a", "/work/app/a", "d/../a", "dirlink/../a", "../app/b", "d//c", "a/x", "", "a\0"),
]
PATHS = [*NAMES, ".", "..", "~", "~a/x", "/", "../../../x", "a\\b", "~/../x", "C:\\x", "/a/./b/.."]
WINDOWS_PATHS = [
    "a",
    "..\\x",
    "d:/x\\.\\y",
    "\\\\s\\h\\..\\x",
    "../../../..",
    "~\\n",
    "/x",
    "",
    "a/",
]

LETTERS = st.sampled_from(
    ["a", "b", " ", "é", "漢", "😀", "\u0301", "\0", "\r", "\t", "\ufeff", "{"]
)
LINES = st.one_of(
    st.sampled_from(["", "a", "b", "c", "-a", "+b", " c", "\\ No newline at end of file"]),
    st.text(LETTERS, max_size=14),
)


def weighted(*choices: tuple[int, st.SearchStrategy[Json]]) -> st.SearchStrategy[Json]:
    """One of the strategies, each as often as its weight says. `one_of` weighs all the same."""
    return st.sampled_from([choice for weight, choice in choices for _ in range(weight)]).flatmap(
        lambda choice: choice
    )


@st.composite
def _texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(LINES, max_size=12))
    return "\n".join(lines) + draw(st.sampled_from(["\n", ""]))


TEXTS = _texts()
BYTES = st.sampled_from([{"base64": "/w=="}, {"base64": "8J+Y"}, {"base64": "7aCA"}])
CONTENTS = weighted((4, TEXTS), (4, st.sampled_from(["a\nb\nc\n", "x"])), (1, BYTES))
CALLS = st.sampled_from([None] * 40 + ["c1", "c1", "c2", ""])
NUMBERS = st.sampled_from([None] * 3 + [0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 9, 2**32 - 1])


@st.composite
def _edits(draw: st.DrawFn) -> tuple[str, str]:
    """A text and what became of it: lines taken out and put in, sometimes nothing."""
    before = draw(TEXTS)
    lines = before.split("\n")
    start = draw(st.integers(0, len(lines)))
    end = draw(st.integers(start, len(lines)))
    return before, "\n".join([*lines[:start], *draw(st.lists(LINES, max_size=4)), *lines[end:]])


@st.composite
def _file_change(draw: st.DrawFn) -> Json:
    before: Json
    before, after = draw(weighted((3, _edits()), (1, st.tuples(CONTENTS, CONTENTS))))
    sides = draw(st.sampled_from(["both"] * 20 + ["new"] * 4 + ["gone"] * 4 + ["neither"]))
    change = {"path": draw(st.sampled_from(["a", "b"] * 15 + ["d/c", "./é\0", ""]))}
    if sides in ("both", "gone"):
        change["before"] = before
    if sides in ("both", "new"):
        change["after"] = after
    return change


NOTES = st.sampled_from([None, None, None, "", "note", "two\nlines\n", "\0"])
CHANGES = st.builds(
    lambda files, note: named(files=files, note=note),
    weighted(
        (9, st.lists(_file_change(), min_size=1, max_size=1)),
        (4, st.lists(_file_change(), min_size=0, max_size=3)),
    ),
    NOTES,
)
READS = st.builds(
    lambda path, offset, limit, force: named(path=path, offset=offset, limit=limit, force=force),
    st.sampled_from(NAMES + ["a"] * 20 + ["link", "./a", "b"] * 5),
    NUMBERS,
    NUMBERS,
    st.sampled_from([None, None, None, False, True]),
)
ARGUMENTS = st.sampled_from(
    [
        *({"x": 1, "y": 2}, {"y": 2, "x": 1}, ' {"y":2,\n"x":1}', '{"x":9,"y":2,"x":1}'),
        *('{"x":1.0}', {"x": 1}, '{"x":"\\u0061"}', {"x": "a"}, "x", "", '"\\ud800"', "[1,]"),
        *("[" * 127 + "]" * 127, " " + "[" * 127 + "]" * 127, " " + "[" * 128 + "]" * 128),
    ]
)
TOOLS = st.sampled_from(["grep", "grep", "grep", "list", "bash", None])


def named(**fields: Json) -> Json:
    """The fields that are there."""
    return {name: value for name, value in fields.items() if value is not None}


def insert(outcome: str, values: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """A step that inserts such outcomes."""
    return st.builds(
        lambda call, tool, arguments, value: named(
            do="insert-result", call=call, tool=tool, arguments=arguments, **{outcome: value}
        ),
        CALLS,
        TOOLS,
        weighted((1, st.none()), (1, ARGUMENTS)),
        values,
    )


@st.composite
def _ids(draw: st.DrawFn) -> str:
    """An id in one of the forms that are taken, or something that is none."""
    number = draw(st.integers(0, 12))
    forms = [
        "#{:04x}",
        "{:x}",
        "{:X}",
        "#000{:x}",
        " {:x}\n",
        "##{:x}",
        "{:x}h",
        "[#{:04x}]",
        "[{:x}",
        "1ffffffff{:x}",
    ]
    return draw(st.sampled_from(forms)).format(number)


IDS = _ids()
RECALLS = st.builds(
    lambda call, id, offset, limit, characters: (
        named(do="recall", call=call, id=id, offset=offset, limit=limit) | characters
    ),
    CALLS,
    IDS,
    NUMBERS,
    NUMBERS,
    weighted(
        (2, st.just({})),
        (
            1,
            st.builds(
                lambda offset, limit: {"char-offset": offset, "char-limit": limit},
                st.integers(0, 9),
                st.integers(0, 5),
            ),
        ),
    ),
)
REOPENINGS = st.sampled_from(
    [
        *({}, {}, {"settings": {}}, {"settings": {"overrides": {}}}),
        *({"settings": {"kind": "chat"}}, {"settings": {"kind": "agent"}}),
        *({"settings": {"overrides": {"context": {"sha_digits": 11}}}},),
        *(
            {"settings": {"root": "/work"}},
            {"settings": {"home": None}},
            {"settings": {"root": "x"}},
        ),
    ]
)
FAILURES = st.sampled_from(["denied", "full", {"other": "disk on fire"}])

OUTPUTS = weighted((4, st.sampled_from(["r", "r", "r", "", "a\nb\nc\nd\ne\nf\ng\n"])), (2, TEXTS))
STEPS = weighted(
    (12, insert("read", READS)),
    (9, insert("output", OUTPUTS)),
    (5, insert("changes", CHANGES)),
    (1, insert("failure", TEXTS)),
    (3, RECALLS),
    (1, st.builds(lambda id: {"do": "stored-text", "id": id}, IDS)),
    (2, st.builds(lambda path: {"do": "last-read", "path": path}, st.sampled_from(NAMES))),
    (1, st.builds(lambda path: {"do": "resolve-path", "path": path}, st.sampled_from(PATHS))),
    (2, st.builds(lambda fields: {"do": "reopen", **fields}, REOPENINGS)),
    (
        2,
        st.builds(
            lambda path, content: {"do": "write-file", "path": path, "content": content},
            st.sampled_from(FILES),
            CONTENTS,
        ),
    ),
    (1, st.builds(lambda path: {"do": "delete-file", "path": path}, st.sampled_from(FILES))),
    (1, st.builds(lambda error: {"do": "fail-storage", "error": error}, FAILURES)),
)


WRITES = st.builds(
    lambda content: {"do": "write-file", "path": "/work/app/a", "content": content},
    st.sampled_from(["a\nb\nc\nd\n", "a\nb\nc\nd", "A\nb\nc\nd\n"]),
)
READS_OF_ONE = st.builds(
    lambda path, offset, limit, force: named(path=path, offset=offset, limit=limit, force=force),
    st.sampled_from(["a", "link"]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([None] * 5 + [True]),
)
REOPENED = st.just({"do": "reopen"})
ONE_FILE = weighted((9, insert("read", READS_OF_ONE)), (3, WRITES), (1, REOPENED), (1, STEPS))
SEARCHES = weighted(
    (9, insert("output", st.sampled_from(["r", "r", "s"]))),
    (1, insert("failure", st.just("r"))),
    (1, REOPENED),
    (1, STEPS),
)


SMALL_CAP: Json = {
    "max_lines": 4,
    "max_chars": 30,
    "head_lines": 2,
    "head_chars": 12,
    "tail_lines": 1,
    "tail_chars": 9,
}


@st.composite
def _caps(draw: st.DrawFn) -> Json:
    head, tail = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    head_chars, tail_chars = draw(st.integers(1, 12)), draw(st.integers(0, 12))
    return {
        "max_lines": head + tail + draw(st.integers(0, 2)),
        "max_chars": head_chars + tail_chars + draw(st.integers(0, 9)),
        "head_lines": head,
        "head_chars": head_chars,
        "tail_lines": tail,
        "tail_chars": tail_chars,
    }


SMALL = st.integers(1, 3)
OVERRIDES = st.builds(
    lambda **context: {"context": {k: v for k, v in context.items() if v != {}}},
    ids=st.one_of(st.just({}), st.builds(lambda n: {"digits": n}, st.integers(1, 5))),
    sha_digits=st.sampled_from([1, 2, 8, 64]),
    cap=weighted((1, st.just({})), (3, _caps())),
    reads=st.builds(
        lambda n, window, chars: named(full_after_stubs=n, window=window, max_chars=chars),
        st.integers(0, 2),
        st.one_of(st.none(), SMALL),
        st.sampled_from([None, None, 5, 9, 0]),
    ),
    recall=st.builds(
        lambda window, chars: named(window=window, max_chars=chars),
        st.one_of(st.none(), SMALL),
        st.sampled_from([None, None, 1, 4, 9]),
    ),
    edits=st.builds(
        lambda answer, lines: {"answer": answer, "context_lines": lines},
        st.sampled_from(["diff", "diff", "summary"]),
        st.integers(0, 3),
    ),
)
SETTINGS = st.builds(
    lambda kind, overrides: {"kind": kind, "root": ROOT, "home": HOME, "overrides": overrides},
    st.sampled_from(["agent"] * 5 + ["chat"]),
    weighted((1, st.just({})), (4, OVERRIDES)),
)


@st.composite
def sessions(draw: st.DrawFn) -> Json:
    """A case with its files and steps, expecting nothing yet."""
    files = {path: draw(CONTENTS) for path in FILES if draw(st.integers(0, 9))}
    kind = draw(st.sampled_from([STEPS, STEPS, ONE_FILE, SEARCHES]))
    steps = _possible(draw(st.lists(kind, min_size=12, max_size=24)))
    return {
        "name": "a random session",
        "rule": "fuzzing",
        "settings": draw(SETTINGS),
        "files": FIXED | files,
        "steps": steps,
    }


def windows_paths() -> st.SearchStrategy[Json]:
    """A case that resolves paths against a Windows root."""
    return st.builds(
        lambda root, home, paths: {
            "name": "random Windows paths",
            "rule": "fuzzing",
            "settings": named(root=root, home=home),
            "steps": [{"do": "resolve-path", "path": path} for path in paths],
        },
        st.sampled_from(["C:\\", "c:/work/./app/", "\\\\server\\share\\x", "D:\\a\\..\\b"]),
        st.sampled_from([None, "C:\\Users\\ada", "\\\\server\\ada"]),
        st.lists(
            st.one_of(st.sampled_from(WINDOWS_PATHS), _joined_paths()), min_size=1, max_size=9
        ),
    )


def _joined_paths() -> st.SearchStrategy[str]:
    """Paths with separators of both kinds; what half a share means is left open."""
    pieces = st.sampled_from(["a", "..", ".", "", "b c", "~", "\\", "/", "é"])
    joined = st.lists(pieces, min_size=1, max_size=6).map("/".join)
    return joined.filter(lambda path: not path.replace("\\", "/").startswith("//"))


def _possible(steps: list[Json]) -> list[Json]:
    """The steps without new settings where storage may fail at the reopening."""
    failing = any(step["do"] == "fail-storage" for step in steps)
    return [step for step in steps if not (failing and step.get("settings"))]
