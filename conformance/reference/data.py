"""Data in a block, which cost what they are and not what words do (compaction: Data)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from .casefile import Json
from .images import size_of
from .rules import Rules
from .spelling import is_text

BASE64 = re.compile(r"[A-Za-z0-9+/\-_=\r\n]*")
URL = re.compile(r"data:([^,]*);base64,(.*)", re.DOTALL)
PAGE = re.compile(rb"/Type[ \t\r\n\f]*/Page(?![A-Za-z0-9])")
WORDS = (("image", "image"), ("audio", "audio"))
DOCUMENTS = ("pdf", "document", "file")


@dataclass(frozen=True)
class Data:
    """What data cost, by the settings of `tokens`."""

    rules: Rules

    def split(self, block: Json) -> tuple[Json, int]:
        """A block without its data, and what these cost in tokens."""
        return self._split(block, "other")

    def image(self, data: str) -> int:
        """An image in base64."""
        size = size_of(data)
        tokens = len(data) * 3 // 4 // 4
        if size is not None:
            tokens = size[0] * size[1] // self._setting("image_area")
        most = self._setting("image_most")
        return self._setting("image") + (min(tokens, most) if most else tokens)

    def url(self, url: str) -> int:
        """An image behind a URL, or in one."""
        read = self._read(url) if url.startswith("data:") else None
        return self._setting("image") if read is None else self.image(read[1])

    def _setting(self, name: str) -> int:
        return int(self.rules.value(f"tokens.{name}"))

    def _read(self, text: str) -> tuple[str, str] | None:
        """The media type and the base64 of a text that is data."""
        least = self._setting("data_least")
        media, data = "", text
        if text.startswith("data:"):
            url = URL.fullmatch(text)
            if url is None:
                return None
            media, data = url[1], url[2]
        elif len(text) < least:
            return None
        is_data = least > 0 and BASE64.fullmatch(data) is not None
        return (media, data) if is_data else None

    def _split(self, value: Json, kind: str) -> tuple[Json, int]:
        if isinstance(value, list):
            pairs = [self._split(item, kind) for item in value]
            return [left for left, _ in pairs], sum(tokens for _, tokens in pairs)
        if isinstance(value, dict):
            inner = _nearest(value, kind)
            split = {name: self._split(field, inner) for name, field in value.items()}
            left = {name: pair[0] for name, pair in split.items()}
            return left, sum(tokens for _, tokens in split.values())
        read = self._read(str(value)) if is_text(value) else None
        if read is None:
            return value, 0
        media, data = read
        return "", self._cost(data, _named(media) or kind)

    def _cost(self, data: str, kind: str) -> int:
        size = len(data) * 3 // 4
        if (kind == "image" and not data.startswith("JVBERi")) or size_of(data) is not None:
            return self.image(data)
        if kind == "document" or data.startswith("JVBERi"):
            pages = len(PAGE.findall(_decoded(data)))
            by_size = size // self._setting("document_bytes")
            return pages * self._setting("document_page") if pages else by_size
        return size // self._setting("audio_bytes" if kind == "audio" else "data_bytes")


def _named(word: str) -> str | None:
    """What data are by a word for them."""
    for part, kind in (*WORDS, *((part, "document") for part in DOCUMENTS)):
        if part in word:
            return kind
    return "other" if word.startswith("text/") else None


def _nearest(value: Json, kind: str) -> str:
    """What the data in an object are, if those around it are of a kind."""
    words = (value.get(key) for key in ("media_type", "mime_type", "type"))
    found = (_named(str(word)) for word in words if is_text(word))
    return next((one for one in found if one is not None), kind)


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        return b""
