"""Case files: reading, expanding texts, and the one format in which they are written."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

WIDTH = 100

Json = Any
"""Anything that JSON can hold. Case files are checked by `case.schema.json`, not by types."""


def load(path: Path) -> Json:
    """One case file, as JSON. Raises `OSError` or `json.JSONDecodeError`."""
    return json.loads(path.read_text(encoding="utf-8"))


def expand(text: Json) -> str:
    """A *text* of the README: a string, or pieces that are joined."""
    if isinstance(text, str):
        return text
    return "".join(_piece(piece) for piece in text)


def _piece(piece: Json) -> str:
    if isinstance(piece, str):
        return piece
    if "repeat" in piece:
        return str(piece["repeat"]) * int(piece["times"])
    numbers = range(piece["from"], piece["to"] + 1)
    return "".join(piece["count"].replace("{n}", str(number)) for number in numbers)


def expand_bytes(side: Json) -> bytes:
    """A content of the README: a *text* or `{"base64": …}`."""
    if isinstance(side, dict):
        return base64.b64decode(side["base64"], validate=True)
    return expand(side).encode()


def dump(value: Json) -> str:
    """JSON with two spaces of indent, where what fits a line of 100 columns stands on one."""
    return _dump(value, 0, 0) + "\n"


def _dump(value: Json, indent: int, used: int) -> str:
    line = _line(value)
    if indent + used + len(line) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indent + 2
    pad = "\n" + " " * inner
    if isinstance(value, list):
        items = [_dump(item, inner, 0) for item in value]
        return "[" + ",".join(pad + item for item in items) + "\n" + " " * indent + "]"
    keys = [_line(key) + ": " for key in value]
    items = [
        key + _dump(item, inner, len(key)) for key, item in zip(keys, value.values(), strict=True)
    ]
    return "{" + ",".join(pad + item for item in items) + "\n" + " " * indent + "}"


def _line(value: Json) -> str:
    """On one line; what cannot be seen (a byte order mark, a joiner) is escaped."""
    line = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
