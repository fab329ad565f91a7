"""Options for how numbers and strings are spelled."""

import json

import pytest

from tercet import Grammar
from tercet.errors import TercetError

DRAFT_4 = "http://json-schema.org/draft-04/schema#"


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, ["2", "2.0", "2e1", "20E-1", "-0.0"], ["2.5", "02", "1e-1"]),
        ({"type": "integer", "minimum": 20}, ["2e1", "20.0"], ["1.9e1", "19.999"]),
        ({"type": "number", "exclusiveMaximum": 0.1}, ["0.99e-1"], ["1e-1", "0.10", "100e-3"]),
        ({"multipleOf": 0.01}, ["7e-2", "0.070"], ["0.071", "7e-3"]),
        ({"enum": [1, 2.5]}, ["1", "1.0", "10e-1", "25e-1"], ["true", "25"]),
        ({"const": [1]}, ["[1.0]"], ["[2]"]),
        ({"type": "number", "not": {"multipleOf": 3}}, ["4", "4.0", "31e-1"], ["3", "0.3e1"]),
        ({"type": "number", "not": {"const": 20}}, ["21", "2.1e1"], ["20", "2e1", "20.0"]),
        ({"$schema": DRAFT_4, "type": "integer"}, ["2"], ["2.0", "2e0"]),
        (
            {"type": "array", "items": {"type": "number"}, "uniqueItems": True},
            ["[1, 2.0, 1e-1]"],
            ["[1, 1.0]", "[2e1, 20]"],
        ),
    ],
    ids=str,
)
def test_every_spelling_of_numbers(schema, good, bad):
    grammar = Grammar.json(schema, numbers="any")
    assert [text for text in good if text not in grammar] == []
    assert [text for text in bad if text in grammar] == []


@pytest.mark.parametrize("text", ['"a"', '"\\u0061"', '"\\ud83D\\uDe00"', '"\\/"', '"\\n"'])
def test_every_spelling_of_strings(text):
    assert text in Grammar.json({"type": "string", "maxLength": 1}, strings="any")
    assert text in Grammar.json({"enum": ["b", json.loads(text)]}, strings="any")
    member = {"properties": {json.loads(text): {"type": "null"}}, "additionalProperties": False}
    assert f"{{{text}: null}}" in Grammar.json({"type": "object", **member}, strings="any")
    assert '"ab"' not in Grammar.json({"type": "string", "maxLength": 1}, strings="any")


def test_a_key_is_the_same_however_it_is_spelled():
    grammar = Grammar.json({"properties": {"ab": {"type": "null"}}}, strings="any", order="any")
    assert '{"\\u0061b": null}' in grammar
    assert '{"\\u0061b": 1}' not in grammar
    assert '{"ab": null, "a\\u0062": null}' not in grammar


def test_equal_strings_of_different_spellings():
    schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    grammar = Grammar.json(schema, strings="any")
    assert '["a", "b"]' in grammar
    assert '["a", "\\u0061"]' not in grammar


def test_options_are_kept_and_checked():
    grammar = Grammar.json({"type": "integer"}, numbers="any", strings="any")
    assert "1.0" in Grammar.from_dict(grammar.to_dict())
    with pytest.raises(TercetError, match="strings='all'"):
        Grammar.json(True, strings="all")


def test_automata_that_are_too_large_together():
    schema = {"type": "number", "anyOf": [{"multipleOf": n} for n in (385, 770, 13, 17)]}
    grammar = Grammar.json(schema, numbers="any")
    assert [text for text in ("385.0", "77e1", "2.6e1", "12") if text in grammar] == [
        "385.0",
        "77e1",
        "2.6e1",
    ]
