"""What a request held, and where two requests part (`docs/assembly.md`, "Snapshots")."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MessageHash:
    """A message's hash, for a diagnosis of the prompt cache.

    Attributes:
        message: The message's number; None of one that the prompt put in front.
        role: `system`, `user`, `assistant` or `tool`.
        hash: The first four bytes of SHA-256, 8 lowercase hex digits; empty of an empty message.
    """

    message: int | None
    role: str
    hash: str


@dataclass(frozen=True)
class Snapshot:
    """What a request held. What happens later does not reach it.

    Attributes:
        request: The request's number.
        messages: The front's, then the conversation's; each result is one of its own.
        prompt_bytes: Bytes of all messages' roles and contents.
        blocks_bytes: Bytes of the prompt's blocks.
        tools_bytes: Bytes of the tools as they are encoded.
        max_tokens: The most tokens that the reply may have, if the request says so.
    """

    request: int
    messages: tuple[MessageHash, ...]
    prompt_bytes: int
    blocks_bytes: int
    tools_bytes: int
    max_tokens: int | None
