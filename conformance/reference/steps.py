"""The steps that answer neither a result nor nothing, by the fields that README.md gives them."""

from __future__ import annotations

from collections.abc import Callable

from .casefile import Json, expand
from .compacting import Compacting
from .errors import out_of_order
from .incoming import reply, user_message
from .prompt import change_of, prompt_of
from .session import Session
from .spelling import passed
from .tools import tool_of


def add_message(session: Session, step: Json) -> Json:
    """`added`. Raises `SessionError`."""
    talk = _talk(session)
    if "user" in step:
        return talk.add_user(user_message(step["user"]))
    if "reply" in step:
        talk.check_begun()
        json, incomplete = passed(step["reply"]["json"]), step["reply"].get("incomplete", False)
        return talk.add_reply(reply(json, incomplete=incomplete, dialect=talk.dialect))
    return talk.add_wrap_up()


def request(session: Session, step: Json, theirs: Json) -> Json:
    """`request`. Raises `SessionError`.

    Another implementation's `keep` is taken where more than one is right.
    """
    built, keep, closed = _talk(session).build_request(passed(step.get("parameters", "{}")))
    given = theirs.get("keep")
    is_right = isinstance(given, int) and keep.least <= given <= keep.most
    return built.as_json(given if is_right else keep.most, closed)


def value(session: Session, step: Json) -> Json:
    """The answer of a step that has a `value`. Raises `SessionError`."""
    do = step["do"]
    if do in OF_ANY:
        return OF_ANY[do](session, step)
    if isinstance(session, Compacting):
        return OF_TALK[do](session, step)
    if do in SILENT:
        return SILENT[do]
    raise out_of_order()


def _talk(session: Session) -> Compacting:
    if not isinstance(session, Compacting):
        raise out_of_order()
    return session


def _connect(talk: Compacting, step: Json) -> None:
    tools = tuple(map(tool_of, step["tools"]))
    talk.connect_server(step["name"], tools, step.get("instructions"))


def _note(talk: Compacting, step: Json) -> None:
    talk.note(change_of(step), by_model=step.get("by-model", False))


OF_ANY: dict[str, Callable[[Session, Json], Json]] = {
    "stored-text": lambda session, step: session.stored_text(step["id"]),
    "last-read": lambda session, step: session.last_read(step["path"]),
    "resolve-path": lambda session, step: session.resolve_path(step["path"]),
    "name-path": lambda session, step: session.name_path(step["path"]),
    "check-paths": lambda session, step: session.check_paths(expand(step["text"])),
    "setting": lambda session, step: session.setting(step["key"]),
}
OF_TALK: dict[str, Callable[[Compacting, Json], Json]] = {
    "rewind": lambda talk, step: talk.rewind(step["first"], step.get("last")),
    "note": _note,
    "set-prompt": lambda talk, step: talk.set_prompt(prompt_of(step["prompt"])),
    "set-condition": lambda talk, step: talk.set_condition(step["name"], met=step["met"]),
    "withdraw-tool": lambda talk, step: talk.withdraw_tool(step["name"], step["refusal"]),
    "connect-server": _connect,
    "record-usage": lambda talk, step: talk.record_usage(step["number"], passed(step["usage"])),
    "pressure": lambda talk, step: talk.pressure(passed(step.get("parameters", "{}"))),
    "cache-report": lambda talk, _: talk.cache_report(),
    "conversation": lambda talk, _: talk.conversation(),
    "prefix": lambda talk, _: talk.prefix(),
}
SILENT: Json = {"cache-report": [], "conversation": [], "prefix": {"system": "", "tools": ""}}
