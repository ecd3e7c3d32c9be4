"""Performs a case's steps by the rules. README.md says what each field of a step means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from . import changes, steps
from .assembly import assembly_of
from .bounded import Asked
from .casefile import Json, expand, expand_bytes
from .delegating import Delegating, Delegation, delegation_of
from .errors import SessionError, invalid_argument
from .paths import is_windows
from .prompt import prompt_of
from .results import Call, Inserted, Settings, Storage
from .session import Session
from .snapshots import diagnosis
from .spelling import passed
from .tools import tool_of
from .tree import Content, Tree, content_of

OWN_KEY = "conformance"
"""The key of a case's first session."""

ARRANGING = ("write-file", "delete-file", "fail-storage")

Answers = Mapping[int, Json]
"""Another implementation's answers by step, in a transcript's form."""


@dataclass(frozen=True)
class Answer:
    """A step's answer in a transcript's form.

    `problem` says why a given diff is not right. `certain` is false where the answer holds a diff
    of our own, because none was given that is whole.
    """

    step: int
    body: Json
    problem: str | None = None
    certain: bool = True


def settings_of(given: Json) -> Settings:
    """A session's settings from a case's, the defaults filled in."""
    only = given.get("only-tools")
    return Settings(
        kind=given.get("kind", "agent"),
        root=given.get("root", "/work/app"),
        home=given.get("home"),
        overrides=passed(given.get("overrides", {})),
        dialect=given.get("dialect"),
        start=given.get("start"),
        prompt=prompt_of(given.get("prompt", {})),
        assembly=assembly_of(given.get("assembly", {})),
        tools=tuple(map(tool_of, given.get("tools", []))),
        recall=given.get("recall", False),
        vision=given.get("vision", True),
        only_tools=None if only is None else tuple(only),
        without_tools=tuple(given.get("without-tools", [])),
        conditions=tuple(given.get("conditions", [])),
    )


def run(case: Json, given: Answers) -> Iterator[Answer]:
    """Every answer of a case, in order; diffs are taken from `given` where they are right."""
    settings = settings_of(case.get("settings", {}))
    tree = Tree(windows=is_windows(settings.root))
    for path, entry in case.get("files", {}).items():
        tree.put(path, entry)
    try:
        session = begun(settings, tree, Storage())
    except SessionError as error:
        yield Answer(0, {"error": error.as_json()})
        return
    performer = _Performer(case, session, given)
    for number, step in enumerate(case.get("steps", []), 1):
        answer = performer.perform(number, step)
        if answer is not None:
            yield answer


def begun(settings: Settings, tree: Tree, storage: Storage) -> Session:
    """A new session. Raises `SessionError`."""
    kind = Session if settings.dialect is None else Delegating
    return kind(settings, tree, storage)


