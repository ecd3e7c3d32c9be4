"""A request's body: the bytes of a naive one, at the cost of what is new."""

from __future__ import annotations

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybread import Body
from waybread.body import PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

steps = st.lists(
    st.tuples(st.floats(0, 1), st.text(st.sampled_from('a"é😀'), max_size=30)), max_size=20
)


def naive(before: str, kept: float, tail: str) -> tuple[int, str]:
    """How many bytes of the text are kept, and the text after it."""
    standing = before[: round(kept * len(before))]
    return len(standing.encode()), standing + tail


@given(steps, st.integers(1, 9))
def test_every_body_is_the_naive_one_and_stays_it(
    steps: Sequence[tuple[float, str]], page: int
) -> None:
    bodies, texts = [Body()], [""]
    with patch("waybread.body.PAGE", page):
        for kept, tail in steps:
            keep, text = naive(texts[-1], kept, tail)
            bodies.append(bodies[-1].followed_by(keep, tail))
            texts.append(text)
        for body, text in zip(bodies, texts, strict=True):
            assert str(body) == text
            assert bytes(body) == b"".join(body) == text.encode()
            assert len(body) == len(text.encode())
            assert all(len(block) == page for block in list(body)[:-1])
            assert b"" not in list(body)


@given(steps, st.floats(0, 1), st.floats(0, 1))
def test_two_bodies_may_follow_one(
    steps: Sequence[tuple[float, str]], first: float, second: float
) -> None:
    body, text = Body(), ""
    with patch("waybread.body.PAGE", 4):
        for kept, tail in steps:
            keep, text = naive(text, kept, tail)
            body = body.followed_by(keep, tail)
        for kept, tail in ((first, "one"), (second, "two"), (first, "one")):
            keep, expected = naive(text, kept, tail)
            assert str(body.followed_by(keep, tail)) == expected
    assert str(body) == text


@pytest.mark.parametrize(
    ("keep", "problem"),
    [
        (5, "5 bytes are to stand of a body that has 4"),
        (-1, "-1 bytes are to stand of a body that has 4"),
        (2, "2 bytes of the body would end within a character"),
        (3, "3 bytes of the body would end within a character"),
    ],
)
@pytest.mark.parametrize("page", [1, 2, PAGE])
def test_a_keep_that_does_not_fit(keep: int, problem: str, page: int) -> None:
    with patch("waybread.body.PAGE", page):
        body = Body().followed_by(0, "a€")
        with pytest.raises(ValueError, match=problem):
            body.followed_by(keep, "x")
        assert str(body.followed_by(1, "x")) == "ax"
        assert str(body.followed_by(4, "x")) == "a€x"


def test_pages_that_stand_are_not_copied() -> None:
    first = Body().followed_by(0, "x" * (3 * PAGE + 10))
    second = first.followed_by(len(first) - 2, "y" * PAGE)
    assert [len(block) for block in second] == [PAGE] * 4 + [8]
    assert all(one is other for one, other in zip(list(first)[:3], second, strict=False))


def test_what_it_is_like() -> None:
    body = Body().followed_by(0, '{"model":"é"}')
    assert body.json() == {"model": "é"}
    assert repr(body) == "<Body of 14 bytes>"
    same = Body().followed_by(0, '{"model":').followed_by(9, '"é"}')
    assert (body == same, hash(body) == hash(same), body == Body(), body == "x") == (
        True,
        True,
        False,
        False,
    )
    assert (len(Body()), bytes(Body()), list(Body())) == (0, b"", [])


class Echo(BaseHTTPRequestHandler):
    """Answers what it was sent."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sent = self.rfile.read(length)
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


@pytest.fixture
def echo() -> Iterator[str]:
    """The address of a server that answers what it was sent."""
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_it_is_sent_without_being_put_together(echo: str) -> None:
    text = json.dumps(["line\n"] * 50_000)
    body = Body().followed_by(0, text).followed_by(len(text) - 1, ',"é"]')
    length = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    request = urllib.request.Request(echo, data=body, headers=length)  # noqa: S310 - a local one
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        assert answer.read() == bytes(body)
