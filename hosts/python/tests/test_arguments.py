"""Arguments that cannot be handed to the component are named by their path in the contract."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from waybread import (
    Block,
    Change,
    ChangeKind,
    Image,
    ImageUrl,
    InvalidArgumentError,
    MemoryStorage,
    MemoryTree,
    Output,
    Prompt,
    PromptPart,
    PromptSource,
    Reply,
    Session,
    Settings,
    Tool,
    ToolCall,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Values that the types would not let through.
NUMBER: Any = 1
NOTHING: Any = None
FLAG: Any = True
TEXT: Any = "1"
TEXTS: Any = {"a", "b"}
NO_JSON: Any = {"x": object()}

PLAN = Change(ChangeKind.PLAN)


def source(**changed: Any) -> Prompt:
    return Prompt([PromptSource(**{"part": PromptPart.PREAMBLE, "text": "", **changed})])


@pytest.mark.parametrize(
    ("settings", "error", "problem"),
    [
        ({"dialect": NUMBER}, TypeError, "`settings.dialect` must be a Dialect, not int"),
        (
            {"dialect": "openai"},
            InvalidArgumentError,
            (
                "argument `settings.dialect` is `openai`; it must be "
                "openai-chat, anthropic-messages or openai-responses"
            ),
        ),
        ({"start": NUMBER}, TypeError, "`settings.start` must be a str, not int"),
        ({"prompt": NUMBER}, TypeError, "`settings.prompt` must be a Prompt, not int"),
        (
            {"prompt": Prompt(TEXT)},
            TypeError,
            "`settings.prompt.sources` must be a sequence of PromptSource, not str",
        ),
        (
            {"prompt": Prompt([NOTHING])},
            TypeError,
            "`settings.prompt.sources[0]` must be a PromptSource, not NoneType",
        ),
        (
            {"prompt": source(part=NUMBER)},
            TypeError,
            "`settings.prompt.sources[0].part` must be a PromptPart, not int",
        ),
        (
            {"prompt": source(text=NUMBER)},
            TypeError,
            "`settings.prompt.sources[0].text` must be a str, not int",
        ),
        (
            {"prompt": Prompt(told=[PLAN, NUMBER])},
            TypeError,
            "`settings.prompt.told[1]` must be a Change, not int",
        ),
        ({"tools": NUMBER}, TypeError, "`settings.tools` must be a sequence of Tool, not int"),
        ({"tools": [Tool(NUMBER)]}, TypeError, "`settings.tools[0].name` must be a str, not int"),
        (
            {"tools": [Tool("a", parameters=NO_JSON)]},
            InvalidArgumentError,
            (
                "argument `settings.tools[0].parameters` cannot be written as JSON: "
                "Object of type object is not JSON serializable"
            ),
        ),
        (
            {"tools": [Tool("a", kinds=["cli"])]},  # type: ignore[list-item]
            InvalidArgumentError,
            "argument `settings.tools[0].kinds[0]` is `cli`; it must be agent or chat",
        ),
        (
            {"tools": [Tool("a", requires=TEXT)]},
            TypeError,
            "`settings.tools[0].requires` must be a sequence of str, not str",
        ),
        ({"recall": NUMBER}, TypeError, "`settings.recall` must be a bool, not int"),
        ({"vision": NOTHING}, TypeError, "`settings.vision` must be a bool, not NoneType"),
        (
            {"only_tools": [NUMBER]},
            TypeError,
            "`settings.only-tools[0]` must be a str, not int",
        ),
        (
            {"without_tools": TEXTS},
            TypeError,
            "`settings.without-tools` must be a sequence of str, not set",
        ),
        (
            {"conditions": NOTHING},
            TypeError,
            "`settings.conditions` must be a sequence of str, not NoneType",
        ),
    ],
)
def test_settings(settings: Mapping[str, Any], error: type[Exception], problem: str) -> None:
    storage = MemoryStorage()
    with pytest.raises(error) as caught:
        Session.open("k", Settings("/a", **settings), storage=storage, filesystem=MemoryTree())
    assert str(caught.value) == problem
    assert storage.read_log("k", 0) == []


@pytest.mark.parametrize(
    ("act", "error", "problem"),
    [
        (
            lambda s: s.add_message("hello"),
            TypeError,
            "a message is a UserMessage, Reply or WrapUp, not str",
        ),
        (
            lambda s: s.add_message(UserMessage(NUMBER)),
            TypeError,
            "`user.text` must be a str, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", sender=TEXT)),
            InvalidArgumentError,
            "argument `user.sender` is `1`; it must be person, machine or subagent",
        ),
        (
            lambda s: s.add_message(UserMessage("", delivery=NUMBER)),
            TypeError,
            "`user.delivery` must be a Delivery, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=TEXT)),
            TypeError,
            "`user.parts` must be a sequence of str, Image, ImageUrl or Block, not str",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=["a", NUMBER])),
            TypeError,
            "`user.parts[1]` must be a str, Image, ImageUrl or Block, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=[Image(NUMBER, b"")])),
            TypeError,
            "`user.parts[0].image.media-type` must be a str, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=[Image("image/png", NUMBER)])),
            TypeError,
            "`user.parts[0].image.base64` must be a str, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=[ImageUrl(NUMBER)])),
            TypeError,
            "`user.parts[0].image-url` must be a str, not int",
        ),
        (
            lambda s: s.add_message(UserMessage("", parts=[Block({"x": float("inf")})])),
            InvalidArgumentError,
            (
                "argument `user.parts[0].block` cannot be written as JSON: "
                "Out of range float values are not JSON compliant"
            ),
        ),
        (
            lambda s: s.add_message(UserMessage("", date=NUMBER)),
            TypeError,
            "`user.date` must be a date or a str, not int",
        ),
        (
            lambda s: s.add_message(Reply(NUMBER)),
            TypeError,
            "`reply.json` must be a mapping, a list or a str of JSON, not int",
        ),
        (
            lambda s: s.add_message(Reply("{}", incomplete=NUMBER)),
            TypeError,
            "`reply.incomplete` must be a bool, not int",
        ),
        (
            lambda s: s.build_request(NOTHING),
            TypeError,
            "`parameters` must be a mapping, a list or a str of JSON, not NoneType",
        ),
        (
            lambda s: s.build_request({"temperature": {1}}),
            InvalidArgumentError,
            (
                "argument `parameters` cannot be written as JSON: "
                "Object of type set is not JSON serializable"
            ),
        ),
        (lambda s: s.rewind(NOTHING), TypeError, "`first` must be an int, not NoneType"),
        (
            lambda s: s.rewind(1, -1),
            InvalidArgumentError,
            "argument `last` is -1; it must be from 0 to 4294967295",
        ),
        (lambda s: s.fork(NOTHING), TypeError, "`key` must be a str, not NoneType"),
        (lambda s: s.fork("k", TEXT), TypeError, "`after` must be an int, not str"),
        (lambda s: s.note(NOTHING), TypeError, "`change` must be a Change, not NoneType"),
        (
            lambda s: s.note(Change(TEXT)),
            InvalidArgumentError,
            (
                "argument `change.kind` is `1`; it must be mode, plan, memory, instructions, "
                "personality or mcp-instructions"
            ),
        ),
        (
            lambda s: s.note(PLAN, by_model=NUMBER),
            TypeError,
            "`by-model` must be a bool, not int",
        ),
        (lambda s: s.set_prompt(NUMBER), TypeError, "`prompt` must be a Prompt, not int"),
        (
            lambda s: s.set_prompt(source(name=NUMBER)),
            TypeError,
            "`prompt.sources[0].name` must be a str, not int",
        ),
        (
            lambda s: s.set_condition("page", met=NUMBER),
            TypeError,
            "`met` must be a bool, not int",
        ),
        (lambda s: s.withdraw_tool("a", NUMBER), TypeError, "`refusal` must be a str, not int"),
        (
            lambda s: s.connect_server("a", [Tool("b"), NUMBER]),
            TypeError,
            "`tools[1]` must be a Tool, not int",
        ),
        (
            lambda s: s.connect_server("a", [Tool("b", vision=NUMBER)]),
            TypeError,
            "`tools[0].vision` must be a bool, not int",
        ),
        (
            lambda s: s.connect_server("a", [], NUMBER),
            TypeError,
            "`instructions` must be a str, not int",
        ),
        (lambda s: s.record_usage(FLAG, "{}"), TypeError, "`number` must be an int, not bool"),
        (
            lambda s: s.record_usage(1, NUMBER),
            TypeError,
            "`usage` must be a mapping, a list or a str of JSON, not int",
        ),
        (lambda s: s.setting(NUMBER), TypeError, "`key` must be a str, not int"),
        (lambda s: s.name_path(NUMBER), TypeError, "`path` must be a str, not int"),
        (lambda s: s.check_paths("a", NUMBER), TypeError, "`text` must be a str, not int"),
    ],
)
def test_methods(
    session: Session,
    storage: MemoryStorage,
    act: Callable[[Session], object],
    error: type[Exception],
    problem: str,
) -> None:
    before = storage.read_log("s", 0)
    with pytest.raises(error) as caught:
        act(session)
    assert str(caught.value).split(": inf")[0] == problem
    assert storage.read_log("s", 0) == before
    assert session.insert_result(ToolCall("next", "t"), Output("")).id == "#0001"


@pytest.mark.parametrize("name", ["storage", "filesystem"])
@pytest.mark.parametrize("given", [None, "/p", MemoryStorage, MemoryTree, Path("/p")])
def test_what_is_no_storage_and_no_filesystem(name: str, given: Any) -> None:
    whole: dict[str, Any] = {"storage": MemoryStorage(), "filesystem": MemoryTree(), name: given}
    with pytest.raises(TypeError, match=f"`{name}` must be a (Storage|FileSystem), such as "):
        Session.open("s", Settings("/a"), **whole)


def test_what_is_no_tree() -> None:
    anything: Any = ["/a/x"]
    with pytest.raises(TypeError, match="`files` must be a mapping of paths to str or bytes, not "):
        MemoryTree(anything)
    anything = {"/a/x": 7}
    with pytest.raises(TypeError, match="`content` must be str or bytes, not int"):
        MemoryTree(anything)


def test_keys_that_would_be_one() -> None:
    whole: dict[str, Any] = {"storage": MemoryStorage(), "filesystem": MemoryTree()}
    with pytest.raises(InvalidArgumentError, match="`key` holds a lone surrogate"):
        Session.open("a\ud800", Settings("/a"), **whole)
    for key in ("a\ufffd", "\ud83d\ude00", "\U0001f600"):
        Session.open(key, Settings("/a"), **whole).close()
