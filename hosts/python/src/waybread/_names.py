"""Names that are told apart."""

from __future__ import annotations

import itertools


class Names:
    """The names that were given."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def give(self, name: str) -> str:
        """`name`; where it is taken, `2~name`, or the next number that is free."""
        numbered = (f"{number}~{name}" for number in itertools.count(2))
        given = next(one for one in itertools.chain([name], numbered) if one not in self._given)
        self._given.add(given)
        return given
