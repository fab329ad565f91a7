"""Input that asks for trouble: bounded time and memory, and an error of the right type.

Time is that of this process, and generous; memory is the peak of what Python allocates.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tercet import Grammar
from tercet.errors import GrammarError, TercetError, UnsatisfiableError, UnsupportedSchemaError
from tercet.frontends.json_schema.files import read_schema
from tercet.frontends.json_schema.keywords import KEYWORDS
from tercet.frontends.json_schema.shapes import SHAPES

SECONDS, MEGABYTES = 60, 256


@contextmanager
def bounded() -> Iterator[None]:
    tracemalloc.start()
    started = time.process_time()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MEGABYTES << 20
        assert time.process_time() - started < SECONDS
    finally:
        tracemalloc.stop()


def tower(height: int, word: str, *others: Any) -> dict[str, Any]:
    """Each storey has the one below twice: written out, it would be 2 ** height schemas."""
    defs: dict[str, Any] = {"s0": {"type": "integer"}}
    for n in range(1, height):
        below = {"$ref": f"#/$defs/s{n - 1}"}
        defs[f"s{n}"] = {word: [below, *(others or (below,))]}
    return {"$defs": defs, "$ref": f"#/$defs/s{height - 1}"}


@pytest.mark.parametrize(
    ("schema", "accepted", "rejected"),
    [
        (tower(60, "allOf"), "1", '"a"'),
        (tower(60, "anyOf"), "1", '"a"'),
        (tower(60, "oneOf", {"type": "null"}), "1", '"a"'),
        (tower(60, "allOf", {"minimum": 1}), "1", "0"),
    ],
    ids=["allOf", "anyOf", "oneOf", "allOf with bounds"],
)
def test_exponential_towers(schema: Any, accepted: str, rejected: str) -> None:
    with bounded():
        grammar = Grammar.json(schema)
        assert accepted in grammar
        assert rejected not in grammar


def test_a_tower_of_exactly_one_of_two_equal_schemas() -> None:
    with bounded(), pytest.raises((UnsatisfiableError, UnsupportedSchemaError)):
        Grammar.json(tower(60, "oneOf"))


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"not": {"$ref": "#"}},
        {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
        {"$defs": {f"d{n}": {"$ref": f"#/$defs/d{(n + 1) % 999}"} for n in range(999)}}
        | {"$ref": "#/$defs/d0"},
    ],
    ids=["itself", "allOf", "not", "anyOf", "a ring of 999"],
)
def test_cycles_of_references_without_a_constructor(schema: Any) -> None:
    with bounded(), pytest.raises(GrammarError, match="consists of itself"):
        Grammar.json(schema)


def test_an_enum_of_100_000_values() -> None:
    with bounded():
        grammar = Grammar.json({"enum": [f"value {n}" for n in range(100_000)]})
        assert '"value 99999"' in grammar
        assert '"value 100000"' not in grammar


@pytest.mark.parametrize("order", ["schema", "any"])
def test_10_000_properties(order: Any) -> None:
    schema = {
        "properties": {f"p{n}": {"type": "integer"} for n in range(10_000)},
        "required": ["p9999"],
        "additionalProperties": False,
    }
    with bounded():
        grammar = Grammar.json(schema, order=order)
        assert '{"p17": 1, "p9999": 2}' in grammar
        assert '{"p17": 1}' not in grammar


def test_bounds_beyond_what_doubles_tell_apart() -> None:
    edge = 2**53
    with bounded():
        grammar = Grammar.json({"type": "integer", "minimum": edge + 1, "maximum": edge + 3})
        found = [n for n in range(edge - 2, edge + 6) if str(n) in grammar]
    assert found == [edge + 1, edge + 2, edge + 3]


def test_nested_quantifiers_are_followed_in_linear_time() -> None:
    with bounded():
        grammar = Grammar.json({"type": "string", "pattern": "^((a+)+)+$"})
        assert f'"{"a" * 5000}"' in grammar
        assert f'"{"a" * 5000}b"' not in grammar


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "string", "pattern": "^a$", "enum": ["b"]},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"type": "array", "contains": False},
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {"type": "object", "required": ["a"], "properties": {"a": False}},
        {"allOf": [{"type": "string"}, {"type": "null"}]},
        {"const": 1, "enum": [2]},
        {"enum": []},
        {"not": {}},
        {"oneOf": [True, True]},
    ],
    ids=json.dumps,
)
def test_contradictions_have_no_instance(schema: Any) -> None:
    with pytest.raises(UnsatisfiableError) as caught:
        Grammar.json(schema)
    assert caught.value.why


WRONG: list[Any] = [None, True, 1.5, -1, "a(", [1], [[]], {"a": 1}]


@pytest.mark.parametrize("word", KEYWORDS)
def test_keywords_of_the_wrong_type(word: str) -> None:
    _, fits = SHAPES[KEYWORDS[word].shape]
    for value in WRONG:
        if fits(value):
            continue
        with pytest.raises(GrammarError) as caught:
            Grammar.json({"properties": {"x": {word: value}}})
        assert caught.value.at.startswith(f"/properties/x/{word}")
        assert caught.value.span


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": "integer", "type": "string"}', "twice"),
        ('{"properties": {"a": {"const": 1, "const": 2}}}', "twice"),
        ('{"minimum": NaN}', "NaN"),
        ('{"enum": [Infinity]}', "Infinity"),
        ('{"maximum": -Infinity}', "Infinity"),
    ],
)
def test_files_that_json_does_not_have(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "schema.json"
    path.write_text(text)
    with pytest.raises(GrammarError, match=message):
        read_schema(path)


@pytest.mark.parametrize("word", ["minimum", "multipleOf", "const", "enum", "maxItems"])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_does_not_have(word: str, number: float) -> None:
    with bounded(), pytest.raises(TercetError):
        Grammar.json({word: [number] if word == "enum" else number})
