"""The next request of a session, as it would be built, and what its parts cost."""

from __future__ import annotations

from dataclasses import dataclass

from .amounts import Amounts
from .casefile import Json
from .conversation import Message, Standing
from .models import Calibration, Estimate, Limits, limits_of, name_of
from .requests import Requests
from .rules import Rules
from .tools import Tool


@dataclass(frozen=True)
class Upcoming:
    """What the next request is made of."""

    requests: Requests
    calibration: Calibration
    tools: list[Tool]
    system: str
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

    def standings(self) -> list[Standing]:
        """How each message stands in the request."""
        return self.requests.standings(self.messages)

    def estimate(self) -> Estimate:
        """The request's tokens."""
        return self.estimate_with(self.standings(), self.name)

    def estimate_with(self, standings: list[Standing], name: str) -> Estimate:
        """A request's tokens for a model: the same tools and system prompt, these messages."""

        def cost(vocabulary: str) -> int:
            amounts = Amounts(self.requests.dialect, vocabulary)
            return amounts.front(self.tools, self.system) + sum(map(amounts.message, standings))

        return self.calibration.estimate(name, cost)

    def part(self, standings: list[Standing]) -> int:
        """The tokens of messages alone, for the main model."""

        def cost(vocabulary: str) -> int:
            return sum(map(Amounts(self.requests.dialect, vocabulary).message, standings))

        return self.calibration.estimate(self.name, cost).tokens

    def text_tokens(self, text: str, name: str) -> int:
        """The tokens of a text alone, for a model."""

        def cost(vocabulary: str) -> int:
            return Amounts(self.requests.dialect, vocabulary).text(text)

        return self.calibration.estimate(name, cost).tokens

    def fits(self, standings: list[Standing]) -> bool:
        """Whether a request with these messages fits the main model, with room for its reply."""
        prompt = self.estimate_with(standings, self.name).tokens
        return self.limits.fits(prompt, self.limits.reserve(prompt, self.parameters))
