"""Where two requests part (`docs/assembly.md`, "Snapshots")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybread._calls import Imports
from waybread._component import COMPONENT, INTERFACE, Instance, load
from waybread._convert.arguments import optional
from waybread._convert.inspection import snapshot_given

if TYPE_CHECKING:
    from waybread.snapshot import Snapshot


@dataclass(frozen=True)
class Diagnosis:
    """What two snapshots have in common.

    Attributes:
        predecessor_known: Whether there is an earlier one: nothing shared and nothing to share are
            not the same.
        shared: Messages that are equal, from the first on.
        earlier: Messages of the earlier one.
        differs_at: The number of the later one's message at which they part; None if all of the
            earlier one stands, or if that message has no number.
        prefix: A hash of the part that is shared; empty for none.
    """

    predecessor_known: bool
    shared: int
    earlier: int
    differs_at: int | None
    prefix: str


def diagnose(earlier: Snapshot | None, later: Snapshot) -> Diagnosis:
    """Say where two snapshots part. Neither is changed.

    Args:
        earlier: The snapshot before; None if there is none.
        later: The snapshot that is compared with it.
    """
    snapshots = optional(snapshot_given, "earlier", earlier), snapshot_given("later", later)
    instance = Instance(load(COMPONENT, INTERFACE), Imports({}))
    try:
        return Diagnosis(**instance.call("diagnose", *snapshots))
    finally:
        instance.close()
