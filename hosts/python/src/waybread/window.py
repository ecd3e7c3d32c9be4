"""A window that a replay holds recorded sessions to."""

from __future__ import annotations

from dataclasses import dataclass

from waybread._convert.arguments import invalid_argument, number

PRESETS = ("context-hygiene", "steiner")
TOKENS = range(4_000, 10_000_001)
SUMMARY_TOKENS = range(1, 3_073)


@dataclass(frozen=True)
class Window:
    """A model's context window, and how sessions are compacted in it (`docs/replay.md`).

    Attributes:
        tokens: How many tokens it has, from 4,000 to 10,000,000.
        preset: Whose rules: `context-hygiene` or `steiner` (`docs/compaction.md`, "Presets").
        summary_tokens: How long a stand-in summary is, in tokens of four characters: from 1 to
            3,072.

    Raises:
        InvalidArgumentError: A number out of its range, or another preset.
    """

    tokens: int
    preset: str = PRESETS[0]
    summary_tokens: int = 800

    def __post_init__(self) -> None:
        _check("tokens", self.tokens, TOKENS)
        _check("summary_tokens", self.summary_tokens, SUMMARY_TOKENS)
        if self.preset not in PRESETS:
            expected = " or ".join(PRESETS)
            raise invalid_argument("preset", f"is `{self.preset}`; it must be {expected}")


def _check(name: str, given: int, within: range) -> None:
    if number(name, given) not in within:
        raise invalid_argument(name, f"is {given}; it must be from {within[0]} to {within[-1]}")
