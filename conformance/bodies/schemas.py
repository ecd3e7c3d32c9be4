"""A body against its dialect's schema in `schemas/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jsonschema
from jsonschema.exceptions import ValidationError

from reference.casefile import Json, load

SCHEMAS = Path(__file__).parent.parent / "schemas"
LONGEST = 300
"""Characters of a problem: the library's sentences repeat the value that they are about."""
OF_AN_OBJECT = ("required", "additionalProperties", "unevaluatedProperties", "dependentRequired")
"""Keywords whose problem is one of a key: the description of the object would say nothing of it."""


def schema_problems(dialect: str, body: Json, *, own: bool) -> list[str]:
    """What the schema refuses, each with its place in the body, in the body's order.

    `own`: the provider's own endpoint, which refuses what it does not know. Otherwise any server
    that follows its interface.
    """
    errors = _validator(dialect, own=own).iter_errors(body)
    return sorted(_problem(error) for error in errors)


@cache
def _validator(dialect: str, *, own: bool) -> jsonschema.Draft202012Validator:
    schema = load(SCHEMAS / f"{dialect}.schema.json")
    if not own:
        schema = {"$ref": "#/$defs/body", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(schema)


def _problem(error: ValidationError) -> str:
    message = "is not allowed here" if error.validator == "not" else error.message
    if len(message) > LONGEST:
        message = message[: LONGEST // 2] + " … " + message[-LONGEST // 2 :]
    why = None
    if isinstance(error.schema, dict) and error.validator not in OF_AN_OBJECT:
        why = error.schema.get("description")
    return f"{error.json_path}: {message}" + (f" ({why})" if why else "")
