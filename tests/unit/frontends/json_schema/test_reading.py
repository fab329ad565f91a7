"""Which schemas are taken, refused, warned about and relaxed."""

import warnings

import pytest

from tercet import Grammar
from tercet.errors import (
    GrammarError,
    TercetError,
    TercetWarning,
    UnsatisfiableError,
    UnsupportedSchemaError,
)
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.json_schema.keywords import ANNOTATIONS, KEYWORDS
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.json_schema.refusals import RELAXED_WITH
from tests.unit.frontends.texts import texts

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"

REFUSED = {
    "pattern": r"^(a+)b\1$",
    "minLength": 2**40,
}


@pytest.mark.parametrize(("keyword", "value"), REFUSED.items())
def test_refused_with_place_and_way_out(keyword, value):
    schema = {"properties": {"a": {keyword: value}}}
    with pytest.raises(UnsupportedSchemaError) as caught:
        lower(schema)
    assert caught.value.pointer == f"/properties/a/{keyword}"
    assert caught.value.keyword == keyword
    assert caught.value.why
    assert "lax=" in caught.value.hint


@pytest.mark.parametrize(("keyword", "value"), REFUSED.items())
def test_every_refusal_can_be_relaxed(keyword, value):
    report = lower({keyword: value}, JsonOptions(lax=frozenset({keyword}))).report
    assert not report.exact
    assert keyword in report.relaxed


@pytest.mark.parametrize(
    "schema",
    [
        {"uniqueItems": False},
        {"minProperties": 0},
        {"not": False},
        {"oneOf": [{"type": "integer"}]},
        {"if": {"type": "null"}},
        {"then": False, "else": False},
        {"minContains": 3},
        {"patternProperties": {"^a": True}},
        {"propertyNames": True, "unevaluatedProperties": {}},
        {"dependentRequired": {"a": []}},
        {"type": "integer", "uniqueItems": True, "patternProperties": {"a": {"type": "null"}}},
    ],
)
def test_what_changes_nothing_is_not_refused(schema):
    assert lower(schema).report.exact


def test_relaxing_never_forbids_more():
    schema = {"patternProperties": {"^a": {"type": "null"}}, "additionalProperties": False}
    assert '{"a": 1}' in texts(schema, lax=frozenset({"patternProperties"}))
    assert set(RELAXED_WITH) <= set(KEYWORDS)


def test_relaxed_names_have_to_be_keywords():
    with pytest.raises(TercetError, match="uniqueItems"):
        lower({}, JsonOptions(lax=frozenset({"uniqItems"})))


def test_unknown_words_warn_once_with_the_nearest_keyword():
    schema = {"propertis": {}, "items": {"propertis": {}, "zzz": 1, "x-more": 2}}
    with pytest.warns(TercetWarning) as caught:
        report = lower(schema).report
    assert [str(warning.message) for warning in caught] == list(report.warnings)
    assert report.warnings[0] == (
        'unknown keyword "propertis" at /propertis (did you mean "properties"?)'
    )
    assert report.warnings[1] == 'unknown keyword "zzz" at /items/zzz'
    assert report.exact


def test_a_format_that_is_nearly_one_warns():
    with pytest.warns(TercetWarning, match='did you mean "date-time"'):
        lower({"type": "string", "format": "datetime"})


def test_annotations_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lower({**dict.fromkeys(ANNOTATIONS - {"$schema"}, "text"), "$schema": DRAFT_7})


def test_definitions_that_nothing_uses_are_not_judged():
    assert lower({"$defs": {"a": {"not": {}}, "b": 5}, "type": "null"}).report.exact


def test_words_of_later_drafts_are_annotations():
    with pytest.warns(TercetWarning, match='"const" at /const is not part of draft 4'):
        lower({"$schema": DRAFT_4, "const": 1})


def test_neighbours_of_a_reference_count_from_2019_on():
    schema = {"definitions": {"a": {"type": "integer"}}, "$ref": "#/definitions/a", "maximum": 3}
    assert "9" not in texts(schema)
    assert "9" in texts({"$schema": DRAFT_7, **schema})


def test_other_keywords_of_old_drafts_are_refused():
    with pytest.raises(UnsupportedSchemaError, match=r"\$schema"):
        lower({"$schema": "http://json-schema.org/draft-03/schema#"})