class _Performer:
    def __init__(self, case: Json, session: Session, given: Answers) -> None:
        self._case = case
        self._key = OWN_KEY
        self._sessions = session.storage.sessions
        self._sessions[self._key] = session
        self._given = given
        self._told: dict[int, Json] = {}

    @property
    def _session(self) -> Session:
        return self._sessions[self._key]

    def perform(self, number: int, step: Json) -> Answer | None:
        """One step's answer, or None for a step that answers nothing."""
        try:
            return self._answer(number, step)
        except SessionError as error:
            return Answer(number, {"error": error.as_json()})

    def _answer(self, number: int, step: Json) -> Answer | None:
        do = step["do"]
        if do in ARRANGING:
            self._arrange(step)
            return None
        if do == "file-reads":
            paths, self._session.tree.read_paths = self._session.tree.read_paths, []
            return Answer(number, {"value": paths})
        if do in ("insert-result", "recall"):
            inserted = self._insert(number, step)
            body = {"inserted": inserted.as_json()}
            return Answer(number, body, inserted.problem, inserted.certain)
        return Answer(number, self._body(number, step))

    def _body(self, number: int, step: Json) -> Json:
        do = step["do"]
        if do in steps.WITH_KEYS:
            return steps.WITH_KEYS[do](self._session, step, self._given.get(number, {}))
        if do in OPENING:
            OPENING[do](self, step)
            return {"value": None}
        if do == "diagnose":
            earlier = None if step["earlier"] is None else self._told[step["earlier"]]
            return {"value": diagnosis(earlier, self._told[step["later"]])}
        self._told[number] = steps.value(self._session, step)
        return {"value": self._told[number]}

    def reopen(self, step: Json) -> None:
        """Opens a session again, or another one of the same storage."""
        key = step.get("key", self._key)
        settings = settings_of(self._case.get("settings", {}) | step.get("settings", {}))
        if key == "":
            raise invalid_argument("key")
        self._session.tree.read_paths = []
        if key in self._sessions:
            self._sessions[key].reopen(settings)
        else:
            self._sessions[key] = begun(settings, self._session.tree, self._session.storage)
        self._key = key

    def fork(self, step: Json) -> None:
        """Copies the session to another key."""
        key = step["key"]
        if key in ("", self._key):
            raise invalid_argument("key")
        self._session.check_fork(step.get("after"))
        if key in self._sessions:
            raise invalid_argument("key")
        self._sessions[key] = self._session.forked(step.get("after"))

    def delegate(self, step: Json) -> None:
        """Opens a subagent's session, with which the case goes on."""
        parent, given = steps.talking(self._session), delegation_of(step)
        parent.check_delegation(given)
        if given.key == self._key:
            raise invalid_argument("delegation.key")
        settings, child = parent.settings_for(given), self._sessions.get(given.key)
        if child is None:
            above = (*parent.above, parent.ordinal_of(given.key))
            child = Delegating(
                settings,
                parent.tree,
                parent.storage,
                above=above,
                openers_global=parent.openers_global,
            )
            parent.storage.append()
            self._sessions[given.key] = child
        else:
            _check_child(parent, child, given, settings)
            child.reopen(settings)
            child.openers_global = parent.openers_global
        parent.delegate(given.key, given.kind)
        self._key = given.key

    def _arrange(self, step: Json) -> None:
        if step["do"] == "write-file":
            self._session.tree.put(step["path"], step["content"])
        elif step["do"] == "delete-file":
            self._session.tree.remove(step["path"])
        else:
            storage = self._session.storage
            storage.failure, storage.after = _storage_error(step["error"]), step.get("after", 0)

    def _insert(self, number: int, step: Json) -> Inserted:
        session, call = self._session, _call(number, step)
        if step["do"] == "recall":
            asked = (step.get(name) for name in ("offset", "limit", "char-offset", "char-limit"))
            return session.recall(call, step["id"], Asked(*asked))
        if "read" in step:
            read = step["read"]
            force = read.get("force", False)
            return session.read(
                call, read["path"], read.get("offset"), read.get("limit"), force=force
            )
        if "changes" in step:
            files = [_file_change(file) for file in step["changes"]["files"]]
            note = step["changes"].get("note")
            note = None if note is None else expand(note)
            return session.change(call, files, note, self._given_change(number))
        if "delegated" in step:
            given = step["delegated"]
            return session.delegated(call, given["key"], expand(given["text"]))
        if "output" in step:
            return session.output(call, expand(step["output"]))
        return session.failure(call, expand(step["failure"]))

    def _given_change(self, number: int) -> changes.Given | None:
        """The whole answer to a change that was given: as stored if the case asks for it."""
        stored = self._stored_later(number, self._session.next_id())
        if stored is not None:
            return changes.Given(stored, is_stored_form=True)
        shown = self._given.get(number, {}).get("inserted", {})
        if "text" not in shown or shown.get("treatment") == "capped":
            return None
        return changes.Given(shown["text"], is_stored_form=False)

    def _stored_later(self, number: int, id_: str) -> str | None:
        key = self._key
        for later, step in enumerate(self._case["steps"][number:], number + 1):
            key = step.get("key", key) if step["do"] == "reopen" else key
            if step["do"] == "stored-text" and step["id"] == id_ and key == self._key:
                value = self._given.get(later, {}).get("value")
                return value if isinstance(value, str) else None
        return None


OPENING: dict[str, Callable[[_Performer, Json], None]] = {
    "reopen": _Performer.reopen,
    "fork": _Performer.fork,
    "delegate": _Performer.delegate,
}


def _check_child(parent: Delegating, child: Session, given: Delegation, opening: Settings) -> None:
    """Raises `SessionError` for a session that is not the subagent's, or has other tools."""
    if not isinstance(child, Delegating):
        raise invalid_argument("delegation.key")
    if given.key in parent.subagents:
        child.check_follow_up(given.only_tools)
    elif not child.holds_only((*parent.above, parent.ordinal_of(given.key)), opening):
        raise invalid_argument("delegation.key")


def _call(number: int, step: Json) -> Call:
    arguments = passed(step.get("arguments", "{}"))
    return Call(step.get("call", f"call-{number}"), step.get("tool", "tool"), arguments)


def _file_change(file: Json) -> changes.FileChange:
    return changes.FileChange(file["path"], _side(file, "before"), _side(file, "after"))


def _side(file: Json, name: str) -> Content | None:
    return content_of(expand_bytes(file[name])) if name in file else None


def _storage_error(error: Json) -> Json:
    if isinstance(error, str):
        return {"tag": error}
    return {"tag": "other", "value": error["other"]}
