"""Blocks of a prompt, and skills."""

from __future__ import annotations

from typing import Any

from waybread.assembly import PromptBlock, Zone
from waybread.settings import PromptPart
from waybread.skills import SkillState, SkillTruncated


def prompt_block(answer: dict[str, Any]) -> PromptBlock:
    """`prompt-block`."""
    part = None if answer["part"] is None else PromptPart(answer["part"])
    return PromptBlock(**{**answer, "part": part, "zone": Zone(answer["zone"])})


def skill_state(answer: dict[str, Any]) -> SkillState:
    """`skill-state`."""
    return SkillState(**answer)


def skill_truncated(answer: dict[str, Any] | None) -> SkillTruncated | None:
    """`option<skill-truncated>`."""
    return None if answer is None else SkillTruncated(**answer)
