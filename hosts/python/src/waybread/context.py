"""What fills a session's window, for people: as JSON, a table and a page (`docs/context.md`).

report = session.context_report(parameters)
print(context_table("chat-7", report))
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from waybread._aside import look_at
from waybread._calls import Imports
from waybread._component import Instance, load
from waybread._convert.arguments import invalid_argument, must_be, must_store, text
from waybread._convert.arguments import key as session_key
from waybread._text import scalar_values
from waybread.context_report import ContextKind, ContextReport
from waybread.errors import WaybreadError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread.storage import Storage

_COMPONENT = "recordings.wasm"
_INTERFACE = "waybread:recordings/context-page@0.1.0"
_ESTIMATE = ("tokens", "strategy", "confidence")
_PRESSURE = ("window", "soft_limit", "hard_limit", "reserve", "margin", "action", "reason")


def context_json(session: str, report: ContextReport) -> str:
    """Return the report as JSON, the same bytes in every host.

    Args:
        session: The session's key.
        report: What `Session.context_report` returned.

    Raises:
        TypeError: The session is no text, or the report no `ContextReport`.
    """
    key = text("session", session)
    must_be(ContextReport, "report", report)
    told = asdict(report)
    estimate = told["pressure"].pop("estimate")
    told["pressure"] = {
        **{name: estimate[name] for name in _ESTIMATE},
        **{name: told["pressure"][name] for name in _PRESSURE},
    }
    named = {"session": key, **told}
    return scalar_values(json.dumps(named, ensure_ascii=False, separators=(",", ":")))


def context_table(session: str, report: ContextReport) -> str:
    """Return the report as a terminal shows it, tables and sentences. Arguments: `context_json`."""
    return _made("table", session, report)


def context_page(session: str, report: ContextReport) -> str:
    """Return the report as an HTML page with a chart. Arguments: `context_json`.

    Everything that it shows is in it; it runs no script and loads nothing.
    """
    return _made("page", session, report)


def stored_context_report(
    storage: Storage, key: str, parameters: Mapping[str, object] | str = ""
) -> ContextReport:
    """Return the report of a stored session of which only the key is known.

    Nothing is written to the storage.

    Args:
        storage: Where the session is.
        key: The session's key.
        parameters: As `Session.context_report` takes them.

    Raises:
        TypeError: The storage is none: a path, for example.
        InvalidArgumentError: No session has this key, or the parameters name another model than the
            session's newest request: the prompt would be made again, of what only its harness
            knows.
        WaybreadError: As `Session.open` and `Session.context_report`.
    """
    must_store("storage", storage)
    try:
        looked = look_at(storage, session_key("key", key))
    except KeyError as error:
        raise invalid_argument("key", f"is `{key}`, which no session has") from error
    with looked as session:
        report = session.context_report(parameters)
        # With the newest request's own parameters nothing is made again.
        if _prompt(report) != _prompt(session.context_report()):
            raise invalid_argument(
                "parameters",
                "name another model than the session's newest request, for which its harness would "
                "make the prompt again; must name the same model",
            )
    return report


def _prompt(report: ContextReport) -> list[tuple[ContextKind, str, int, int]]:
    """What stands of the prompt, in bytes; tokens differ from model to model."""
    kinds = (ContextKind.SYSTEM, ContextKind.FRONT)
    parts = (part for part in report.parts if part.kind in kinds)
    return [(part.kind, part.name, part.count, part.bytes) for part in parts]


def _made(function: str, session: str, report: ContextReport) -> str:
    told = context_json(session, report)
    instance = Instance(load(_COMPONENT, _INTERFACE), Imports({}))
    try:
        case, answer = instance.call(function, told)
    finally:
        instance.close()
    if case == "err":
        raise WaybreadError(f"the report could not be shown: {answer}")
    made: str = answer
    return made
