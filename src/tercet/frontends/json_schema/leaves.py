"""Values that are written in place: whole scalar types, and single strings.

They are most of all values in real schemas. A rule of its own would have to be written, compiled
and trapped for in the middle of an answer, which takes ten times as long.
"""

from __future__ import annotations

from functools import lru_cache

from tercet.frontends.json_schema.numbers import ANY_DIGITS, ANY_NUMBER, Numbers, as_whole
from tercet.frontends.json_schema.schema import Schema, Value
from tercet.frontends.json_schema.spelling import key_node, number_node, string_node
from tercet.frontends.json_schema.strings import ANY_STRING
from tercet.frontends.json_schema.style import Style
from tercet.grammar.nodes import Node, alt, lit

CONSTANTS = ((None, "null"), (True, "true"), (False, "false"))

_SCALARS = frozenset({"null", "boolean", "number", "integer", "string"})


def leaf_of(value: Value, style: Style) -> Node | None:
    """The texts of a value if they are as simple as that."""
    (atom,) = value if len(value) == 1 else (None,)
    if not isinstance(atom, Schema) or atom.strings is not ANY_STRING:
        return None
    if atom.values is not None:
        is_text = len(atom.values) == 1 and isinstance(atom.values[0], str)
        return key_node(atom.values[0], style) if is_text and "string" in atom.types else None
    if not atom.types or not atom.types <= _SCALARS:
        return None
    if atom.numbers is not ANY_NUMBER and atom.numbers is not ANY_DIGITS:
        return None
    return _scalars(atom.types, atom.numbers, style)


@lru_cache(1024)
def _scalars(types: frozenset[str], numbers: Numbers, style: Style) -> Node:
    parts = [lit("null")] if "null" in types else []
    parts += [lit("true"), lit("false")] if "boolean" in types else []
    if "integer" in types or "number" in types:
        numbers = as_whole(numbers) if "integer" in types else numbers
        parts.append(number_node((numbers,), style))
    parts += [string_node((ANY_STRING,), style)] if "string" in types else []
    return alt(*parts)
