"""A session by the rules (§1-§6, §11). Plain lists stand where the component has its indexes."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from typing import TypeVar

from . import changes
from .arguments import comparable
from .bounded import Asked, read_draft, recall_draft, refusal
from .casefile import Json
from .errors import SessionError, invalid_argument, invalid_setting, out_of_order
from .inline import escaped, repeated
from .lines import asked_line, capped, lines_of, window
from .naming import places_of
from .paths import Absolute
from .results import Below, Call, Draft, Inserted, Read, Search, Settings, Storage
from .rules import LARGEST, Ordinals, Rules, come_to_the_same, rules_with
from .spelling import compact
from .tree import File, FileError, Tree

T = TypeVar("T")


@dataclass
class Session:
    """One conversation's context."""

    settings: Settings
    tree: Tree
    storage: Storage
    rules: Rules = field(init=False)
    texts: list[str] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    reads: list[Read] = field(default_factory=list)
    searches: list[Search] = field(default_factory=list)
    bodies: dict[str, Below] = field(default_factory=dict)
    is_new: bool = True
    """Whether its log holds nothing but its opening."""
    above: Ordinals = ()
    """Of a subagent: the how manieth it is of its parent's, behind what its parent has itself."""
    openers_global: str | None = None
    """The global instructions of whoever opened it, of a subagent its parent's."""

    def __post_init__(self) -> None:
        settings = self.settings
        self.rules = rules_with(settings.overrides)
        if self.openers_global is None:
            self.openers_global = self.rules.value("assembly.global_instructions")
        if self.above:
            self.rules = self.rules.without_archive()
        self.places = places_of(settings.root, settings.home, settings.kind, self.rules)
        for key, text in self.rules.own_words():
            if self.places.names_machine(text):
                raise invalid_setting(key)

    def append(self) -> None:
        """Writes to the log. Raises `SessionError`."""
        self.storage.append()
        self.is_new = False

    def reopen(self, settings: Settings) -> None:
        """Carries the session on. Raises `SessionError` and changes nothing then."""
        places = places_of(settings.root, settings.home, settings.kind, self.rules)
        if settings.kind != self.settings.kind:
            kept, given = self.settings.kind, settings.kind
            raise SessionError("settings-differ", {"name": "kind", "kept": kept, "given": given})
        for name, same in (
            ("dialect", settings.dialect == self.settings.dialect),
            ("overrides", come_to_the_same(self.settings.overrides, settings.overrides)),
        ):
            if not same:
                payload = {"name": name, "kept": None, "given": None}
                raise SessionError("settings-differ", payload)
        self.is_new = self.is_new and self.places == places
        self.places = places
        self.openers_global = rules_with(settings.overrides).value("assembly.global_instructions")

    def read(
        self, call: Call, path: str, offset: int | None, limit: int | None, *, force: bool
    ) -> Inserted:
        """§1, §2: a file's lines, or a stub."""
        self._check(call)
        place = self._resolved(path)
        named = repeated(str(place), self.rules)
        try:
            file = self.tree.read(place)
        except FileError as error:
            return self._insert(call, self._unreadable(error, str(place)))
        if file.text is None:
            sha = self.rules.sha(file.sha256)
            sentence = self.rules.text("reads.binary", path=named, bytes=file.size, sha=sha)
            return self._insert(call, self._refusal(sentence))
        lines = lines_of(file.text)
        shown = window(len(lines), offset, limit, self.rules.section("reads")["window"])
        if shown is None:
            sentence = self.rules.text(
                "reads.past_end", path=named, offset=asked_line(offset), total=len(lines)
            )
            return self._insert(call, self._refusal(sentence))
        return self._insert(call, self._read_draft(path, file, lines, shown, force=force))

    def change(
        self,
        call: Call,
        files: list[changes.FileChange],
        note: str | None,
        given: changes.Given | None,
    ) -> Inserted:
        """§5: diffs. `given` is another implementation's answer, whose diffs are taken if right."""
        self._check(call)
        _check_files(files)
        answer, problem = changes.answer(files, note or None, self.next_id(), self.rules, given)
        draft = self._capped_draft(answer.line, answer.rest, answer.stored)
        draft.problem = problem
        draft.certain = given is not None or all(changes.is_settled(file) for file in files)
        return self._insert(call, draft)

    def output(self, call: Call, text: str) -> Inserted:
        """§3, §6: text, capped; or a stub."""
        self._check(call)
        bracket = self.rules.text("bracket", id=self.next_id())
        draft = self._capped_draft(bracket, text, text)
        if call.tool in self.rules.section("dedupe")["by_result"]:
            key = (call.tool, comparable(call.arguments))
            for earlier in reversed(self._table(self.searches)):
                if (earlier.key, earlier.text) == (key, text):
                    sentence = self.rules.text("dedupe.stub", earlier=earlier.id)
                    stub = f"{bracket} {sentence}"
                    whole = draft.whole or draft.text
                    same = Draft(stub, text, "same-result", earlier.id, whole)
                    same.body = draft.body
                    return self._insert(call, same)
            draft.search = Search(self.next_id(), key, text)
        return self._insert(call, draft)

    def failure(self, call: Call, text: str) -> Inserted:
        """A tool's failure: capped, never deduplicated."""
        self._check(call)
        bracket = self.rules.text("bracket", id=self.next_id())
        draft = self._capped_draft(bracket, text, text)
        draft.treatment = "failed"
        return self._insert(call, draft)

    def delegated(self, call: Call, key: str, text: str) -> Inserted:  # noqa: ARG002
        """A subagent's answer. Raises `SessionError` for a key that was not delegated."""
        self._check(call)
        raise invalid_argument("delegated.key")

    def recall(self, call: Call, id_: str, asked: Asked) -> Inserted:
        """§4: a stored result again."""
        self._check(call)
        text, name = self._named(id_)
        if text is None:
            unknown = self.rules.text("recall.unknown", earlier=repeated(name, self.rules))
            return self._insert(call, self._refusal(unknown))
        return self._insert(call, recall_draft(text, name, self.next_id(), asked, self.rules))

    def stored_text(self, id_: str) -> str:
        """A stored result in full."""
        text, _ = self._named(id_)
        if text is None:
            raise SessionError("unknown-id", id_)
        return text

    def last_read(self, path: str) -> Json:
        """The newest full read of a file, or None."""
        if path == "":
            raise invalid_argument("path")
        try:
            identity = str(self.tree.resolve(self._resolved(path)))
        except FileError:
            return None
        for read in reversed(self._standing(self.reads)):
            if read.identity == identity and read.stub_of is None:
                return {
                    "id": read.id,
                    "path": read.path,
                    "first-line": 0 if read.is_cut else read.lines[0],
                    "last-line": 0 if read.is_cut else read.lines[1],
                    "total-lines": read.total,
                    "sha256": read.sha256,
                }
        return None

    def resolve_path(self, path: str) -> str:
        """The absolute path that a path means."""
        if path == "":
            raise invalid_argument("path")
        return str(self._resolved(path))

    def name_path(self, path: str) -> str:
        """How a prompt or a note names a file (§11)."""
        if path == "":
            raise invalid_argument("path")
        return self.places.name(path)

    def check_paths(self, text: str) -> None:
        """Refuses a text that names a path of the machine (§11)."""
        if self.places.names_machine(text):
            raise invalid_argument("text")

    def setting(self, key: str) -> str:
        """A setting as JSON."""
        try:
            return compact(self.rules.value(key))
        except KeyError:
            raise invalid_setting(key) from None

    def check_fork(self, after: int | None) -> None:
        """Raises `SessionError`: a session without messages cannot be forked after one."""
        if after is not None:
            raise out_of_order()

    def forked(self, after: int | None) -> Session:
        """A copy of the session, which has no messages."""
        self.check_fork(after)
        self.storage.append()
        shared = (self.tree, self.storage, self.rules)
        return copy.deepcopy(self, {id(one): one for one in shared})

    def _resolved(self, path: str) -> Absolute:
        return self.places.absolute(path)

    def _check(self, call: Call) -> None:
        if call.id == "":
            raise invalid_argument("call.id")
        if call.id in self.answered:
            raise SessionError("call-answered", {"call": call.id, "id": self.answered[call.id]})

    def next_id(self) -> str:
        """The id that the next result takes."""
        return self.rules.id(len(self.texts) + 1, self.above)

    def _named(self, asked: str) -> tuple[str | None, str]:
        """The text that an id names, None if there is none, and the id to name in an answer."""
        number, above = number_of(asked), above_of(asked)
        if number is None or above is None:
            return None, "#" + bare(asked)
        return self.kept(above, number), self.rules.id(number, above)

    def kept(self, above: Ordinals, number: int) -> str | None:
        """The text of a result of this session, or of a subagent's."""
        is_own = above == self.above and number <= len(self.texts)
        return self.texts[number - 1] if is_own else None

    def _table(self, results: list[T]) -> list[T]:
        """Those of the results that stand in the request being built."""
        return [] if self.settings.kind == "chat" else results

    def _standing(self, results: list[T]) -> list[T]:
        """Those of the results that were not taken back."""
        return results

    def _answered(self, call_id: str, inserted: Inserted) -> None:
        self.answered[call_id] = inserted.id

    def _insert(self, call: Call, draft: Draft) -> Inserted:
        most = self.rules.value("context.max_bytes")
        if most and most < max(
            len(text.encode()) for text in (draft.stored, self._shown(draft.text))
        ):
            raise out_of_order()
        self.append()
        return self._take(call.id, draft)

    def _take(self, call_id: str, draft: Draft) -> Inserted:
        """Gives a result its id, in storage already."""
        id_ = self.next_id()
        self.texts.append(draft.stored)
        if draft.read:
            self.reads.append(draft.read)
        if draft.search:
            self.searches.append(draft.search)
        if draft.body:
            self.bodies[id_] = draft.body
        whole = self._shown(draft.text if draft.whole is None else draft.whole)
        inserted = Inserted(
            id_,
            self._shown(draft.text),
            draft.treatment,
            draft.refers_to,
            len(whole),
            draft.problem,
            draft.certain,
        )
        self._answered(call_id, inserted)
        return inserted

    def shown(self, text: str) -> str:
        """A text as a model reads it."""
        return self._shown(text)

    def _shown(self, text: str) -> str:
        return text.replace("\0", self.rules.nul)

    def _refusal(self, sentence: str) -> Draft:
        return refusal(sentence, self.next_id(), self.rules)

    def _unreadable(self, error: FileError, path: str) -> Draft:
        names = {
            "not-found": "not_found",
            "denied": "denied",
            "is-directory": "is_directory",
            "not-a-file": "not_a_file",
        }
        if error.case not in names:
            raise SessionError("filesystem", {"path": path, "problem": None})
        named = repeated(path, self.rules)
        return self._refusal(self.rules.text(f"reads.{names[error.case]}", path=named))

    def _read_draft(
        self, path: str, file: File, lines: list[str], shown: tuple[int, int], *, force: bool
    ) -> Draft:
        id_, sha, (first, last) = self.next_id(), self.rules.sha(file.sha256), shown
        named = escaped(path)
        read = Read(id_, path, file.identity, file.sha256, shown, len(lines))
        if last == 0:
            bracket = self.rules.text("reads.empty", id=id_, path=named, sha=sha)
            return Draft(bracket, "", read=read)
        bracket = self.rules.text(
            "reads.bracket", id=id_, path=named, first=first, last=last, total=len(lines), sha=sha
        )
        listed = [
            self.rules.text("reads.line", number=number, text=lines[number - 1])
            for number in range(first, last + 1)
        ]
        numbered = "\n".join(listed)
        body = Below(bracket, numbered)
        full = Draft(f"{bracket}\n{numbered}", numbered, read=read, body=body)
        earlier = self._earlier(file, shown)
        if force or earlier is None or self._stubs_enough(earlier, shown):
            return read_draft(full, read, listed, self.rules)
        sentence = self.rules.text(
            "reads.stub", earlier=earlier.id, first=earlier.lines[0], last=earlier.lines[1]
        )
        stub = Read(id_, path, file.identity, file.sha256, shown, len(lines), earlier.id)
        text = f"{bracket} {sentence}"
        return Draft(text, numbered, "unchanged-read", earlier.id, full.text, read=stub, body=body)

    def _earlier(self, file: File, lines: tuple[int, int]) -> Read | None:
        exact = self.rules.section("reads")["stub_ranges"] == "exact"
        for read in reversed(self._table(self.reads)):
            is_near = read.lines == lines if exact else read.holds(lines)
            if read.stub_of is None and read.is_of(file) and is_near:
                return read
        return None

    def _stubs_enough(self, earlier: Read, lines: tuple[int, int]) -> bool:
        enough: int = self.rules.section("reads")["full_after_stubs"]
        stubs = [
            read
            for read in self._table(self.reads)
            if (read.stub_of, read.lines) == (earlier.id, lines)
        ]
        return 0 < enough <= len(stubs)

    def _capped_draft(self, line: str, rest: str | None, stored: str, cap: Json = None) -> Draft:
        if rest is None:
            return Draft(line, stored)
        whole = f"{line}\n{rest}"
        short = capped(self._shown(rest), self.next_id(), self.rules, cap)
        if short is None:
            return Draft(whole, stored, body=Below(line, rest))
        body = Below(line, rest, cap or self.rules.section("cap"))
        return Draft(short.below(line), stored, "capped", None, whole, body=body)


