"""Models by their names: vocabulary, limits, calibration (compaction: Limits, Calibration)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .casefile import Json
from .rules import LARGEST, Rules
from .spelling import Number, is_text
from .thinking import WHITE

EXPLICIT = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""Parameters that say how many tokens a reply may have."""

ANY = "*"
MILLION = 1_000_000


def name_of(parameters: Json) -> str:
    """The model that parameters name, without white space around it; empty if they name none."""
    name = parameters.get("model")
    return str(name).strip(WHITE) if is_text(name) else ""


def fits_name(prefix: str, name: str) -> bool:
    """Whether a model's name begins with a prefix, aside from what stands before its last `/`."""
    return name.rpartition("/")[2].startswith(prefix)


def vocabulary_of(name: str, rules: Rules) -> tuple[str, str, int]:
    """A model's entry of `tokens.models`; `*` is for all that no other is for."""
    entries = [entry.split(" ") for entry in rules.value("tokens.models")]
    named = [words for words in entries if words[0] != ANY and fits_name(words[0], name)]
    prefix, vocabulary, factor = (named or [words for words in entries if words[0] == ANY])[0]
    return prefix, vocabulary, int(factor)


@dataclass(frozen=True)
class Estimate:
    """How many tokens a request has."""

    tokens: int
    raw: int
    strategy: str
    confidence: str

    def as_json(self) -> Json:
        """The estimate as a transcript writes it."""
        return {
            "tokens": self.tokens,
            "raw": self.raw,
            "strategy": self.strategy,
            "confidence": self.confidence,
        }


@dataclass(frozen=True)
class Correction:
    """What the usage that was reported of a model's requests says of its estimates."""

    factor: float = 1.0
    hidden: float = 0.0
    samples: int = 0

    def with_sample(self, raw: int, given: int, rules: Rules) -> Correction | None:
        """With one more report; None for one that cannot be of the whole request."""
        least = int(rules.value("tokens.ratio_least")) / 1000
        most = int(rules.value("tokens.ratio_most")) / 1000
        if given / raw < least:
            return None
        ratio = (given - self.hidden) / raw
        too_high = most > 0 and given / raw > most
        if raw < int(rules.value("tokens.ratio_from")) or too_high or ratio < least:
            hidden = max(given - raw * self.factor, 0.0)
            limit = int(rules.value("tokens.hidden_most"))
            return replace(self, hidden=hidden) if hidden <= limit else None
        smoothing = int(rules.value("tokens.smoothing_percent")) / 100
        factor = self.factor + smoothing * (ratio - self.factor)
        return replace(self, factor=factor, samples=self.samples + 1)


@dataclass
class Calibration:
    """Corrections by a model's name."""

    rules: Rules
    corrections: dict[str, Correction] = field(default_factory=dict)

    def learn(self, name: str, raw: int, given: int) -> None:
        """Takes a sample: `given` tokens of input where `raw` were estimated."""
        if name == "" or raw == 0 or given == 0:
            return
        learnt = self.corrections.get(name, Correction()).with_sample(raw, given, self.rules)
        if learnt is not None:
            self.corrections[name] = learnt
        elif name in self.corrections:
            self.corrections[name] = replace(self.corrections[name], samples=0)

    def estimate(self, name: str, cost: Callable[[str], int], *, whole: bool = True) -> Estimate:
        """The tokens of what has a `cost` in a vocabulary, in thousandths.

        What a provider adds stands in a `whole` request and in no part of one.
        """
        prefix, vocabulary, factor = vocabulary_of(name, self.rules)
        raw = min((cost(vocabulary) * factor + MILLION // 2) // MILLION, LARGEST)
        known = self.corrections.get(name)
        if known is None:
            return Estimate(raw, raw, "weights", "low" if prefix == ANY else "medium")
        tokens = min(_half_up(raw * known.factor + (known.hidden if whole else 0.0)), LARGEST)
        sure = known.samples >= self.rules.value("tokens.confident_samples")
        confidence = "high" if sure else "medium"
        return Estimate(max(tokens, min(raw, 1)), raw, "provider-usage", confidence)


def _half_up(value: float) -> int:
    whole = math.floor(value)
    return whole + 1 if value - whole >= 0.5 else whole  # noqa: PLR2004


@dataclass(frozen=True)
class Limits:
    """What a model's window leaves room for, in tokens. A window of 0 is not known."""

    rules: Rules
    window: int
    max_output: int

    def instead(self, window: int, max_output: int) -> Limits:
        """With other limits where they are told."""
        window, max_output = window or self.window, max_output or self.max_output
        return replace(self, window=window, max_output=max_output)

    def share(self, percent: str, least: str, most: str) -> int:
        """A share of the window between two bounds, all by the names of their settings."""
        size = self.window * int(self.rules.value(percent)) // 100
        return min(max(size, int(self.rules.value(least))), int(self.rules.value(most)))

    @property
    def margin(self) -> int:
        """Tokens kept free for what the estimate misses."""
        if self.window == 0:
            return 0
        return self.share("budget.margin_percent", "budget.margin_least", "budget.margin_most")

    @property
    def hard(self) -> int:
        """The window without the margin."""
        return max(0, self.window - self.margin)

    @property
    def soft(self) -> int:
        """From how many tokens on a compaction is due."""
        if self.window == 0:
            return 0
        threshold = int(self.rules.value("compaction.threshold_tokens"))
        return threshold or self.percent("compaction.threshold_percent")

    def percent(self, key: str) -> int:
        """A share of the window, rounded up."""
        return -(-self.window * int(self.rules.value(key)) // 100)

    def reserve(self, prompt: int, parameters: Json) -> int:
        """Tokens kept free for the reply."""
        if self.window == 0:
            return 0
        explicit = _explicit(parameters, self.rules)
        if explicit is not None:
            is_less = self.max_output == 0 or explicit < self.max_output
            return explicit if is_less else self.max_output
        left = self.window - prompt - self.margin
        floor = min(self.max_output, int(self.rules.value("budget.default_output")))
        return max(min(self.max_output, left), floor)

    def fits(self, prompt: int, reserve: int) -> bool:
        """Whether prompt, reserve and margin fit the window."""
        return self.window == 0 or prompt + reserve + self.margin <= self.window


def limits_of(name: str, rules: Rules) -> Limits:
    """A model's limits."""
    for entry in rules.value("budget.models"):
        prefix, window, output = entry.split(" ")
        if prefix == ANY or fits_name(prefix, name):
            return Limits(rules, int(window), int(output))
    pairs = (("window", "max_output"), ("fallback_window", "fallback_output"))
    given, instead = ([int(rules.value(f"budget.{key}")) for key in pair] for pair in pairs)
    return Limits(rules, *(given if any(given) else instead))


def whole_number(value: Json) -> int | None:
    """A JSON number that is whole and not negative."""
    return int(value) if isinstance(value, Number) and value.isdigit() else None


def _explicit(parameters: Json, rules: Rules) -> int | None:
    """The first positive whole number that says how long a reply may be."""
    configured = dict(entry.split(" ") for entry in rules.value("budget.parameters"))
    found = [
        int(rules.value("budget.max_tokens")),
        *(whole_number(parameters.get(name)) for name in EXPLICIT),
        *(whole_number(Number(configured.get(name, ""))) for name in EXPLICIT),
    ]
    return next((number for number in found if number), None)
