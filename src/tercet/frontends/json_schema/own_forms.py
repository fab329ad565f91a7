"""The form of a schema's own keywords, apart from `enum` and `const`: kind by kind, as written."""

from __future__ import annotations

from dataclasses import replace

from tercet.automata.regex import Regex, negate
from tercet.automata.regex import union as union_regex
from tercet.frontends.json_schema.arrays import ANY_ARRAY, Arrays, Share
from tercet.frontends.json_schema.forms import Form, K
from tercet.frontends.json_schema.numbers import as_whole
from tercet.frontends.json_schema.objects import ANY_OBJECT, Member, Objects
from tercet.frontends.json_schema.schema import ANY_VALUE, Schema, Value


def complaints(schema: Schema) -> list[str]:
    """Why a schema's own keywords leave nothing of a kind it names, for error messages."""
    numbers = as_whole(schema.numbers) if "integer" in schema.types else schema.numbers
    kinds = {
        "number": numbers.why_empty,
        "integer": numbers.why_empty,
        "string": schema.strings.why_empty,
        "array": _arrays(schema).why_empty,
        "object": _objects(schema).why_empty,
    }
    return [kinds[kind]() for kind in sorted(schema.types & kinds.keys())]


def own_form(schema: Schema) -> Form:
    """What a schema's own keywords say about each kind, without `enum` and `const`."""
    types, numbers = schema.types, schema.numbers
    constants: set[bool | None] = {None} if "null" in types else set()
    if "integer" in types:
        numbers = as_whole(numbers)
    return Form(
        frozenset(constants | ({True, False} if "boolean" in types else set())),
        _if_any(numbers) if "integer" in types or "number" in types else (),
        _if_any(schema.strings) if "string" in types else (),
        _if_any(_arrays(schema)) if "array" in types else (),
        _if_any(_objects(schema)) if "object" in types else (),
    )


def _if_any(alternative: K) -> tuple[K, ...]:
    return () if alternative.why_empty() else (alternative,)


def _arrays(schema: Schema) -> Arrays:
    words = schema.arrays
    if words is None:
        return ANY_ARRAY
    prefix = tuple(item.atoms for item in words.prefix)
    shares: tuple[Share, ...] = ()
    if words.contains is not None:
        item, low, high = words.contains
        shares = (Share(item.atoms, low, high),)
    return Arrays(prefix, words.rest.atoms, words.low, words.high, shares, words.distinct).checked()


def _objects(schema: Schema) -> Objects:
    words = schema.objects
    if words is None:
        return ANY_OBJECT
    patterns: dict[Regex, Value] = {}
    for keys, item in words.patterns:
        patterns[keys] = patterns.get(keys, ANY_VALUE) | item.atoms
    named = Objects({}, ANY_VALUE, dict(patterns))
    other = words.additional.atoms if words.additional else ANY_VALUE
    if other and patterns:  # additional are those that no pattern matches
        patterns[negate(union_regex(*patterns))] = other
        other = ANY_VALUE
    rules = Objects({}, other, patterns)
    required = frozenset(words.required)
    members = {}
    for name, item in words.properties.items():
        value = item.atoms | named.member(name).value if patterns else item.atoms
        members[name] = Member(value, name in required)
    for name in words.required:
        if name not in members:
            members[name] = replace(rules.member(name), is_required=True)
    return Objects(
        members,
        other,
        patterns,
        words.names.atoms if words.names else ANY_VALUE,
        words.low,
        words.high,
        words.implied,
    )
