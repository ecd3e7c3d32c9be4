"""What the tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings as hypothesis_settings
from turns import talking

from waybread import MemoryStorage, MemoryTree, Session, Settings, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Open = Callable[..., Session]

# The same examples in every run, and none kept between runs.
hypothesis_settings.register_profile("steady", derandomize=True, deadline=None, database=None)
hypothesis_settings.load_profile("steady")

ROOT = "/work/app"


@pytest.fixture
def tree() -> MemoryTree:
    """Two files below the root."""
    return MemoryTree({f"{ROOT}/a.ts": "one\ntwo\nthree\n", f"{ROOT}/b.bin": b"\xff\0"})


@pytest.fixture
def storage() -> MemoryStorage:
    """No sessions."""
    return MemoryStorage()


@pytest.fixture
def open_session(storage: MemoryStorage, tree: MemoryTree) -> Iterator[Open]:
    """Opens the session `s`; closed again after the test."""
    opened = []

    def open_session(**changed: Any) -> Session:
        given = {"storage": storage, "filesystem": tree, **changed}
        settings = given.pop("settings", Settings(root=ROOT))
        session = Session.open(given.pop("key", "s"), settings, **given)
        opened.append(session)
        return session

    yield open_session
    for session in opened:
        session.close()


@pytest.fixture
def session(open_session: Open) -> Session:
    """The session `s`, new."""
    return open_session()


@pytest.fixture
def talk(open_session: Open) -> Session:
    """The session `s`, new, which builds OpenAI chat requests."""
    return open_session(settings=talking())


@pytest.fixture
def call() -> Callable[[], ToolCall]:
    """Makes a call of its own each time."""
    made = 0

    def call() -> ToolCall:
        nonlocal made
        made += 1
        return ToolCall(f"call-{made}", "bash")

    return call
