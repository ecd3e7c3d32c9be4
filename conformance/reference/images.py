"""Width and height of an image, read from its data (compaction: Tokens of a request)."""

from __future__ import annotations

import base64
import re
import struct

BASE64 = re.compile("[A-Za-z0-9+/]*")
FILL = 0xFF
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG that begin a frame."""
ALONE = frozenset({0x01, *range(0xD0, 0xDA)})
"""Markers of a JPEG that no segment follows."""

Size = tuple[int, int]


def size_of(text: str) -> Size | None:
    """Width and height of an image in base64, both above 0; None where the data tell none."""
    data = _beginning(text)
    for read in (_png, _gif, _jpeg, _webp):
        try:
            size = read(data)
        except (struct.error, IndexError):
            continue
        if size is not None:
            return size if min(size) > 0 else None
    return None


def _beginning(text: str) -> bytes:
    """The bytes of a text as far as it is base64."""
    letters = BASE64.match(text)
    digits = "" if letters is None else letters[0]
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def _png(data: bytes) -> Size | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> Size | None:
    if data[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg(data: bytes) -> Size | None:
    """The first frame's size: its header is looked for from segment to segment."""
    if not data.startswith(b"\xff\xd8"):
        return None
    place = 2
    while data[place] == FILL:
        marker = data[place + 1]
        if marker == FILL:
            place += 1
        elif marker in FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        elif marker in ALONE:
            place += 2
        else:
            place += 2 + struct.unpack_from(">H", data, place + 2)[0]
    return None


def _webp(data: bytes) -> Size | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + _three(data, 24), 1 + _three(data, 27)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _three(data: bytes, place: int) -> int:
    if len(data) < place + 3:
        raise IndexError(place)
    return int.from_bytes(data[place : place + 3], "little")
