"""Arguments as a model wrote them: whether they are a JSON object, and if not, what is wrong."""

from __future__ import annotations

import re

from .thinking import WHITE

DEEPEST = 127
BLANKS = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*')
ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
BEGUN_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:(?:\.[0-9]+)?[eE][+-]?[0-9]*|\.[0-9]*)?)?")
WORDS = ("true", "false", "null")
HALVES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


class FlawError(Exception):
    """What is wrong with a text: the name of a setting below `replies.arguments`, and the place."""

    def __init__(self, name: str, at: int = 0) -> None:
        super().__init__(name)
        self.name, self.at = name, at


def is_blank_or_null(text: str) -> bool:
    """Whether a text says nothing."""
    return text.strip(WHITE) in ("", "null")


def without_halves(text: str) -> str:
    """JSON in which no escape is half of a surrogate pair."""
    return HALVES.sub(lambda found: r"\ufffd" if found["half"] else found[0], text)


def check(text: str) -> None:
    """Raises `FlawError` for what is not one JSON object.

    The place is that of the first character up to which no JSON text goes, from 1.
    """
    at = _value(text, BLANKS.match(text).end())  # type: ignore[union-attr]
    if at < len(text):
        raise FlawError("more", at + 1)
    if not text.lstrip(" \t\n\r").startswith("{"):
        raise FlawError("other")


def _value(text: str, at: int) -> int:
    """Where the value that begins at a place ends, and the blanks behind it."""
    closing: list[str] = []
    while True:
        char = _char(text, at)
        if char in ("{", "["):
            if len(closing) == DEEPEST:
                raise FlawError("deep", at + 1)
            closing.append("}" if char == "{" else "]")
            at = _blanks(text, at + 1)
            if _char(text, at) != closing[-1]:
                at = _key(text, at) if char == "{" else at
                continue
        else:
            at = _blanks(text, _scalar(text, at))
        at = _closed(text, at, closing)
        if not closing:
            return at
        if _char(text, at) != ",":
            raise FlawError("unexpected", at + 1)
        at = _blanks(text, at + 1)
        at = _key(text, at) if closing[-1] == "}" else at


def _closed(text: str, at: int, closing: list[str]) -> int:
    """The place after all that ends here."""
    while closing and _char(text, at) == closing[-1]:
        closing.pop()
        at = _blanks(text, at + 1)
    return at


def _key(text: str, at: int) -> int:
    """The place of the value of the key at a place."""
    if _char(text, at) != '"':
        raise FlawError("unexpected", at + 1)
    at = _blanks(text, _string(text, at))
    if _char(text, at) != ":":
        raise FlawError("unexpected", at + 1)
    return _blanks(text, at + 1)


def _scalar(text: str, at: int) -> int:
    char = _char(text, at)
    if char == '"':
        return _string(text, at)
    if char in "-0123456789":
        return _number(text, at)
    for word in WORDS:
        if word.startswith(char):
            return _word(text, at, word)
    raise FlawError("unexpected", at + 1)


def _string(text: str, at: int) -> int:
    end = STRING.match(text, at).end()  # type: ignore[union-attr]
    if _char(text, end) == '"':
        return end + 1
    begun = ESCAPE.match(text, end)
    end = end if begun is None else begun.end()
    _char(text, end)
    raise FlawError("unexpected", end + 1)


def _number(text: str, at: int) -> int:
    begun = BEGUN_NUMBER.match(text, at).end()  # type: ignore[union-attr]
    if NUMBER.fullmatch(text, at, begun):
        return begun
    _char(text, begun)
    raise FlawError("unexpected", begun + 1)


def _word(text: str, at: int, word: str) -> int:
    for place, char in enumerate(word, at):
        if _char(text, place) != char:
            raise FlawError("unexpected", place + 1)
    return at + len(word)


def _blanks(text: str, at: int) -> int:
    return BLANKS.match(text, at).end()  # type: ignore[union-attr]


def _char(text: str, at: int) -> str:
    """The character at a place. Raises `FlawError` at the end."""
    if at >= len(text):
        raise FlawError("ends", len(text))
    return text[at]
