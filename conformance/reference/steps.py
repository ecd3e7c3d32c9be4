"""The steps that answer neither a result nor nothing, by the fields that README.md gives them."""

from __future__ import annotations

from collections.abc import Callable

from .assembly import assembly_of
from .casefile import Json, expand
from .delegating import Delegating
from .errors import SessionError, out_of_order
from .fallback import Idle, MainRequest, ModelRef
from .incoming import reply, user_message
from .prompt import change_of, prompt_of
from .session import Session
from .spelling import passed
from .tools import tool_of
from .wanted import compaction_of, outcome_of


def add_message(session: Session, step: Json, _: Json) -> Json:
    """`added`. Raises `SessionError`."""
    return {"added": _added(talking(session), step)}


def _added(talk: Delegating, step: Json) -> Json:
    if "user" in step:
        return talk.add_user(user_message(step["user"], talk.settings.dialect))
    if "reply" in step:
        talk.check_begun()
        json, incomplete = passed(step["reply"]["json"]), step["reply"].get("incomplete", False)
        given = reply(json, incomplete=incomplete, dialect=talk.dialect, around=talk.around())
        return talk.add_reply(given)
    return talk.add_wrap_up()


def request(session: Session, step: Json, theirs: Json) -> Json:
    """`request`. Raises `SessionError`.

    Another implementation's `keep` is taken where more than one is right.
    """
    built, keep, closed = talking(session).build_request(passed(step.get("parameters", "{}")))
    given = theirs.get("request", {}).get("keep")
    is_right = isinstance(given, int) and keep.least <= given <= keep.most
    return {"request": built.as_json(given if is_right else keep.most, closed)}


def compact_begin(session: Session, step: Json, theirs: Json) -> Json:
    """`summary-request` or `not-applied`. Raises `SessionError`."""
    body, keep = talking(session).compact_begin(compaction_of(step))
    given = theirs.get("summary-request", {}).get("keep")
    if "summary-request" in body and isinstance(given, int) and keep.least <= given <= keep.most:
        body["summary-request"]["keep"] = given
    return body


def compact_finish(session: Session, step: Json, _: Json) -> Json:
    """`compacted` or `not-applied`. Raises `SessionError`."""
    return talking(session).compact_finish(outcome_of(step))


def value(session: Session, step: Json) -> Json:
    """The answer of a step that has a `value`. Raises `SessionError`."""
    do = step["do"]
    if do in OF_ANY:
        return OF_ANY[do](session, step)
    if isinstance(session, Delegating):
        return OF_TALK[do](session, step)
    if do in SILENT:
        return SILENT[do]
    if do == "generation":
        raise SessionError("unknown-generation", step["number"])
    raise out_of_order()


def talking(session: Session) -> Delegating:
    """The session, if it has a dialect. Raises `SessionError`."""
    if not isinstance(session, Delegating):
        raise out_of_order()
    return session


def _connect(talk: Delegating, step: Json) -> None:
    tools = tuple(map(tool_of, step["tools"]))
    talk.connect_server(step["name"], tools, step.get("instructions"))


def _note(talk: Delegating, step: Json) -> None:
    talk.note(change_of(step), by_model=step.get("by-model", False))


def _answered(talk: Delegating, step: Json) -> None:
    model = ModelRef(step["provider"], step["model"])
    talk.main_request_answered(MainRequest(model, step.get("cache-key", ""), step["at"]))


def _due(talk: Delegating, step: Json) -> Json:
    model = ModelRef(step["provider"], step["model"])
    idle = Idle(step["after-ms"], step["now"])
    return talk.fallback_due(model, step.get("cache-key", ""), idle)


def _last_main(talk: Delegating, _: Json) -> Json:
    return None if talk.last_main is None else talk.last_main.as_json()


def _enable(talk: Delegating, step: Json) -> Json:
    text = step.get("text")
    return talk.enable_skill(step["name"], None if text is None else expand(text))


WITH_KEYS: dict[str, Callable[[Session, Json, Json], Json]] = {
    "add-message": add_message,
    "build-request": request,
    "compact-begin": compact_begin,
    "compact-finish": compact_finish,
}
"""Steps whose answers say what they are by a key of their own."""

OF_ANY: dict[str, Callable[[Session, Json], Json]] = {
    "stored-text": lambda session, step: session.stored_text(step["id"]),
    "last-read": lambda session, step: session.last_read(step["path"]),
    "resolve-path": lambda session, step: session.resolve_path(step["path"]),
    "name-path": lambda session, step: session.name_path(step["path"]),
    "check-paths": lambda session, step: session.check_paths(expand(step["text"])),
    "setting": lambda session, step: session.setting(step["key"]),
}
OF_TALK: dict[str, Callable[[Delegating, Json], Json]] = {
    "rewind": lambda talk, step: talk.rewind(step["first"], step.get("last")),
    "note": _note,
    "set-prompt": lambda talk, step: talk.set_prompt(prompt_of(step["prompt"])),
    "set-assembly": lambda talk, step: talk.set_assembly(assembly_of(step["assembly"])),
    "prompt-report": lambda talk, _: talk.prompt_report(),
    "enable-skill": _enable,
    "disable-skill": lambda talk, step: talk.disable_skill(step["name"]),
    "skills": lambda talk, _: talk.skills(),
    "delegate-progress": lambda talk, step: talk.delegate_progress(step["key"], step["state"]),
    "delegates": lambda talk, _: talk.delegates(),
    "snapshot": lambda talk, _: talk.snapshot(),
    "context-report": lambda talk, step: talk.context_report(passed(step.get("parameters", "{}"))),
    "set-condition": lambda talk, step: talk.set_condition(step["name"], met=step["met"]),
    "withdraw-tool": lambda talk, step: talk.withdraw_tool(step["name"], step["refusal"]),
    "connect-server": _connect,
    "record-usage": lambda talk, step: talk.record_usage(step["number"], passed(step["usage"])),
    "pressure": lambda talk, step: talk.pressure(passed(step.get("parameters", "{}"))),
    "main-request-answered": _answered,
    "last-main-request": _last_main,
    "fallback-due": _due,
    "lineage": lambda talk, _: talk.lineage(),
    "generation": lambda talk, step: talk.generation(step["number"]),
    "history": lambda talk, _: "\n".join(talk.parts),
    "context-state": lambda talk, _: talk.context_state(),
    "cache-report": lambda talk, _: talk.cache_report(),
    "conversation": lambda talk, _: talk.conversation(),
    "prefix": lambda talk, _: talk.prefix(),
}
SILENT: Json = {
    "cache-report": [],
    "conversation": [],
    "prefix": {"system": "", "tools": ""},
    "last-main-request": None,
    "lineage": [],
    "prompt-report": [],
    "skills": [],
    "delegates": [],
    "history": "",
    "context-state": {"recent-calls": [], "turns": 0},
}
