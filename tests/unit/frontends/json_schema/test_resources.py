"""Schemas passed along by address, references that depend on the way, drafts and OpenAPI."""

import pytest

from tercet import Grammar
from tercet.errors import GrammarError, TercetError, UnsupportedSchemaError

ADDRESS = "https://example.org/name.json"
NAME = {"$defs": {"short": {"type": "string", "maxLength": 2}}, "$ref": "#/$defs/short"}


def test_a_reference_to_a_schema_that_was_passed_along():
    grammar = Grammar.json({"items": {"$ref": ADDRESS}, "type": "array"}, resources={ADDRESS: NAME})
    assert '["ab"]' in grammar
    assert '["abc"]' not in grammar
    assert '["abc"]' not in Grammar.from_dict(grammar.to_dict())
    part = Grammar.json({"$ref": f"{ADDRESS}#/$defs/short"}, resources={f"{ADDRESS}#": NAME})
    assert '"abc"' not in part


def test_errors_in_such_a_schema_say_which():
    with pytest.raises(GrammarError) as caught:
        Grammar.json({"$ref": ADDRESS}, resources={ADDRESS: {"properties": {"a": {"type": "x"}}}})
    assert caught.value.at == f"{ADDRESS}#/properties/a/type"
    assert '"x"' in caught.value.excerpt


def test_nothing_is_fetched():
    with pytest.raises(UnsupportedSchemaError) as caught:
        Grammar.json({"properties": {"a": {"$ref": ADDRESS}}})
    assert caught.value.pointer == "/properties/a/$ref"
    assert "resources=" in caught.value.hint


@pytest.mark.parametrize("resources", [{"name.json": {}}, {ADDRESS: 1}, {1: {}}])
def test_what_is_no_resource(resources):
    with pytest.raises(TercetError, match="no schema with an address"):
        Grammar.json({}, resources=resources)


def test_a_dynamic_reference_leads_to_the_outermost_anchor():
    tree = {
        "$id": "https://example.org/tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"data": {}, "children": {"items": {"$dynamicRef": "#node"}}},
    }
    strict = {
        "$id": "https://example.org/strict-tree",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "properties": {"data": {"type": "integer"}},
    }
    plain = Grammar.json(tree)
    grammar = Grammar.json(strict, resources={"https://example.org/tree": tree})
    for text, is_good in {
        '{"children": [{"data": 1}]}': True,
        '{"children": [{"data": "a"}]}': False,
    }.items():
        assert text in plain
        assert (text in grammar) is is_good


def test_a_dynamic_reference_without_a_dynamic_anchor_is_a_reference():
    grammar = Grammar.json({"$defs": {"a": {"$anchor": "a", "type": "null"}}, "$dynamicRef": "#a"})
    assert "null" in grammar
    assert "1" not in grammar


def test_a_recursive_reference():
    schema = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "properties": {"a": {"$recursiveRef": "#"}, "b": {"type": "null"}},
    }
    assert '{"a": {"b": null}}' in Grammar.json(schema)
    assert '{"a": {"b": 1}}' not in Grammar.json(schema)


def test_what_openapi_calls_nullable():
    assert "null" in Grammar.json({"type": "string", "nullable": True})
    assert "null" not in Grammar.json({"type": "string", "enum": ["a"], "nullable": True})
    draft = "https://json-schema.org/draft/2020-12/schema"
    with pytest.warns(match="nullable"):
        grammar = Grammar.json({"$schema": draft, "type": "string", "nullable": True})
    assert "null" not in grammar


def test_the_discriminator_of_openapi_constrains_nothing_itself():
    schema = {"anyOf": [{"type": "null"}], "discriminator": {"propertyName": "kind"}}
    assert "null" in Grammar.json(schema)
