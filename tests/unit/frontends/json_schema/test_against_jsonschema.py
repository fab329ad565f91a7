"""Random schemas of the supported keywords: jsonschema has to agree on every instance.

An instance is accepted if its text is, with its keys in some order (`order="schema"` wants one).
And whatever a random walk writes has to be valid.
"""

import itertools
import json
import random
import re
import warnings

import jsonschema
import pytest

from tercet.errors import TercetError, UnsatisfiableError, UnsupportedSchemaError
from tests.unit.frontends.texts import texts

LEAVES = [
    {"type": "integer"},
    {"type": "number", "minimum": 1},
    {"type": "string", "maxLength": 1},
    {"type": ["null", "boolean"]},
    {"enum": [1, "a", None, [1], {"a": 1}]},
    {"const": "a"},
    {"const": {"a": 1}},
    {"pattern": "^a"},
    {"multipleOf": 2},
    {"exclusiveMaximum": 2},
    {"required": ["a"]},
    {"required": ["b", "a"]},
    {"minItems": 1},
    {"maxItems": 1},
    True,
    False,
    {"$ref": "#/$defs/x"},
    {"$ref": "#/$defs/y"},
]
TYPES = ["object", "array", "string", "integer", "null"]
INSTANCES = [
    *(0, 1, 2, 3, 1.5, "", "a", "ab", "b", None, True, False),
    *([], [1], [1, 2], ["a"], ["a", 1], [None, 2, 2], [[1]], [{"a": 1}]),
    *({}, {"a": 1}, {"a": "a"}, {"b": 1}, {"a": 1, "b": 2}, {"a": 2, "c": None}),
    *({"c": 1}, {"a": {"a": 1}}, {"b": [1], "a": "a"}, {"a": [], "b": "a", "c": 1}),
]


def random_schema(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(LEAVES)
    schema = {}

    def inner():
        return random_schema(rng, depth - 1)

    words = {
        "type": lambda: rng.sample(
            ["object", "array", "string", "integer", "null"], rng.randint(1, 4)
        ),
        "properties": lambda: {name: inner() for name in rng.sample("abc", rng.randint(1, 2))},
        "additionalProperties": inner,
        "required": lambda: rng.sample("abc", 1),
        "items": inner,
        "prefixItems": lambda: [inner() for _ in range(rng.randint(1, 2))],
        "minItems": lambda: rng.randint(0, 2),
        "maxItems": lambda: rng.randint(0, 3),
        "anyOf": lambda: [inner() for _ in range(rng.randint(1, 3))],
        "allOf": lambda: [inner() for _ in range(rng.randint(1, 2))],
        "patternProperties": lambda: {
            name: inner() for name in rng.sample(["^a", "b", "^.$", "c$|^a"], rng.randint(1, 2))
        },
        "propertyNames": lambda: rng.choice([{"maxLength": 1}, {"enum": ["a", "b"]}, inner()]),
        "minProperties": lambda: rng.randint(0, 3),
        "maxProperties": lambda: rng.randint(0, 3),
        "dependentRequired": lambda: {rng.choice("abc"): rng.sample("abc", 1)},
        "dependentSchemas": lambda: {rng.choice("abc"): inner()},
        "unevaluatedProperties": inner,
        "oneOf": lambda: [inner() for _ in range(rng.randint(1, 3))],
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "$ref": lambda: rng.choice(["#/$defs/x", "#/$defs/y"]),
        "enum": lambda: rng.sample(INSTANCES, 8),
        "minimum": lambda: rng.randint(-1, 2),
    }
    for word in rng.sample(list(words), rng.randint(1, 4)):
        schema[word] = words[word]()
    return schema


def document(rng):
    schema = random_schema(rng, 3)
    if isinstance(schema, bool):
        schema = {"allOf": [schema]}
    recursive = {"type": ["object", "integer"], "additionalProperties": {"$ref": "#/$defs/y"}}
    return {**schema, "$defs": {"x": random_leaf(rng), "y": recursive}}


def random_leaf(rng):
    return rng.choice([leaf for leaf in LEAVES if "$ref" not in str(leaf)])


def spellings(value):
    """The JSON texts of a value, for every order of keys."""
    if isinstance(value, list):
        for items in itertools.product(*map(spellings, value)):
            yield "[" + ",".join(items) + "]"
    elif isinstance(value, dict):
        for keys in itertools.permutations(value):
            for items in itertools.product(*(spellings(value[key]) for key in keys)):
                pairs = (f"{json.dumps(k)}:{item}" for k, item in zip(keys, items, strict=True))
                yield "{" + ",".join(pairs) + "}"
    else:
        yield json.dumps(value)


def judged(rng, schema, order):
    """Compare a schema's language with jsonschema's opinion."""
    judge = jsonschema.Draft202012Validator(schema)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = texts(schema, whitespace="compact", order=order)
    except UnsatisfiableError:
        assert not any(map(judge.is_valid, INSTANCES)), schema
        return
    wanted = all if order == "any" else any
    for value in INSTANCES:
        is_valid = judge.is_valid(value)
        decide = wanted if is_valid else any
        assert decide(text in found for text in spellings(value)) == is_valid, (schema, value)
    for _ in range(3):
        text = found.draw(rng, 30)
        if not re.search(r"[0-9]{16}", text):  # beyond that jsonschema rounds
            assert judge.is_valid(json.loads(text)), (schema, text)


@pytest.mark.parametrize("seed", range(60))
def test_random_schemas(seed):
    rng = random.Random(seed)
    for _ in range(10):
        schema, order = document(rng), rng.choice(["schema", "any"])
        try:
            judged(rng, schema, order)
        except UnsupportedSchemaError:
            continue
        except TercetError as error:
            if "too much memory" not in error.message:  # complements of several values of an enum
                raise
