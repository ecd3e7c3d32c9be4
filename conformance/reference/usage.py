"""What a provider reported of a request (§10.6; requests: Usage)."""

from __future__ import annotations

from .casefile import Json
from .rules import LARGEST
from .spelling import Number

PLACES = (
    ("usage",),
    ("usageMetadata",),
    ("response", "usage"),
    ("message", "usage"),
    ("choices", 0, "usage"),
    ("x_groq", "usage"),
)
"""Where a response, or an event of a stream, has its usage."""

WRITTEN_IN_THE_PROMPT = (
    ("cache_creation_input_tokens",),
    ("prompt_tokens_details", "cache_write_tokens"),
)
CACHED_IN_THE_PROMPT = (
    ("cache_read_input_tokens",),
    ("prompt_tokens_details", "cached_tokens"),
    ("prompt_cache_hit_tokens",),
    ("cached_tokens",),
    ("num_cached_tokens",),
)

Place = tuple[str | int, ...]
Tokens = tuple[int, int | None, int | None, int | None]


def usage_of(given: Json) -> Json | None:
    """Tokens in the contract's names, or None where no spelling of usage is found."""
    objects = (found for place in PLACES if isinstance(found := _at(given, place), dict))
    usage = _read(next(objects, given))
    told = given.get("timings")
    timings = _named(_llama(told)) if isinstance(told, dict) else None
    if usage is None or timings is None:
        return usage or timings
    return {name: timings[name] if tokens is None else tokens for name, tokens in usage.items()}


def _read(usage: Json) -> Json | None:
    """One object in whatever spelling it has."""
    spellings = (_chat, _gemini, _ollama, _anthropic, _bedrock, _responses, _llama)
    found = (read for spelling in spellings if (read := spelling(usage)) is not None)
    return _named(next(found, None))


def _named(tokens: Tokens | None) -> Json | None:
    if tokens is None:
        return None
    names = ("input", "cached", "written", "output")
    capped = (None if count is None else min(count, LARGEST) for count in tokens)
    return dict(zip(names, capped, strict=True))


def _chat(usage: Json) -> Tokens | None:
    """OpenAI's chat completions, DeepSeek, and servers and proxies like them."""
    given = _count(usage, "prompt_tokens")
    if given is None:
        return None
    cached = _first(usage, CACHED_IN_THE_PROMPT)
    written = _first(usage, WRITTEN_IN_THE_PROMPT)
    written = _created(usage) if written is None else written
    return given, cached, written, _count(usage, "completion_tokens")


def _gemini(usage: Json) -> Tokens | None:
    given = _count(usage, "promptTokenCount")
    if given is None:
        return None
    parts = [_count(usage, name) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    told = [part for part in parts if part is not None]
    return given, _count(usage, "cachedContentTokenCount"), None, sum(told) if told else None


def _ollama(usage: Json) -> Tokens | None:
    given = _count(usage, "prompt_eval_count")
    return None if given is None else (given, None, None, _count(usage, "eval_count"))


def _anthropic(usage: Json) -> Tokens | None:
    written = _count(usage, "cache_creation_input_tokens")
    written = _created(usage) if written is None else written
    counts = _count(usage, "input_tokens"), _count(usage, "cache_read_input_tokens"), written
    return _apart(*counts, _count(usage, "output_tokens"))


def _bedrock(usage: Json) -> Tokens | None:
    given = _count(usage, "inputTokens")
    output = _count(usage, "outputTokens")
    read, written = (
        _count(usage, "cacheReadInputTokens"),
        _count(usage, "cacheWriteInputTokens"),
    )
    if given is not None and read is None and written is None:
        return given, None, None, output
    return _apart(given, read, written, output)


def _apart(
    given: int | None, read: int | None, written: int | None, output: int | None
) -> Tokens | None:
    """An input that is told without what the cache read and wrote."""
    if given is None or (read is None and written is None):
        return None
    return given + (read or 0) + (written or 0), read, written, output


def _responses(usage: Json) -> Tokens | None:
    given = _count(usage, "input_tokens")
    if given is None:
        return None
    cached = _count(usage.get("input_tokens_details"), "cached_tokens")
    return given, cached, None, _count(usage, "output_tokens")


def _llama(usage: Json) -> Tokens | None:
    cached, read = _count(usage, "cache_n"), _count(usage, "prompt_n")
    if read is None:
        return None
    return (cached or 0) + read, cached, None, _count(usage, "predicted_n")


def _created(usage: Json) -> int | None:
    """What was written to caches of several lives, in sum."""
    created = usage.get("cache_creation")
    if not isinstance(created, dict):
        return None
    return sum(_count(created, name) or 0 for name in created)


def _first(usage: Json, places: tuple[Place, ...]) -> int | None:
    """The first number of tokens that is told at one of the places."""
    for place in places:
        count = _count(_at(usage, place[:-1]), str(place[-1]))
        if count is not None:
            return count
    return None


def _at(value: Json, place: Place) -> Json:
    """What stands at a place; None if nothing does."""
    for step in place:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def _count(usage: Json, name: str) -> int | None:
    """A number of tokens that an object tells."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if not isinstance(value, Number) or not value.isdigit() or int(value) > LARGEST:
        return None
    return int(value)
