"""A session that puts summaries in the place of messages (docs/compaction.md)."""

from __future__ import annotations

from dataclasses import dataclass

from .measured import Measured


@dataclass
class Compacting(Measured):
    """A conversation that can be compacted."""
