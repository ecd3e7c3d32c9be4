"""Which replies carry their reasoning, by the model that is asked (requests: Reasoning)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .conversation import Message
from .rules import Rules


@dataclass(frozen=True)
class Rule:
    """What a model asks for.

    `earlier` are the replies of earlier turns that carry their reasoning, `empty` whether calls go
    with the key also where it is empty, `binds` whether thinking is bound to what it was made
    behind.
    """

    earlier: str
    empty: bool
    binds: bool

    def carries_later(self, message: Message) -> bool:
        """Whether a reply carries its reasoning after its turn."""
        return self.earlier == "all" or (self.earlier == "tool-calls" and bool(message.calls))


def rule_of(name: str, rules: Rules) -> Rule:
    """The rule of a model: that of the first entry that is for it."""
    found = [
        entry.split(" ")[1] for entry in rules.value("reasoning.models") if is_for(entry, name)
    ]
    word, _, more = (found or ["none"])[0].partition("+")
    own = "all" if word == "bound" else word
    wanted, carry = rules.value("reasoning.earlier_turns"), rules.value("reasoning.carry")
    earlier = own if wanted == "by-model" else wanted
    if carry == "as-given":
        earlier = "all"
    return Rule(earlier, more == "empty" and carry == "turn", word == "bound")


def is_for(entry: str, name: str) -> bool:
    """Whether an entry of `reasoning.models` is for a model."""
    prefix = entry.split(" ", maxsplit=1)[0]
    last = name.strip().rpartition("/")[2]
    starts = [0, *(place + 1 for place, letter in enumerate(last) if letter in ".:")]
    if prefix == "*":
        return True
    return any(_begins(_plain(last[start:]), _plain(prefix)) for start in starts)


def _plain(name: str) -> str:
    """In small ASCII letters; `-` stands between words, whatever stood there."""
    small = "".join(letter.lower() if letter.isascii() else letter for letter in name)
    return re.sub(r"[._]", "-", small)


def _begins(name: str, prefix: str) -> bool:
    if not prefix.endswith("+"):
        return name.startswith(prefix)
    least = re.fullmatch(r"(.*?-)([0-9]{1,2})(?:-([0-9]{1,2}))?\+", prefix)
    if least is None or not name.startswith(least[1]):
        return False
    found = re.match(r"([0-9]{1,2})(?![0-9])(?:-([0-9]{1,2})(?![0-9]))?", name[len(least[1]) :])
    return found is not None and _version(found[1], found[2]) >= _version(least[2], least[3])


def _version(major: str, minor: str | None) -> tuple[int, int]:
    return int(major), int(minor or "0")
