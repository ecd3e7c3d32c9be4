"""The errors of `wit/context.wit`, as far as the documents determine them.

A value of `None` in a payload stands for words that are the component's own.
"""

from __future__ import annotations

from .casefile import Json


class SessionError(Exception):
    """A call that failed: a cause and its payload, keys in the contract's order."""

    def __init__(self, cause: str, payload: Json) -> None:
        super().__init__(cause)
        self.cause = cause
        self.payload = payload

    def as_json(self) -> Json:
        """The error as a transcript writes it."""
        return {"cause": self.cause, "message": None, "payload": self.payload}


def invalid_argument(argument: str) -> SessionError:
    """An argument that no session accepts."""
    return SessionError("invalid-argument", {"argument": argument, "problem": None})


def invalid_setting(key: str) -> SessionError:
    """A setting that is unknown, of the wrong type, out of range or at odds with another."""
    return SessionError("invalid-setting", {"key": key, "problem": None})


def out_of_order() -> SessionError:
    """A call that does not fit what the session is or where it stands."""
    return SessionError("out-of-order", None)
