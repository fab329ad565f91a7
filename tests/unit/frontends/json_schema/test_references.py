"""Where `$ref` leads."""

import pytest

from tercet.errors import GrammarError, UnsupportedSchemaError
from tercet.frontends.json_schema.compiler import lower
from tests.unit.frontends.texts import texts

DRAFT_4 = "http://json-schema.org/draft-04/schema#"


def test_pointers_are_unescaped():
    schema = {"$defs": {"a/b~c d%": {"type": "null"}}, "$ref": "#/$defs/a~1b~0c%20d%25"}
    assert "null" in texts(schema)
    assert "1" not in texts(schema)


def test_a_pointer_may_lead_anywhere_with_a_schema():
    schema = {"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}}}
    schema |= {"x-more": [{"type": "integer"}], "items": {"$ref": "#/x-more/0"}}
    assert "[1]" in texts(schema | {"type": "array"})
    assert "[null]" not in texts(schema | {"type": "array"})
    assert "true" in texts({"definitions": schema, "$ref": "#/definitions/properties/a/anyOf/1"})


def test_anchors_and_identifiers_inside_the_document():
    schema = {
        "$id": "http://example.com/root.json",
        "$defs": {
            "a": {"$anchor": "word", "type": "null"},
            "b": {"$id": "other.json", "type": "integer", "$defs": {"c": {"type": "boolean"}}},
        },
    }
    for ref, good in {
        "#word": "null",
        "http://example.com/root.json#word": "null",
        "other.json": "1",
        "other.json#/$defs/c": "true",
        "http://example.com/other.json": "1",
    }.items():
        found = texts(schema | {"$ref": ref})
        assert [text for text in ("null", "1", "true") if text in found] == [good], ref


def test_references_are_relative_to_the_nearest_identifier():
    inner = {"$id": "inner.json", "$defs": {"x": {"type": "null"}}, "$ref": "#/$defs/x"}
    schema = {"$defs": {"x": {"type": "integer"}, "inner": inner}, "$ref": "#/$defs/inner"}
    assert "null" in texts(schema)


def test_identifiers_of_draft_4_have_another_name():
    schema = {"$schema": DRAFT_4, "definitions": {"a": {"id": "#word", "type": "null"}}}
    assert "null" in texts(schema | {"items": {"$ref": "#word"}})
    with pytest.raises(GrammarError):
        lower({"definitions": {"a": {"id": "#word"}}, "$ref": "#word"})


def test_a_property_called_ref_is_no_reference():
    schema = {"type": "object", "properties": {"$ref": {"type": "string"}}, "required": ["$ref"]}
    assert '{"$ref": "a"}' in texts(schema)


def test_nowhere_is_an_error_with_the_nearest_name():
    with pytest.raises(GrammarError, match="leads nowhere") as caught:
        lower({"$defs": {"person": {}}, "items": {"$ref": "#/$defs/persn"}})
    assert caught.value.at == "/items/$ref"
    assert '"person"' in caught.value.hint


@pytest.mark.parametrize("ref", ["#/$defs/a", "#/$defs", "#/type"])
def test_what_is_not_a_schema_is_no_target(ref):
    with pytest.raises(GrammarError):
        lower(
            {"$defs": {"a": 1}, "type": "null", "$ref": ref} if ref != "#/$defs" else {"$ref": ref}
        )


@pytest.mark.parametrize("ref", ["http://example.com/a.json", "a.json#/b", "http://[", "urn:a:b"])
def test_outside_is_refused(ref):
    with pytest.raises(UnsupportedSchemaError) as caught:
        lower({"properties": {"a": {"$ref": ref}}})
    assert caught.value.pointer == "/properties/a/$ref"
    assert "fetched" in caught.value.why


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
        {
            "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
            "$ref": "#/$defs/a",
        },
        {"type": "object", "properties": {"x": {"allOf": [{"$ref": "#/properties/x"}]}}},
    ],
)
def test_a_schema_that_consists_of_itself_is_refused(schema):
    with pytest.raises(GrammarError, match="consists of itself"):
        lower(schema)


def test_python_objects_may_be_shared_and_even_cyclic():
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    schema["properties"]["self"] = schema
    assert '{"self": {"self": {}}}' in texts(schema)
