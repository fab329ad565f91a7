"""Schemas that are deep, large or multiply: a typed error or a language, and soon."""

import time

import pytest

from tercet.errors import GrammarError, TercetError, UnsatisfiableError, UnsupportedSchemaError
from tercet.frontends.json_schema.compiler import lower
from tests.unit.frontends.texts import Texts

LIMIT = 20  # seconds, for slow machines: each takes less than one on a fast one


def nested(count, leaf, wrap):
    for _ in range(count):
        leaf = wrap(leaf)
    return leaf


def tower(count, wrap):
    """Each definition uses the one before twice."""
    defs = {"d0": {"type": "integer"}}
    for number in range(1, count):
        defs[f"d{number}"] = wrap({"$ref": f"#/$defs/d{number - 1}"})
    return {"$defs": defs, "$ref": f"#/$defs/d{count - 1}"}


FINE = {
    "properties 5,000 deep": nested(
        5000, {"type": "null"}, lambda s: {"type": "object", "properties": {"a": s}}
    ),
    "required 5,000 deep": nested(
        5000, {}, lambda s: {"type": "object", "properties": {"a": s}, "required": ["a"]}
    ),
    "items 5,000 deep": nested(5000, {}, lambda s: {"type": "array", "items": s, "minItems": 1}),
    "allOf 5,000 deep": nested(5000, {"type": "null"}, lambda s: {"allOf": [s]}),
    "anyOf 5,000 deep": nested(5000, {"type": "null"}, lambda s: {"anyOf": [s, {"type": "null"}]}),
    "5,000 references": {
        "$defs": {f"r{n}": {"$ref": f"#/$defs/r{n + 1}"} for n in range(5000)}
        | {"r5000": {"type": "null"}},
        "$ref": "#/$defs/r0",
    },
    "100,000 strings": {"enum": [f"value {number}" for number in range(100_000)]},
    "100,000 numbers": {"enum": list(range(100_000))},
    "100,000 times the same": {"enum": ["a"] * 100_000},
    "10,000 properties": {"properties": {f"p{n}": {"type": "null"} for n in range(10_000)}},
    "10,000 required": {"required": [f"p{number}" for number in range(10_000)]},
    "10,000 branches": {"anyOf": [{"const": number} for number in range(10_000)]},
    "10,000 items": {"prefixItems": [{"type": "null"}] * 10_000},
    "a tower of allOf": tower(60, lambda s: {"allOf": [s, s]}),
    "a tower of anyOf": tower(60, lambda s: {"anyOf": [s, s]}),
    "a tower of members": tower(60, lambda s: {"properties": {"a": s, "b": s}, "required": ["a"]}),
    "huge counts": {"maxLength": 10**12, "maxItems": 10**30, "minLength": 10**9},
    "huge bounds": {"minimum": -(10**500), "maximum": 10**500, "type": "integer"},
    "10,000 numbers once each": {
        "items": {"type": "integer", "minimum": 1, "maximum": 10_000},
        "uniqueItems": True,
        "minItems": 10_000,
        "type": "array",
    },
    "5,000 strings once each": {
        "items": {"enum": [f"value {number}" for number in range(5000)]},
        "uniqueItems": True,
        "minItems": 1000,
        "type": "array",
    },
    "huge counts of items": {
        "contains": {"type": "integer"},
        "minContains": 2**29,
        "maxContains": 2**40,
        "minItems": 2**30,
        "type": "array",
    },
    "a tower of contains": tower(60, lambda s: {"allOf": [{"contains": s}, {"contains": s}]}),
    "a tower of unevaluatedItems": tower(40, lambda s: {"allOf": [s], "unevaluatedItems": s}),
    "nested quantifiers": {"pattern": "^((a+)+)+$"},
    "a large count in a pattern": {"pattern": "^[a-z]{1,5000}-[0-9]{1,5000}$"},
}


