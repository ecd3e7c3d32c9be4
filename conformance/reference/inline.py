"""What a model or a repository wrote, on the bracket's line (rulings: Where a sentence stands)."""

from __future__ import annotations

import re
import unicodedata

from .rules import Rules

SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
BRACKET = re.compile(r"\[.*?(?<!\\)\]")


def escaped(text: str, special: str = "]") -> str:
    """A text that ends neither the bracket nor the line."""
    return "".join(_shown(character, special) for character in text)


def repeated(text: str, rules: Rules) -> str:
    """As much of a text as a refusal repeats."""
    most = int(rules.value("context.repeated_chars")) or len(text)
    mark = rules.section("cap")["cut"] if len(text) > most else ""
    return escaped(text[:most]) + mark


def bracket_of(line: str) -> str:
    """The bracket with which a result's first line begins."""
    found = BRACKET.match(line)
    return found[0] if found else line


def _shown(character: str, special: str) -> str:
    if unicodedata.category(character) == "Cc":
        return SHORT.get(character, f"\\u{ord(character):04x}")
    return "\\" + character if character == special else character
