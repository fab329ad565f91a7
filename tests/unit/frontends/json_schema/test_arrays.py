"""Arrays whose items are counted, against jsonschema on every small array."""

import itertools
import json

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