@pytest.mark.parametrize("name", FINE)
def test_large_but_fine(name):
    started = time.perf_counter()
    assert lower(FINE[name]).language.root
    assert time.perf_counter() - started < LIMIT


REFUSED = {
    "a constant 5,000 deep": ({"const": nested(5000, 1, lambda value: [value])}, GrammarError),
    "unions in intersections 5,000 deep": (
        nested(5000, {}, lambda s: {"minimum": 1, "anyOf": [s, {"type": "null"}]}),
        GrammarError,
    ),
    "2 ** 30 cases": (
        {
            "allOf": [
                {"anyOf": [{"required": [f"a{n}"]}, {"minProperties": 0, "required": [f"b{n}"]}]}
                for n in range(30)
            ]
        },
        UnsupportedSchemaError,
    ),
    "many things to count": (
        {"allOf": [{"contains": {"const": n}, "minContains": n} for n in range(30)]},
        UnsupportedSchemaError,
    ),
    "many branches that evaluate": (
        {
            "anyOf": [{"prefixItems": [True] * n} for n in range(1, 30)],
            "allOf": [{"anyOf": [{"contains": {"const": n}}, {}]} for n in range(30)],
            "unevaluatedItems": False,
        },
        UnsupportedSchemaError,
    ),
    "100,000 strings once each": (
        {
            "items": {"enum": [f"value {number}" for number in range(100_000)]},
            "uniqueItems": True,
            "type": "array",
        },
        UnsupportedSchemaError,
    ),
    "strings too long to compare": (
        {
            "items": {"pattern": "^a*$", "maxLength": 10**6, "type": "string"},
            "uniqueItems": True,
            "type": "array",
        },
        UnsupportedSchemaError,
    ),
    "20,000 objects": ({"enum": [{"a": n} for n in range(20_000)]}, UnsupportedSchemaError),
    "a pattern with too many states": ({"pattern": "^(a|b)*a(a|b){30}$"}, UnsupportedSchemaError),
    "counts in counts": ({"pattern": "^(((a{1,99}b?){1,99}c?){1,99}d?)$"}, UnsupportedSchemaError),
    "a prime": ({"type": "integer", "multipleOf": 1_000_003}, UnsupportedSchemaError),
    "many primes": (
        {"type": "integer", "allOf": [{"multipleOf": n} for n in (7, 11, 13, 17, 19)]},
        UnsupportedSchemaError,
    ),
    "lengths with gaps": (
        {"pattern": "^(ab)*$", "minLength": 10**6, "maxLength": 10**6 + 1},
        UnsupportedSchemaError,
    ),
    "a length beyond all texts": ({"minLength": 2**40}, UnsupportedSchemaError),
    "contradictions": ({"type": "array", "minItems": 2, "maxItems": 1}, UnsatisfiableError),
    "endless need": ({"type": "array", "items": {"$ref": "#"}, "minItems": 1}, UnsatisfiableError),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_time(name):
    schema, kind = REFUSED[name]
    started = time.perf_counter()
    with pytest.raises(TercetError) as caught:
        lower(schema)
    assert time.perf_counter() - started < LIMIT
    assert isinstance(caught.value, kind)
    assert len(str(caught.value)) < 100_000


def test_a_deep_text_is_followed():
    found = Texts(lower(FINE["items 5,000 deep"]).language, "fast")
    assert "[" * 5000 + "1" + "]" * 5000 in found


def test_recursive_intersections_stay_small():
    names = "abcdefgh"
    defs = {
        name: {"properties": {"x": {"$ref": f"#/$defs/{name}"}, "y": {"$ref": f"#/$defs/{after}"}}}
        for name, after in zip(names, names[1:] + names[0], strict=True)
    }
    schema = {"$defs": defs, "allOf": [{"$ref": f"#/$defs/{name}"} for name in names[:3]]}
    assert '{"x":{"y":{}}}' in Texts(lower(schema).language)
