"""The next request of a session, as it would be built, and what its parts cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .amounts import Amounts
from .blocks import InFront
from .casefile import Json
from .conversation import Message, Standing
from .models import Calibration, Estimate, Limits, limits_of, name_of
from .requests import Ahead, Requests
from .rules import Rules
from .tools import Tool


@dataclass(frozen=True)
class Upcoming:
    """What the next request is made of."""

    requests: Requests
    calibration: Calibration
    tools: list[Tool]
    in_front: list[InFront]
    parameters: Json
    messages: list[Message]

    @property
    def rules(self) -> Rules:
        """The session's texts and numbers."""
        return self.requests.dialect.rules

    @property
    def name(self) -> str:
        """The main model's name; empty if there is none."""
        return name_of(self.parameters)

    @property
    def limits(self) -> Limits:
        """The main model's limits."""
        return limits_of(self.name, self.rules)

    def standings(self, name: str | None = None) -> list[Standing]:
        """How each message stands in the request, for the main model if none is named."""
        model = self.name if name is None else name
        return self.requests.standings(self.messages, Ahead(model, self.tools, self.in_front))

    def estimate(self) -> Estimate:
        """The request's tokens."""
        return self.estimate_with(self.standings(), self.name)

    def estimate_with(self, standings: list[Standing], name: str) -> Estimate:
        """A request's tokens for a model: the same tools and system prompt, these messages."""

        def cost(vocabulary: str) -> int:
            return self.cost(standings, Amounts(self.requests.dialect, vocabulary))

        return self.calibration.estimate(name, cost)

    def cost(self, standings: list[Standing], amounts: Amounts) -> int:
        """What a request costs with these messages."""
        front = amounts.front(self.tools, self.in_front)
        return front + sum(map(amounts.message, standings))

    def part(self, standings: list[Standing]) -> int:
        """The tokens of messages alone, for the main model."""
        return self.tokens_of(lambda amounts: sum(map(amounts.message, standings)))

    def text_tokens(self, text: str, name: str) -> int:
        """The tokens of a text alone, for a model."""
        return self.tokens_of(lambda amounts: amounts.text(text), name)

    def tokens_of(
        self, cost: Callable[[Amounts], int], name: str | None = None, *, whole: bool = False
    ) -> int:
        """The tokens of something alone, for a model, which is the main one if none is named."""
        dialect, model = self.requests.dialect, self.name if name is None else name

        def costs(vocabulary: str) -> int:
            return cost(Amounts(dialect, vocabulary))

        return self.calibration.estimate(model, costs, whole=whole).tokens

    def fits(self, standings: list[Standing]) -> bool:
        """Whether a request with these messages fits the main model, with room for its reply."""
        prompt = self.estimate_with(standings, self.name).tokens
        return self.limits.fits(prompt, self.limits.reserve(prompt, self.parameters))
