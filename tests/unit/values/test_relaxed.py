"""Relaxed keywords, also those deep inside and in the spelling of older drafts."""

import pytest

from tercet import Grammar
from tercet.errors import TercetError
from tercet.frontends.json_schema.keywords import KEYWORDS

ADDRESS = "https://example.org/list.json"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"

CASES = {
    "type": ({"type": "null"}, "1"),
    "enum": ({"enum": [1, 2]}, "3"),
    "const": ({"const": {"b": 1}}, "3"),
    "multipleOf": ({"multipleOf": 3}, "4"),
    "minimum": ({"minimum": 3}, "2"),
    "maximum": ({"maximum": 3}, "4"),
    "exclusiveMinimum": ({"exclusiveMinimum": 3}, "3"),
    "exclusiveMaximum": ({"exclusiveMaximum": 3}, "3"),
    "minLength": ({"minLength": 2}, '"a"'),
    "maxLength": ({"maxLength": 2}, '"abc"'),
    "pattern": ({"pattern": "^a"}, '"b"'),
    "format": ({"format": "ipv4"}, '"b"'),
    "items": ({"items": {"type": "null"}}, "[1]"),
    "prefixItems": ({"prefixItems": [{"type": "null"}]}, "[1]"),
    "additionalItems": ({"items": [{}], "additionalItems": {"type": "null"}}, "[1, 1]"),
    "minItems": ({"minItems": 2}, "[1]"),
    "maxItems": ({"maxItems": 0}, "[1]"),
    "uniqueItems": ({"uniqueItems": True}, "[{}, {}]"),
    "contains": ({"contains": {"const": 1}}, "[2]"),
    "minContains": ({"contains": {"const": 1}, "minContains": 2}, "[1]"),
    "maxContains": ({"contains": {"const": 1}, "maxContains": 1}, "[1, 1]"),
    "unevaluatedItems": ({"unevaluatedItems": False}, "[1]"),
    "properties": ({"properties": {"a": {"type": "null"}}}, '{"a": 1}'),
    "required": ({"required": ["b"]}, "{}"),
    "additionalProperties": ({"additionalProperties": False}, '{"a": 1}'),
    "patternProperties": ({"patternProperties": {"a": {"type": "null"}}}, '{"a": 1}'),
    "propertyNames": ({"propertyNames": {"maxLength": 0}}, '{"a": 1}'),
    "minProperties": ({"minProperties": 2}, '{"a": 1}'),
    "maxProperties": ({"maxProperties": 0}, '{"a": 1}'),
    "dependencies": ({"dependencies": {"a": ["b"]}}, '{"a": 1}'),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, '{"a": 1}'),
    "dependentSchemas": ({"dependentSchemas": {"a": {"required": ["b"]}}}, '{"a": 1}'),
    "unevaluatedProperties": ({"unevaluatedProperties": False}, '{"a": 1}'),
    "anyOf": ({"anyOf": [{"type": "null"}, {"type": "string"}]}, "1"),
    "allOf": ({"allOf": [{"type": "null"}]}, "1"),
    "oneOf": ({"oneOf": [{}, {"type": "string"}]}, '"a"'),
    "not": ({"not": {"type": "string"}}, '"a"'),
    "if": ({"if": {"type": "string"}, "then": {"minLength": 2}}, '"a"'),
    "then": ({"if": {"type": "string"}, "then": {"minLength": 2}}, '"a"'),
    "else": ({"if": {"type": "null"}, "else": {"type": "string"}}, "1"),
    "$ref": ({"$ref": ADDRESS}, '"a"'),
    "$dynamicRef": ({"$dynamicRef": ADDRESS}, '"a"'),
}
UNCHECKED = {"nullable", "$recursiveRef"}  # allows more; only part of draft 2019-09


def test_every_keyword_has_a_case():
    assert CASES.keys() | UNCHECKED == KEYWORDS.keys()


@pytest.mark.parametrize("keyword", CASES)
def test_it_is_not_enforced_but_checked(keyword):
    inside, text = CASES[keyword]
    schema = {"properties": {"x": {"items": inside}}, "type": "object"}
    grammar = Grammar.json(schema, lax=[keyword], resources={ADDRESS: {"type": "array"}})
    if keyword in {"properties", "items"}:  # then what is inside goes too
        grammar = Grammar.json(inside, lax=[keyword])
    else:
        text = f'{{"x": [{text}]}}'
    assert keyword in grammar.report.relaxed
    assert not grammar.report.exact
    with pytest.raises(TercetError, match="relaxed"):
        grammar.parse(text)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"minimum": 3, "exclusiveMinimum": True}, "3"),
        ({"items": [{"type": "null"}]}, "[1]"),
        ({"dependencies": {"a": "b"}}, '{"a": 1}'),
        ({"dependencies": {"a": {"required": ["b"]}}, "$schema": DRAFT_7}, '{"a": 1}'),
    ],
    ids=str,
)
def test_words_of_older_drafts(schema, text):
    with pytest.raises(TercetError, match="relaxed"):
        Grammar.json(schema, lax=set(schema) - {"$schema"}).parse(text)


def test_what_is_right_is_read():
    schema = {"type": "string", "nullable": True, "items": [{}], "minLength": 1}
    grammar = Grammar.json(schema, lax=["minLength"])
    assert grammar.parse("null") is None
    assert grammar.parse('"a"') == "a"
