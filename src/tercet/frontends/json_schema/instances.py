"""JSON values as they stand in `enum` and `const`: which are JSON at all, and which are equal.

JSON compares numbers by value (1 and 1.0 are equal) and never a number with a boolean (1 and true
are not), which Python does otherwise. Fractions are used throughout, so nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tercet.frontends.json_schema.shapes import is_number, is_text

DEEPEST = 100
"""Levels of nesting in a value of `enum` or `const`; deeper ones are refused."""


def exact(number: float | Decimal) -> int | Fraction:
    """A JSON number by its decimal value, as its text says and not as binary rounds it.

    What is written as an integer stays one, because it is spelled as one.

    >>> exact(0.1), exact(3), exact(3.0)
    (Fraction(1, 10), 3, Fraction(3, 1))
    """
    if isinstance(number, int):
        return number
    return Fraction(Decimal(repr(number)) if isinstance(number, float) else number)


def kind_of(value: object) -> str:
    """The JSON kind of a value, "" for what is not JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "string" if is_text(value) else ""
    if isinstance(value, (list, tuple)):
        return "array"
    return "object" if isinstance(value, dict) and all(map(is_text, value)) else ""


def not_json(value: object) -> str:
    """Why this is not a JSON value that can be written, or "" if it is one."""
    todo = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        kind = kind_of(item)
        if not kind:
            return f"{item!r:.60} cannot be written as JSON in UTF-8"
        if depth > DEEPEST:
            return f"values nested deeper than {DEEPEST} levels are not compared"
        if isinstance(item, (list, tuple)):
            todo += ((child, depth + 1) for child in item)
        elif isinstance(item, dict):
            todo += ((child, depth + 1) for child in item.values())
    return ""


def identity(value: Any) -> Hashable:
    """A key that two JSON values share exactly when JSON Schema calls them equal.

    >>> identity(1) == identity(1.0), identity(1) == identity(True)
    (True, False)
    """
    kind = kind_of(value)
    if kind == "number":
        return kind, exact(value)
    if kind == "array":
        return kind, tuple(map(identity, value))
    if kind == "object":
        return kind, frozenset((key, identity(item)) for key, item in value.items())
    return kind, value
