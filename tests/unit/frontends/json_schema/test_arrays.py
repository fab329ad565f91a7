"""Arrays whose items are counted, against jsonschema on every small array."""

import itertools
import json
import random

import jsonschema
import pytest

from tercet.errors import UnsatisfiableError, UnsupportedSchemaError
from tests.unit.frontends.texts import texts

ITEMS = [1, 2, "a", None, True]
ARRAYS = [list(items) for n in range(5) for items in itertools.product(ITEMS, repeat=n)]

COUNTED = [
    {"contains": {"type": "integer"}},
    {"contains": {"const": 1}, "minContains": 2},
    {"contains": {"type": "integer"}, "maxContains": 1},
    {"contains": {"enum": [1, "a"]}, "minContains": 1, "maxContains": 2, "maxItems": 3},
    {"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1, "minItems": 2},
    {"contains": {"const": 2}, "prefixItems": [{"type": "string"}, {"type": "integer"}]},
    {"contains": {"const": 2}, "minContains": 3, "maxItems": 3},
    {"contains": {"const": "a"}, "items": {"type": ["integer", "string"]}, "maxContains": 1},
    {"contains": {"type": "string"}, "allOf": [{"contains": {"const": 1}, "maxContains": 1}]},
    {"contains": {"const": 1}, "allOf": [{"contains": {"const": 2}}, {"contains": {"const": "a"}}]},
    {"not": {"contains": {"type": "integer"}}},
    {"not": {"items": {"type": "integer"}}},
    {"not": {"items": {"type": "integer"}, "maxItems": 2}},
    {"not": {"prefixItems": [{"const": 1}, {"const": "a"}], "items": {"type": "string"}}},
    {"not": {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}},
    {"not": {"enum": [[1, 2], ["a"]]}},
    {"oneOf": [{"items": {"type": "integer"}}, {"contains": {"const": 1}}]},
]


def accepted(schema, arrays):
    found = texts({"type": "array", **schema}, whitespace="compact")
    return [array for array in arrays if json.dumps(array, separators=(",", ":")) in found]


@pytest.mark.parametrize("schema", COUNTED, ids=str)
def test_counted_items(schema):
    judge = jsonschema.Draft202012Validator(schema)
    assert accepted(schema, ARRAYS) == [array for array in ARRAYS if judge.is_valid(array)]


@pytest.mark.parametrize(
    "schema",
    [
        {"contains": {"const": 1}, "items": {"const": 2}},
        {"contains": {}, "maxItems": 0},
        {"contains": {"const": 1}, "minContains": 2, "maxContains": 1},
        {"contains": False},
        {"items": {"type": "integer"}, "maxContains": 1, "minItems": 2, "contains": {"minimum": 0},
         "allOf": [{"items": {"minimum": 0}}]},
    ],
    ids=str,
)  # fmt: skip
def test_no_such_array(schema):
    with pytest.raises(UnsatisfiableError):
        texts({"type": "array", **schema})


def test_great_counts_cost_nothing():
    schema = {"contains": {"const": 1}, "minContains": 2**29, "minItems": 2**30, "type": "array"}
    assert "[1]" not in texts(schema)
    assert "[]" in texts({"contains": {"const": 1}, "minContains": 0, "maxContains": 2**29})


def test_too_many_things_to_count():
    parts = [{"contains": {"const": number}} for number in range(10)]
    with pytest.raises(UnsupportedSchemaError) as caught:
        texts({"allOf": parts})
    assert caught.value.keyword == "contains"
    assert caught.value.pointer.endswith("/contains")


VALUES = [1, 1.0, 2, "a", "b", "", None, True, False]
MIXED = [list(items) for n in range(4) for items in itertools.product(VALUES, repeat=n)]

DISTINCT = [
    {"items": {"type": "string"}},
    {"items": {"type": "number"}},
    {"items": {"type": ["string", "integer", "boolean", "null"]}},
    {"items": {"enum": ["a", "b", 1]}},
    {"items": {"enum": ["a", "b", 1]}, "minItems": 2},
    {"items": {"type": ["boolean", "null"]}, "minItems": 3},
    {"items": {"type": "integer", "minimum": 1, "maximum": 2}, "minItems": 1},
    {"items": {"type": "string", "maxLength": 1, "pattern": "^[ab]?$"}},
    {"items": {"type": ["string", "boolean"], "pattern": "^[ab]$"}, "minItems": 2},
    {"prefixItems": [{"enum": [1, "a"]}, {"enum": [1, 2]}], "items": {"enum": [None, 1, 2]}},
    {"prefixItems": [{"enum": [1, "a"]}, {"const": 1}], "minItems": 2, "items": False},
    {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
    {"items": {"type": "boolean"}, "maxItems": 1},
    {"maxItems": 1},
    {},
    {"minItems": 3},
    {"prefixItems": [{"type": "boolean"}, {"type": "boolean"}]},
    {"prefixItems": [{"type": "boolean"}, {"enum": [True, None]}], "minItems": 2},
    {"prefixItems": [{"type": "boolean"}] * 2, "minItems": 3, "items": {"type": "string"}},
    {"prefixItems": [{"type": ["null", "integer"]}, {"type": ["null", "string"]}], "minItems": 2},
]


@pytest.mark.parametrize("schema", DISTINCT, ids=str)
def test_no_two_equal_items(schema):
    schema = {**schema, "uniqueItems": True}
    judge = jsonschema.Draft202012Validator(schema)
    wanted = [array for array in MIXED if judge.is_valid(array)]
    found = accepted(schema, MIXED)
    assert [array for array in found if not judge.is_valid(array)] == []
    assert [array for array in wanted if array not in found] == []


def test_no_comma_after_the_last_of_a_few_items():
    for items in ({"enum": ["a", "b"]}, {"type": "string", "pattern": "^[a-z]$"}):
        grammar = texts(
            {"type": "array", "items": items, "uniqueItems": True}, whitespace="compact"
        )
        letters = "ab" if "enum" in items else "abcdefghijklmnopqrstuvwxyz"
        whole = json.dumps(list(letters), separators=(",", ":"))
        assert whole in grammar
        assert not grammar.lives(whole[:-1] + ",")


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"type": "array", "maxItems": 2}},
        {"items": {"type": "array", "maxItems": 2}, "minItems": 2},
        {"items": {"prefixItems": [True, False]}},
        {"items": {"contains": {"const": 1}, "maxContains": 2}},
        {"items": {"maxProperties": 3}},
        {"items": {"type": "object", "properties": {"a": {}}, "additionalProperties": False}},
        {"items": {"items": {"uniqueItems": True}}},
        {"items": {"type": "object", "propertyNames": {"pattern": "^[a-z]$"}}},
        {"items": {"properties": {"a": {"propertyNames": {"pattern": "^[a-z]{2}$"}}}}},
        {"items": {"type": "string"}, "contains": {"const": "a"}},
        {"prefixItems": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
        {"prefixItems": [{"enum": ["a", False]}, {"type": ["integer", "null"]}]},
    ],
    ids=str,
)
def test_items_that_are_not_compared(schema):
    with pytest.raises(UnsupportedSchemaError) as caught:
        texts({"properties": {"a": {"type": "array", "uniqueItems": True, **schema}}})
    assert caught.value.keyword == "uniqueItems"
    assert caught.value.pointer == "/properties/a/uniqueItems"