MISSHAPEN = [
    (5, ""),
    ([], ""),
    ({"type": "strng"}, "/type"),
    ({"type": [1]}, "/type"),
    ({"maxLength": "3"}, "/maxLength"),
    ({"maxLength": -1}, "/maxLength"),
    ({"maxLength": 1.5}, "/maxLength"),
    ({"maxLength": True}, "/maxLength"),
    ({"minimum": float("nan")}, "/minimum"),
    ({"minimum": float("inf")}, "/minimum"),
    ({"multipleOf": 0}, "/multipleOf"),
    ({"required": True}, "/required"),
    ({"required": [1]}, "/required"),
    ({"enum": {}}, "/enum"),
    ({"enum": [float("nan")]}, "/enum"),
    ({"enum": [{1, 2}]}, "/enum"),
    ({"enum": ["\ud800"]}, "/enum"),
    ({"anyOf": []}, "/anyOf"),
    ({"allOf": [1]}, "/allOf"),
    ({"properties": []}, "/properties"),
    ({"properties": {"a": 1}}, "/properties"),
    ({"items": 1}, "/items"),
    ({"prefixItems": [], "items": {}}, "/prefixItems"),
    ({"prefixItems": [{}], "items": [{}]}, "/items"),
    ({"pattern": "a("}, "/pattern"),
    ({"pattern": 5}, "/pattern"),
    ({"$ref": 5}, "/$ref"),
    ({"items": {"items": {"type": 3}}}, "/items/items/type"),
]


@pytest.mark.parametrize(("schema", "pointer"), MISSHAPEN)
def test_what_is_not_a_schema_is_shown(schema, pointer):
    with pytest.raises(GrammarError) as caught:
        lower(schema)
    assert caught.value.at == (pointer or "#")
    assert caught.value.excerpt
    assert caught.value.span


def test_keys_have_to_be_strings():
    with pytest.raises(GrammarError, match="keyword"):
        lower({1: 2})


def test_counts_may_be_written_with_a_point():
    assert '"ab"' not in texts({"type": "string", "maxLength": 1.0})


@pytest.mark.parametrize(
    ("schema", "pointer", "why"),
    [
        (False, "", "false"),
        ({"enum": []}, "", "enum"),
        ({"type": "array", "minItems": 3, "maxItems": 1}, "", "minItems 3 is more than maxItems 1"),
        ({"type": "string", "minLength": 3, "maxLength": 1}, "", "minLength 3"),
        ({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4}, "", "no integer"),
        ({"type": "number", "minimum": 3, "exclusiveMaximum": 3}, "", "exclusiveMaximum 3"),
        ({"type": "integer", "minimum": 8, "maximum": 9, "multipleOf": 5}, "", "multiple of 5"),
        ({"type": "string", "pattern": "^(aa)*$", "minLength": 3, "maxLength": 3}, "", "pattern"),
        ({"enum": ["a"], "type": "integer"}, "", "enum"),
        ({"enum": ["a"], "const": "b"}, "", "enum"),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "/allOf/0", "string"),
        ({"allOf": [{"minimum": 5, "type": "number"}, {"maximum": 3}]}, "/allOf/0", "minimum 5"),
        ({"type": "object", "required": ["a"], "additionalProperties": False}, "", '"a"'),
        ({"anyOf": [{"enum": []}, {"type": []}]}, "/anyOf", "branch"),
    ],
)
def test_no_instance_says_where_and_why(schema, pointer, why):
    with pytest.raises(UnsatisfiableError) as caught:
        lower(schema)
    assert caught.value.pointer == pointer
    assert why in caught.value.why


def test_the_place_without_instance_is_found_below():
    schema = {"properties": {"a": {"items": {"enum": []}, "minItems": 1, "type": "array"}}}
    schema |= {"required": ["a"], "type": "object"}
    with pytest.raises(UnsatisfiableError) as caught:
        lower(schema)
    assert caught.value.pointer == "/properties/a/items"


def test_formats_may_be_annotations():
    schema = {"type": "string", "format": "date", "minLength": 1}
    assert '"soon"' not in texts(schema)
    assert '"soon"' in texts(schema, formats="annotate")
    assert '""' not in texts(schema, formats="annotate")
    with pytest.raises(TercetError, match="formats='ignore' is not known"):
        lower(schema, JsonOptions(formats="ignore"))


@pytest.mark.parametrize(
    ("vocabulary", "is_checked"), [("format-assertion", True), ("format-annotation", False)]
)
def test_a_meta_schema_says_which_words_mean_something(vocabulary, is_checked):
    core = {"https://json-schema.org/draft/2020-12/vocab/validation": True}
    words = core | {f"https://json-schema.org/draft/2020-12/vocab/{vocabulary}": True}
    schema = {"$schema": "https://example.org/mine", "type": "string", "format": "date"}
    grammar = Grammar.json(schema, resources={"https://example.org/mine": {"$vocabulary": words}})
    assert ('"soon"' not in grammar) is is_checked
    with pytest.warns(TercetWarning, match='"type" at /type is not in the vocabulary'):
        Grammar.json(
            {"$schema": "https://example.org/mine", "type": "string"},
            resources={"https://example.org/mine": {"$vocabulary": {}}},
        )
