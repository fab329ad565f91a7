"""Greedy answers of the real model: valid under twelve varied schemas, and the same every time.

The model is asked for something else than what the schema wants, so that the mask has work to do.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tercet import Grammar, Model, compile

pytestmark = pytest.mark.model

PROMPT = "Tell me about the weather in Paris on a rainy Sunday."
# left to itself, so small a model never closes a list
SHOWN = 'A list in JSON is {"list":{"head":1,"tail":null}}. Write a list in JSON.'
SHORT = {"type": "string", "minLength": 1, "maxLength": 12}
SCHEMAS: dict[str, Any] = {
    "boolean": {"type": "boolean"},
    "integer range": {"type": "integer", "minimum": 17, "maximum": 42},
    "number multipleOf": {"type": "number", "multipleOf": 0.5, "minimum": -1, "maximum": 9},
    "string length": {"type": "string", "minLength": 5, "maxLength": 20},
    "pattern": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
    "format date": {"type": "string", "format": "date"},
    "enum of all types": {"enum": [None, True, 3, "rain", ["sun"], {"a": 1}]},
    "object": {
        "type": "object",
        "properties": {"city": SHORT, "rain": {"type": "boolean"}, "degrees": {"type": "integer"}},
        "required": ["city", "degrees"],
        "additionalProperties": False,
    },
    "array counts": {"type": "array", "items": SHORT, "minItems": 2, "maxItems": 3},
    "tuple": {
        "type": "array",
        "prefixItems": [{"type": "integer"}, SHORT, {"type": "null"}],
        "items": False,
        "minItems": 3,
    },
    "anyOf": {"anyOf": [{"type": "integer", "minimum": 1000}, {"type": "array", "maxItems": 0}]},
    "recursion": {
        "$defs": {
            "list": {
                "anyOf": [
                    {"type": "null"},
                    {
                        "type": "object",
                        "properties": {"head": {"enum": [1, 2]}, "tail": {"$ref": "#/$defs/list"}},
                        "required": ["head", "tail"],
                        "additionalProperties": False,
                    },
                ]
            }
        },
        "type": "object",
        "properties": {"list": {"$ref": "#/$defs/list"}},
        "required": ["list"],
        "additionalProperties": False,
    },
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_valid_and_deterministic(model: Model, name: str) -> None:
    schema = SCHEMAS[name]
    constraint = compile(Grammar.json(schema, whitespace="compact"), model.vocabulary, cache=False)
    prompt = SHOWN if name == "recursion" else PROMPT
    answer = model.complete(prompt, constraint, max_tokens=60)
    again = model.complete(prompt, constraint, max_tokens=60)
    assert (again.text, again.tokens) == (answer.text, answer.tokens)
    assert again.logprob == answer.logprob
    assert json.loads(answer.text) == answer.value
    jsonschema.validate(answer.value, schema, format_checker=jsonschema.FormatChecker())


def test_the_reference_engine_gives_the_same(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = Grammar.json(SCHEMAS["object"], whitespace="compact")
    texts = []
    for engine in ("fast", "reference"):
        monkeypatch.setenv("TERCET_ENGINE", engine)
        constraint = compile(grammar, model.vocabulary, cache=False)
        texts.append(model.complete(PROMPT, constraint, max_tokens=25).text)
    assert texts[0] == texts[1]
