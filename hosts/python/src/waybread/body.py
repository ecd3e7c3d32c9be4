"""A request's body, of which a step makes only what is new.

Python's bytes never change, so a body in one piece would be copied whole at every step. This one is
cut into pages, and a body has its pages in common with the bodies before and after it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAGE = 64 * 2**10
"""Every page but a body's last is so many bytes long."""


class Body:
    """A request's body: JSON without white space, in UTF-8.

    It never changes, whatever the session does later. `len(body)` is its length in bytes, and
    iterating yields them page by page (64 KiB), so it can be sent without being put together:

        length = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        httpx.post(url, content=body, headers={**headers, **length})
        requests.post(url, data=body, headers={**headers, **length})
        urllib.request.Request(url, data=body, headers={**headers, **length})

    Without the `Content-Length`, httpx and urllib send it chunked, which not every server takes.
    For a client that wants bytes (aiohttp, httpx's `AsyncClient`), `bytes(body)` puts it together,
    and `str(body)` as text; `body.json()` is what a provider's own client takes as keyword
    arguments.
    """

    __slots__ = ("_pages",)

    def __init__(self, pages: Sequence[bytes] = ()) -> None:
        """A body of pages, each `PAGE` bytes long but the last; without any, the empty one."""
        self._pages = tuple(pages)

    def followed_by(self, keep: int, tail: str) -> Body:
        """Return the body of this one's first `keep` bytes and then `tail`.

        That costs `tail` and one page, and a reference for each page that stands.

        Raises:
            ValueError: `keep` is more than this body has, or splits a character.
        """
        if not 0 <= keep <= len(self):
            raise ValueError(f"{keep} bytes are to stand of a body that has {len(self)}")
        whole, rest = divmod(keep, PAGE)
        cut = b"".join(self._pages[whole : whole + 1])
        if cut[rest : rest + 1] and cut[rest] & 0xC0 == 0x80:  # noqa: PLR2004 - UTF-8's 10xxxxxx
            raise ValueError(f"{keep} bytes of the body would end within a character")
        new = cut[:rest] + tail.encode()
        pages = (new[start : start + PAGE] for start in range(0, len(new), PAGE))
        return Body(self._pages[:whole] + tuple(pages))

    def json(self) -> Any:
        """Return the body as any JSON parser reads it."""
        return json.loads(bytes(self))

    def __len__(self) -> int:
        return sum(map(len, self._pages[-1:])) + PAGE * max(0, len(self._pages) - 1)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pages)

    def __bytes__(self) -> bytes:
        return b"".join(self._pages)

    def __str__(self) -> str:
        return bytes(self).decode()

    def __repr__(self) -> str:
        return f"<Body of {len(self)} bytes>"

    def __eq__(self, other: object) -> bool:
        return self._pages == other._pages if isinstance(other, Body) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._pages)
