"""The part of a session that tells what its requests hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import inspection as convert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread._handle import Handle
    from waybread.context_report import ContextReport
    from waybread.snapshot import Snapshot


class Inspection:
    """Snapshots, and what fills the window (`docs/assembly.md`).

    A session needs a dialect for it.
    """

    _handle: Handle

    def snapshot(self) -> Snapshot:
        """Return what the newest request held ("Snapshots"). `diagnose` compares two of them.

        Raises:
            OutOfOrderError: There is no request, or messages of it were taken back or summarised
                since.
            StorageError: The storage failed.
        """
        return convert.snapshot(self._handle.call("snapshot"))

    def context_report(self, parameters: Mapping[str, object] | str = "") -> ContextReport:
        """Return what the next request would hold, part by part ("What fills the window").

        Nothing is built.

        Args:
            parameters: As `build_request` takes them; an empty text stands for those of the newest
                request, if there is one. Another model has the prompt made again.

        Raises:
            InvalidArgumentError: As `build_request`.
            OutOfOrderError: The session has no dialect or no message.
            StorageError: The storage failed.
        """
        answer = self._handle.call("context-report", given.spelled("parameters", parameters))
        return convert.context_report(answer)
