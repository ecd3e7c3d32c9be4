"""What the session reads into its prompt, and the skills that come and go."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest
from turns import PARAMETERS, SYSTEM, built, talking

from waybread import (
    Assembly,
    FileSystemError,
    InvalidArgumentError,
    MemoryTree,
    OutOfOrderError,
    Prompt,
    PromptBlock,
    PromptPart,
    PromptSource,
    Session,
    SkillChange,
    SkillState,
    SkillTruncated,
    UserMessage,
    Zone,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Open

NUMBER: Any = 1
SET: Any = {"a"}
ASSEMBLY = Assembly(
    instructions=True,
    context_files=[PurePosixPath("docs/map.md"), "docs/old.md", "a.ts"],
    ignore=["old.md"],
    skill_roots=[PurePosixPath("skills")],
    skills=["tests"],
)


class Counting(MemoryTree):
    """Files that count how often each is read."""

    def __init__(self, files: dict[str, str | bytes]) -> None:
        super().__init__(files)
        self.reads: list[str] = []

    def read(self, path: str) -> tuple[str, bytes]:
        self.reads.append(path)
        return super().read(path)


@pytest.fixture
def tree() -> Counting:
    return Counting(
        {
            "/work/app/AGENTS.md": "Use tabs.\n",
            "/work/app/a.ts": "x\n",
            "/work/app/docs/map.md": "m" * 8000,
            "/work/app/docs/old.md": "old",
            "/work/app/skills/tests/SKILL.md": "Run them.",
            "/work/app/skills/long/SKILL.md": "é" * 60_000,
        }
    )


@pytest.fixture
def assembled(open_session: Open, tree: Counting) -> Session:
    return open_session(settings=talking(assembly=ASSEMBLY))


def test_the_blocks_of_a_prompt(assembled: Session) -> None:
    own = PromptBlock(None, "environment", Zone.SYSTEM, len(SYSTEM), len(SYSTEM), truncated=False)
    instructions = "Instructions from AGENTS.md:\n\nUse tabs."
    frame = "These skills hold for the whole session:"
    assert assembled.prompt_report() == [
        own,
        PromptBlock(
            PromptPart.PROJECT_INSTRUCTIONS,
            "AGENTS.md",
            Zone.SYSTEM,
            len(instructions),
            len(instructions),
            truncated=False,
        ),
        PromptBlock(
            PromptPart.PROJECT_CONTEXT, "docs/map.md", Zone.USER, 8000, 8000, truncated=False
        ),
        PromptBlock(PromptPart.PROJECT_CONTEXT, "a.ts", Zone.USER, 0, 2, truncated=True),
        PromptBlock(None, "skills", Zone.USER, len(frame), len(frame), truncated=False),
        PromptBlock(PromptPart.SKILL, "tests", Zone.USER, 26, 26, truncated=False),
    ]


def test_given_sources_stand_in_their_zones(open_session: Open) -> None:
    parts = (PromptPart.SESSION_DATE, PromptPart.SKILL, PromptPart.PROJECT_CONTEXT)
    prompt = Prompt([PromptSource(part, part.value, "n") for part in parts])
    session = open_session(settings=talking(prompt=prompt))
    session.add_message(UserMessage("hi"))
    front = built(session).body.json()["messages"][1]
    assert front == {
        "role": "user",
        "content": "project-context\nThese skills hold for the whole session:\nskill\n"
        "Current date: session-date, recorded when this session started.",
    }


def test_files_are_read_when_a_prompt_is_made(assembled: Session, tree: Counting) -> None:
    files = [
        "/AGENTS.md",
        "/work/AGENTS.md",
        "/work/app/AGENTS.md",
        "/work/app/a.ts",
        "/work/app/docs/map.md",
        "/work/app/skills/tests/SKILL.md",
    ]
    assert sorted(tree.reads) == files
    tree.reads.clear()
    assembled.add_message(UserMessage("hi"))
    assembled.build_request(PARAMETERS)
    assembled.reopen()
    assembled.build_request(PARAMETERS)
    assert tree.reads == []
    assembled.build_request({"model": "other"})
    assert sorted(tree.reads) == files


def test_another_assembly_is_read_when_the_prompt_is_made_again(
    assembled: Session, tree: Counting
) -> None:
    assembled.add_message(UserMessage("hi"))
    one = built(assembled)
    tree.reads.clear()
    assembled.set_assembly(Assembly(context_files=["a.ts"]))
    assert built(assembled).body == one.body
    assert tree.reads == []
    assert built(assembled, {"model": "other"}).body.json()["messages"][1]["content"] == "x\n"
    assert tree.reads == ["/work/app/a.ts"]


def test_a_skill_is_read_told_and_taken_back(assembled: Session) -> None:
    assert assembled.enable_skill("tests") is None
    assert assembled.skills() == [SkillState("tests", enabled=True, active=False)]
    added = assembled.add_message(UserMessage("go"))
    assert added.skills == (SkillChange("tests", active=True),)
    assert assembled.skills() == [SkillState("tests", enabled=True, active=True)]
    assembled.disable_skill("tests")
    assert assembled.skills() == [SkillState("tests", enabled=False, active=True)]
    assert assembled.add_message(UserMessage("on")).skills == (SkillChange("tests", active=False),)
    assert [message.given for message in assembled.conversation()] == ["go", "on"]


def test_a_skill_too_long_is_cut(assembled: Session) -> None:
    cut = SkillTruncated(bytes=120_000, cap=106_496)
    assert assembled.enable_skill("long") == cut
    assert assembled.enable_skill("own", "\ud800" * 40_000) == SkillTruncated(120_000, 106_496)


def test_a_skill_that_cannot_be_read(assembled: Session, tree: Counting) -> None:
    with pytest.raises(InvalidArgumentError):
        assembled.enable_skill("none")
    tree.break_("/work/app/skills/tests/SKILL.md", "disk on fire")
    with pytest.raises(FileSystemError, match="disk on fire"):
        assembled.enable_skill("tests")
    assert assembled.skills() == []


def test_a_context_file_out_of_the_project(open_session: Open) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        open_session(settings=talking(assembly=Assembly(context_files=["../b"])))
    assert raised.value.argument == "settings.assembly.context-files[0]"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"scope": NUMBER}, "`assembly.scope` must be a str, not int"),
        ({"instructions": NUMBER}, "`assembly.instructions` must be a bool, not int"),
        ({"context_files": "a"}, "`assembly.context-files` must be a sequence of str or PathLike"),
        ({"ignore": SET}, "`assembly.ignore` must be a sequence of str, not set"),
        ({"skill_roots": [NUMBER]}, "`assembly.skill-roots[0]` must be a str, not int"),
        ({"skills": [NUMBER]}, "`assembly.skills[0]` must be a str, not int"),
    ],
)
def test_what_is_no_assembly(given: dict[str, Any], problem: str, talk: Session) -> None:
    with pytest.raises(TypeError) as raised:
        talk.set_assembly(Assembly(**given))
    assert problem in str(raised.value)


def test_what_is_no_assembly_at_all(talk: Session) -> None:
    with pytest.raises(TypeError, match="`assembly` must be a Assembly, not int"):
        talk.set_assembly(NUMBER)


@pytest.mark.parametrize(
    "step",
    [
        lambda session: session.set_assembly(Assembly()),
        lambda session: session.enable_skill("a", "text"),
        lambda session: session.disable_skill("a"),
        lambda session: session.snapshot(),
        lambda session: session.context_report(),
    ],
)
def test_a_session_of_results_only_has_none_of_it(
    step: Callable[[Session], object], session: Session
) -> None:
    with pytest.raises(OutOfOrderError):
        step(session)
    assert session.prompt_report() == []
    assert session.skills() == []