def bare(asked: str) -> str:
    """An id as it was asked for, without blanks, brackets and `#`."""
    asked = asked.strip()
    if len(asked) > 1 and asked.startswith("[") and asked.endswith("]"):
        asked = asked[1:-1].strip()
    return asked.removeprefix("#")


def number_of(asked: str) -> int | None:
    """The result's number in an id as it was asked for, or None if it cannot be an id."""
    digits = bare(asked).rpartition("-")[2]
    number = int(digits, 16) if re.fullmatch("[0-9a-fA-F]+", digits) else 0
    return number if 0 < number <= LARGEST else None


def above_of(asked: str) -> Ordinals | None:
    """The subagent of an id as it was asked for, empty at the top, or None if it cannot be one."""
    prefix, dash, _ = bare(asked).rpartition("-")
    if not dash:
        return ()
    ordinal = "[1-9a-fA-F][0-9a-fA-F]*"
    if re.fullmatch(rf"{ordinal}(\.{ordinal})*", prefix) is None:
        return None
    ordinals = tuple(int(digits, 16) for digits in prefix.split("."))
    return ordinals if max(ordinals) <= LARGEST else None


def _check_files(files: list[changes.FileChange]) -> None:
    if not files:
        raise invalid_argument("changes.files")
    for position, file in enumerate(files):
        if file.path == "":
            raise invalid_argument(f"changes.files[{position}].path")
        if file.before is None and file.after is None:
            raise invalid_argument(f"changes.files[{position}]")
