"""The steps of a conformance case that ask the session something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import conformance_assembly
import conformance_compaction

from waybread import _step_settings, _steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybread import Session

    Step = Mapping[str, Any]


def perform(session: Session, number: int, step: Step) -> Any:
    """What the session answers to a case's step, `number` counted from 1."""
    name = step["do"]
    if name in _ANSWERED:
        return _ANSWERED[name](session, step)
    call = _steps.tool_call(step, f"call-{number}")
    if name == "insert-result":
        return session.insert_result(call, _steps.outcome(step, text))
    if name == "recall":
        window = {name: step.get(name) for name in ("offset", "limit")}
        window |= {name: step.get(name.replace("_", "-")) for name in ("char_offset", "char_limit")}
        return session.recall(call, step["id"], **window)
    raise ValueError(f"no step is called `{name}`; conformance/README.md lists them")


def text(pieces: Any) -> str:
    """A *text* of the case format."""
    if isinstance(pieces, str):
        return pieces
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: Any) -> str:
    match piece:
        case str():
            return piece
        case {"repeat": str(repeated), "times": int(times)}:
            return repeated * times
        case {"count": str(line), "from": int(first), "to": int(last)}:
            return "".join(line.replace("{n}", str(n)) for n in range(first, last + 1))
    raise ValueError(f"no text is made of {piece!r}; conformance/README.md says how")


def _build_request(session: Session, step: Step) -> Any:
    return session.build_request(_step_settings.spelled(step.get("parameters", {})))


def _enable_skill(session: Session, step: Step) -> Any:
    given = step.get("text")
    return session.enable_skill(step["name"], None if given is None else text(given))


def _delegate(session: Session, step: Step) -> Session:
    return session.delegate(
        step["key"],
        step["kind"],
        prompt=_step_settings.prompt(step.get("prompt", {}), text),
        assembly=_step_settings.assembly(step.get("assembly", {})),
        only_tools=step.get("only-tools"),
    )


def _set_prompt(session: Session, step: Step) -> None:
    session.set_prompt(_step_settings.prompt(step["prompt"], text))


def _note(session: Session, step: Step) -> None:
    session.note(_step_settings.change(step, text), by_model=step.get("by-model", False))


def _connect_server(session: Session, step: Step) -> None:
    tools = _step_settings.tools(step["tools"])
    session.connect_server(step["name"], tools, step.get("instructions"))


def _record_usage(session: Session, step: Step) -> Any:
    return session.record_usage(step["number"], _step_settings.spelled(step["usage"]))


_ANSWERED: Mapping[str, Callable[[Session, Step], Any]] = {
    **conformance_assembly.STEPS,
    **conformance_compaction.STEPS,
    "add-message": lambda session, step: session.add_message(_steps.message(step, text)),
    "build-request": _build_request,
    "cache-report": lambda session, _: session.cache_report(),
    "check-paths": lambda session, step: session.check_paths(step["name"], step["text"]),
    "connect-server": _connect_server,
    "conversation": lambda session, _: session.conversation(),
    "enable-skill": _enable_skill,
    "fork": lambda session, step: session.fork(step["key"], step.get("after")),
    "last-read": lambda session, step: session.last_read(step["path"]),
    "name-path": lambda session, step: session.name_path(step["path"]),
    "note": _note,
    "prefix": lambda session, _: session.prefix(),
    "record-usage": _record_usage,
    "resolve-path": lambda session, step: session.resolve_path(step["path"]),
    "rewind": lambda session, step: session.rewind(step["first"], step.get("last")),
    "set-condition": lambda session, step: session.set_condition(step["name"], met=step["met"]),
    "delegate": _delegate,
    "set-prompt": _set_prompt,
    "setting": lambda session, step: session.setting(step["key"]),
    "stored-text": lambda session, step: session.stored_text(step["id"]),
    "withdraw-tool": lambda session, step: session.withdraw_tool(step["name"], step["refusal"]),
}
