"""A model that stands in for the main one when its prompt cache is cold.

The rules are in `docs/compaction.md`, "Fallback".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class ModelRef:
    """A model at a provider.

    Attributes:
        provider: The provider's name, as the harness calls it.
        model: The model's name at the provider.
    """

    provider: str
    model: str


@dataclass(frozen=True)
class MainRequest:
    """The last request to the main model that was answered.

    Attributes:
        model: The main model.
        cache_key: The key under which the provider caches prompts; empty for none.
        at: When, in milliseconds since any moment that stays the same.
    """

    model: ModelRef
    cache_key: str = ""
    at: int = field(kw_only=True)


@dataclass(frozen=True)
class FallbackDisabled:
    """The fallback is switched off. Nothing needs to be resolved."""


@dataclass(frozen=True)
class CacheWarm:
    """The main model's cache is warm. Nothing needs to be resolved."""


@dataclass(frozen=True)
class CacheCold:
    """The main model's cache is cold: a fallback may be resolved.

    Attributes:
        reason: Why: `no recent request`, `idle 12m > 5m`. For `FallbackModel.reason`.
    """

    reason: str


FallbackDecision = FallbackDisabled | CacheWarm | CacheCold
"""Whether a summary is better asked of another model."""


@dataclass(frozen=True)
class FallbackModel:
    """A model that is asked for a summary in the main model's place.

    Attributes:
        model: The model.
        parameters: As `Session.build_request` takes them, for this model.
        window: Its window in tokens; 0: as `budget.models` and `budget.window` say.
        max_output: The most tokens that it writes; 0: as `budget.models` and `budget.max_output`
            say.
        reason: Why the cache is cold, as `CacheCold.reason` says.
    """

    model: ModelRef
    parameters: Mapping[str, object] | str = ""
    window: int = 0
    max_output: int = 0
    reason: str = ""


@dataclass(frozen=True)
class FallbackUnresolved:
    """The fallback could not be resolved or built: the main model is asked.

    Attributes:
        error: Why, in the harness's words.
    """

    error: str


SummaryTarget = FallbackModel | FallbackUnresolved | None
"""Which model is asked for a summary; None is the main one."""


class FallbackStatus(str, Enum):
    """Whether a fallback was used."""

    USED = "used"

    SKIPPED = "skipped"
    """It was chosen, and the main model was asked instead."""


@dataclass(frozen=True)
class FallbackUse:
    """What became of a fallback.

    Attributes:
        status: Whether it was used.
        model: `provider/model`; None where it could not be resolved.
        reason: Why the cache was cold, or why the fallback was passed over.
    """

    status: FallbackStatus
    model: str | None
    reason: str
