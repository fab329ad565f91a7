"""What the value of a keyword must look like for the schema to be a schema at all.

Apart from the meaning of keywords, so that a wrong kind of value is refused in one way everywhere.
Schemas inside are not looked at: each is checked when the reader comes to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from decimal import Decimal
from typing import Any

KINDS = ("null", "boolean", "number", "string", "array", "object")
TYPES = (*KINDS, "integer")
_SCHEMA_TYPES = {dict, bool}


def is_schema(value: object) -> bool:
    """A schema is an object or a boolean."""
    return isinstance(value, (dict, bool))


def is_number(value: object) -> bool:
    """A JSON number; neither a boolean nor NaN nor infinite."""
    if isinstance(value, (float, Decimal)):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """A whole number that is not negative; 2.0 is one."""
    return is_number(value) and value >= 0 and value == int(value)  # type: ignore[operator,call-overload]


def is_text(value: object) -> bool:
    """A string that UTF-8 can spell."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def _is_types(value: object) -> bool:
    if isinstance(value, str):
        return value in TYPES
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, str) and item in TYPES for item in value
    )


def _is_map(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    try:
        return all(map(str.isascii, value)) or all(map(is_text, value))
    except TypeError:  # a key that is no string
        return False


def _are_schemas(values: Collection[object]) -> bool:
    return {*map(type, values)} <= _SCHEMA_TYPES or all(map(is_schema, values))


def _is_schemas(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and _are_schemas(value)


SHAPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "anything": ("a JSON value", lambda _: True),
    "string": ("a string", is_text),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "count": ("a whole number that is not negative", is_count),
    "number": ("a finite number", is_number),
    "positive number": ("a number above 0", lambda value: is_number(value) and value > 0),
    "number or boolean": (
        "a number (or true or false, as in draft 4)",
        lambda value: isinstance(value, bool) or is_number(value),
    ),
    "types": (f"one of {', '.join(TYPES)}, or a list of them", _is_types),
    "list": ("a list of values", lambda value: isinstance(value, (list, tuple))),
    "names": (
        "a list of strings",
        lambda value: isinstance(value, (list, tuple)) and all(map(is_text, value)),
    ),
    "map": ("an object", _is_map),
    "schema": ("a schema: an object, true or false", is_schema),
    "schemas": ("a list of at least one schema", _is_schemas),
    "map of schemas": (
        "an object whose values are schemas",
        lambda value: _is_map(value) and _are_schemas(value.values()),
    ),
    "schema or list of schemas": (
        "a schema, or a list of schemas (as before 2020-12)",
        lambda value: (
            is_schema(value) or (isinstance(value, (list, tuple)) and _are_schemas(value))
        ),
    ),
}
