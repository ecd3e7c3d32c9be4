"""The component's side of a session: opened when needed, entered by one thread at a time."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from waybread._component import COMPONENT, INTERFACE, Instance, load
from waybread._convert.failures import session_error
from waybread.body import Body
from waybread.errors import ClosedError, ReentryError, WaybreadError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasmtime.component import ResourceAny

    from waybread._imports import SessionImports
    from waybread._opening import Opening

Answer = TypeVar("Answer")


@dataclass
class _Opened:
    """A session of the component.

    Attributes:
        instance: Where it lives.
        resource: The session itself.
        body: The last request's body, which the component's next answer builds upon.
    """

    instance: Instance
    resource: ResourceAny
    body: Body = field(default_factory=Body)


class Handle:
    """A session of the component, opened again from its storage after a trap.

    Args:
        opening: How it is opened.
        imports: Its storage and its files.
        limit: How many bytes of memory it may use; None leaves it 4 GiB.
    """

    def __init__(self, opening: Opening, imports: SessionImports, limit: int | None) -> None:
        self._opening = opening
        self._imports = imports
        self._limit = limit
        self._lock = threading.Lock()
        self._user: int | None = None
        self._closed = False
        self._opened: _Opened | None = None

    def call(self, method: str, *arguments: object) -> Any:
        """Call a method that can fail, and return what it answers.

        Raises:
            WaybreadError: It failed.
        """
        return self._alone(lambda: self._unwrapped(*self._ask(method, *arguments)))

    def look(self, method: str) -> Any:
        """Call a method that cannot fail."""
        return self._alone(lambda: self._ask(method))

    def build(self, parameters: str) -> tuple[dict[str, Any], Body]:
        """Build a request: the component's answer, and the whole body.

        Raises:
            WaybreadError: It failed.
        """
        return self._alone(lambda: self._build(parameters))

    def begin(self, compaction: dict[str, Any]) -> tuple[str, dict[str, Any], Body]:
        """Begin a compaction: the case and payload that the component answers, and the body.

        The body of a request for a summary is made of the last request's, which stays the one that
        the next request builds upon. Of any other case it is empty.

        Raises:
            WaybreadError: It failed.
        """
        return self._alone(lambda: self._begin(compaction))

    def delegate(self, delegation: dict[str, Any]) -> Handle:
        """Delegate, and return the subagent's session, which is opened when it is first used.

        The component has opened it in this session's instance, where a trap of one would take the
        other, and a long call of one make the other wait. So that one is given back, and the
        subagent's session opened in an instance of its own.

        Raises:
            WaybreadError: It failed.
        """

        def give_back(opened: _Opened, session: ResourceAny) -> None:
            opened.instance.drop(session)

        self._alone(lambda: self._unwrapped(*self._ask("delegate", delegation, then=give_back)))
        opening = self._opening.of_subagent(delegation["key"])
        return Handle(opening, self._imports.another(), self._limit)

    def reopen(self) -> None:
        """Open the session again from its storage."""
        self._alone(self._reopen)

    def close(self) -> None:
        """Free the memory, and refuse every later call. Closing twice is fine."""
        with suppress(ClosedError):
            self._alone(self._close)

    def drop(self) -> None:
        """Give the component's session up: the next call opens it from storage."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.instance.close()

    def _reopen(self) -> None:
        self.drop()
        self._open()

    def _close(self) -> None:
        self._closed = True
        self.drop()

    def _build(self, parameters: str) -> tuple[dict[str, Any], Body]:
        body = Body()

        def follow(opened: _Opened, answer: dict[str, Any]) -> None:
            nonlocal body
            body = opened.body = _following(opened.body, answer)

        answer = self._unwrapped(*self._ask("build-request", parameters, then=follow))
        return answer, body

    def _begin(self, compaction: dict[str, Any]) -> tuple[str, dict[str, Any], Body]:
        case, payload = self._unwrapped(*self._ask("compact-begin", compaction))
        body = _following(self._open().body, payload) if case == "request" else Body()
        return case, payload, body

    def _open(self) -> _Opened:
        """The open session; opened from storage where something took the last one."""
        if self._opened is None:
            instance = Instance(load(COMPONENT, INTERFACE), self._imports, self._limit)
            self._opened = _Opened(instance, self._session(instance))
        return self._opened

    def _session(self, instance: Instance) -> ResourceAny:
        """The session, opened from storage in an instance."""
        key, settings = self._opening.key, self._opening.settings
        answer = self._answer(instance, "[static]session.open", key, settings)
        session: ResourceAny = self._unwrapped(*answer)
        return session

    def _ask(
        self,
        method: str,
        *arguments: object,
        then: Callable[[_Opened, Any], None] | None = None,
    ) -> Any:
        """What a method answers, which may be an error value.

        The session is given up first, and kept when all is done: stopped half-way it can't be used
        again, and it may be behind its storage. Ctrl-C can come between any two steps.

        Args:
            method: The method.
            *arguments: Its arguments.
            then: What else belongs to the call, where it answers no error.
        """
        opened = self._open()
        self._opened = None
        answer = self._answer(
            opened.instance, f"[method]session.{method}", opened.resource, *arguments
        )
        if then is not None and answer[0] == "ok":
            then(opened, answer[1])
        if not self._imports.uncertain:
            self._opened = opened
        return answer

    def _answer(self, instance: Instance, function: str, *arguments: object) -> Any:
        self._imports.begin()
        try:
            answer = instance.call(function, *arguments)
            self._imports.check()
        except BaseException:
            instance.close()
            raise
        return answer

    def _unwrapped(self, case: str, answer: Any) -> Any:
        """The answer of a result that is none but `ok`."""
        if case == "err":
            raise session_error(answer) from self._imports.failed
        return answer

    def _alone(self, act: Callable[[], Answer]) -> Answer:
        """Act while this thread holds the session; a store may not be entered twice.

        No context manager of Python's: Ctrl-C as one returns would leave the lock taken.
        """
        if self._user == threading.get_ident():
            raise ReentryError("a session's storage and filesystem can't use the session itself")
        with self._lock:
            try:
                if self._closed:
                    raise ClosedError(f"the session `{self._opening.key}` is closed")
                self._user = threading.get_ident()
                return act()
            finally:
                self._user = None


def _following(body: Body, answer: dict[str, Any]) -> Body:
    """The body that a `request` makes of the one before it.

    Raises:
        WaybreadError: It makes none: package and component are not of one version.
    """
    try:
        following = body.followed_by(answer["keep"], answer["tail"])
    except ValueError as error:
        raise WaybreadError(f"the request does not follow the one before it: {error}") from error
    if len(following) != answer["length"]:
        raise WaybreadError(
            f"the request has {len(following)} bytes, and should have {answer['length']}: "
            "it does not follow the one before it"
        )
    return following
