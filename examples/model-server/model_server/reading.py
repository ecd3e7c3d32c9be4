"""What the server reads of a request: its front, its tokens, and how much of it was read before."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from typing import Any

CHARACTERS = 4
"""So many characters are a token here. A tokenizer would tell no more of a harness."""

_FRONT = ("tools", "system", "instructions")


def rendered(body: dict[str, Any]) -> str:
    """A request as the model reads it, from its front on. Breakpoints of the cache are not read."""
    front = {name: body[name] for name in _FRONT if name in body}
    return _spelled([front, *_messages(body)])


def tokens(text: str) -> int:
    """A text's tokens."""
    return -(-len(text) // CHARACTERS)


def seal(body: dict[str, Any], messages: int) -> str:
    """What the thinking of a reply that follows so many messages is bound to, as its signature."""
    front = {name: body[name] for name in _FRONT if name in body}
    before = _spelled([front, *_messages(body)[:messages]])
    return base64.b64encode(hashlib.sha256(before.encode()).digest()).decode()


def unbound(body: dict[str, Any]) -> str | None:
    """The path of the first thinking block that stands behind another front than its own."""
    for at, message in enumerate(_messages(body)):
        blocks = message.get("content")
        for place, block in enumerate(blocks if isinstance(blocks, list) else []):
            thinks = block.get("type") == "thinking"
            if thinks and block.get("signature") != seal(body, at):
                return f"messages.{at}.content.{place}"
    return None


class Cache:
    """What was read so far: the longest beginning that a request shares with an earlier one."""

    def __init__(self) -> None:
        self._read: list[str] = []
        self._lock = threading.Lock()

    def read(self, text: str) -> int:
        """How many characters were read before. The text is, from here on."""
        with self._lock:
            shared = max((_shared(text, other) for other in self._read), default=0)
            self._read.append(text)
        return shared


def usage(dialect: str, body: dict[str, Any], read: str, cached: int, wrote: str) -> dict[str, Any]:
    """A request's usage, as the provider spells it."""
    prompt, output = tokens(read), tokens(wrote)
    cached = cached // CHARACTERS
    if dialect == "openai-chat":
        details = {"prompt_tokens_details": {"cached_tokens": cached}}
        counts = {"prompt_tokens": prompt, "completion_tokens": output}
        return {**counts, "total_tokens": prompt + output, **details}
    if dialect == "openai-responses":
        details = {"input_tokens_details": {"cached_tokens": cached}}
        counts = {"input_tokens": prompt, "output_tokens": output}
        return {**counts, "total_tokens": prompt + output, **details}
    # Nothing is cached there that no breakpoint asks for.
    asks = "cache_control" in json.dumps(body)
    cached = cached if asks else 0
    written = prompt - cached if asks else 0
    return {
        "input_tokens": prompt - cached - written,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
        "output_tokens": output,
    }


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    messages = body.get("messages", body.get("input", []))
    return messages if isinstance(messages, list) else [{"role": "user", "content": messages}]


def _spelled(value: Any) -> str:
    return json.dumps(_without_marks(value), ensure_ascii=False, separators=(",", ":"))


def _without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if name != "cache_control"}
        return {name: _without_marks(one) for name, one in kept.items()}
    return [_without_marks(one) for one in value] if isinstance(value, list) else value


def _shared(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one.startswith(other[:middle]):
            least = middle
        else:
            most = middle - 1
    return least
