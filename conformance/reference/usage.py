"""What a provider reported of a request (§10.6; requests: Usage)."""

from __future__ import annotations

from .casefile import Json
from .rules import LARGEST
from .spelling import Number

PLACES = ("usage", "usageMetadata", "timings")


def usage_of(given: Json) -> Json | None:
    """Tokens in the contract's names, or None where no spelling of usage is found."""
    usage, metadata, timings = (
        _read(given[place]) if isinstance(given.get(place), dict) else None for place in PLACES
    )
    if usage is not None and timings is not None:
        return {name: timings[name] if told is None else told for name, told in usage.items()}
    return usage or metadata or timings or _read(given)


def _read(usage: Json) -> Json | None:
    """One object in whatever spelling it has."""
    for spelling in (_anthropic, _deepseek, _responses, _chat, _gemini, _llama):
        read = spelling(usage)
        if read is not None:
            names = ("input", "cached", "written", "output")
            capped = (None if tokens is None else min(tokens, LARGEST) for tokens in read)
            return dict(zip(names, capped, strict=True))
    return None


Tokens = tuple[int, int | None, int | None, int | None]


def _anthropic(usage: Json) -> Tokens | None:
    read, written = (
        _count(usage, "cache_read_input_tokens"),
        _count(usage, "cache_creation_input_tokens"),
    )
    given = _count(usage, "input_tokens")
    if given is None or (read is None and written is None):
        return None
    return given + (read or 0) + (written or 0), read, written, _count(usage, "output_tokens")


def _deepseek(usage: Json) -> Tokens | None:
    hit, given = _count(usage, "prompt_cache_hit_tokens"), _count(usage, "prompt_tokens")
    if given is None or hit is None:
        return None
    return given, hit, None, _count(usage, "completion_tokens")


def _responses(usage: Json) -> Tokens | None:
    given = _count(usage, "input_tokens")
    if given is None:
        return None
    cached = _count(usage.get("input_tokens_details"), "cached_tokens")
    return given, cached, None, _count(usage, "output_tokens")


def _chat(usage: Json) -> Tokens | None:
    given = _count(usage, "prompt_tokens")
    if given is None:
        return None
    cached = _count(usage.get("prompt_tokens_details"), "cached_tokens")
    return given, cached, None, _count(usage, "completion_tokens")


def _gemini(usage: Json) -> Tokens | None:
    given = _count(usage, "promptTokenCount")
    if given is None:
        return None
    parts = [_count(usage, name) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    told = [part for part in parts if part is not None]
    return given, _count(usage, "cachedContentTokenCount"), None, sum(told) if told else None


def _llama(usage: Json) -> Tokens | None:
    cached, read = _count(usage, "cache_n"), _count(usage, "prompt_n")
    if read is None:
        return None
    return (cached or 0) + read, cached, None, _count(usage, "predicted_n")


def _count(usage: Json, name: str) -> int | None:
    """A number of tokens that an object tells."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if not isinstance(value, Number) or not value.isdigit() or int(value) > LARGEST:
        return None
    return int(value)
