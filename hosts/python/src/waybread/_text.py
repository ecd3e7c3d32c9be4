"""Text at the edge: the component takes Unicode scalar values, Python strings may hold more."""

from __future__ import annotations

REPLACEMENT = "\ufffd"


def scalar_values(text: str) -> str:
    """The text with every lone surrogate as U+FFFD and every proper pair as its character.

    A text without surrogates, which is nearly every text, is returned as it is.
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