def test_too_few_different_items():
    schema = {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3}
    with pytest.raises(UnsatisfiableError) as caught:
        texts(schema)
    assert caught.value.why == "there are not 3 different items that are allowed"


def test_what_is_compared_may_come_from_somewhere_else():
    few = {"items": {"enum": [[1], {"a": 1}]}, "allOf": [{"uniqueItems": True}], "type": "array"}
    found = texts(few, whitespace="compact")
    assert '[{"a":1},[1]]' in found
    assert '[{"a":1},{"a":1}]' not in found


@pytest.mark.parametrize(
    "schema",
    [
        {"unevaluatedItems": False, "prefixItems": [{"type": "integer"}]},
        {"unevaluatedItems": {"type": "null"}, "contains": {"const": 1}},
        {
            "unevaluatedItems": False,
            "anyOf": [{"prefixItems": [{"const": 1}]}, {"prefixItems": [{}, {"const": 2}]}],
        },
        {
            "unevaluatedItems": {"type": "string"},
            "if": {"prefixItems": [{"const": 1}], "minItems": 1},
            "then": {"prefixItems": [{}, {"type": "null"}]},
            "else": {"contains": {"const": 2}},
        },
        {"allOf": [{"unevaluatedItems": True}], "unevaluatedItems": False},
        {
            "oneOf": [{"prefixItems": [{"const": 1}]}, {"items": {"const": 2}}],
            "unevaluatedItems": False,
        },
    ],
    ids=str,
)  # fmt: skip
def test_items_that_nothing_has_looked_at(schema):
    judge = jsonschema.Draft202012Validator(schema)
    assert accepted(schema, ARRAYS) == [array for array in ARRAYS if judge.is_valid(array)]


@pytest.mark.parametrize("order", ["schema", "any"])
def test_walks_end_without_two_equal_composites(order):
    names = {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "minProperties": 1}
    items = {"anyOf": [names, {"type": "array", "items": {"type": ["null", "array"]}}]}
    schema = {"type": "array", "items": items, "uniqueItems": True, "minItems": 2}
    grammar, judge = texts(schema, order=order), jsonschema.Draft202012Validator(schema)
    for seed in range(20):
        assert judge.is_valid(json.loads(grammar.draw(random.Random(seed), 60)))
