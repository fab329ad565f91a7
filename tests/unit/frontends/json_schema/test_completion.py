"""Counts, members that ask for others and what must not match, all at once, against jsonschema.

Every object over a few keys is judged, and random walks have to end in one that is valid.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import jsonschema
import numpy as np
import pytest

from tercet import Grammar, UnsatisfiableError, Vocabulary, compile
from tercet.frontends.json_schema.completion import Completion, option_of

KEYS = ("a", "b", "c", "x1", "x2")
VALUES = (0, "s")
_BYTES = b'abcx120s{},:"'
PIECES = Vocabulary.from_tokens([*(bytes([byte]) for byte in _BYTES), b""], eos=len(_BYTES))


def drawn(rng: random.Random) -> dict[str, Any]:
    """An object schema in which everything bears on everything."""
    schema: dict[str, Any] = {"type": "object"}
    low = rng.choice([None, 1, 2, 3])
    high = rng.choice([None, 2, 3, 4])
    schema |= {} if low is None else {"minProperties": low}
    schema |= {} if high is None else {"maxProperties": high}
    pairs = [(one, two) for one in KEYS for two in KEYS if one != two]
    chosen = rng.sample(pairs, rng.choice([0, 1, 3, 5]))
    if chosen:
        asked = itertools.groupby(sorted(chosen), key=lambda pair: pair[0])
        schema["dependentRequired"] = {one: [two for _, two in some] for one, some in asked}
    schema["allOf"] = [True, *({"not": part(rng)} for _ in range(rng.choice([0, 1, 2])))]
    schema["additionalProperties"] = rng.choice([False, {"type": "integer"}, True])
    schema["properties"] = {key: rng.choice([True, {"type": "string"}]) for key in KEYS[:3]}
    if rng.random() < 0.5:
        schema["patternProperties"] = {"^x[12]$": rng.choice([True, {"type": "integer"}])}
    return schema


def part(rng: random.Random) -> dict[str, Any]:
    kind = rng.randrange(4)
    if kind == 0:
        return {"required": rng.sample(KEYS, 2)}
    if kind == 1:
        return {"patternProperties": {"^x": {"type": "string"}}}
    if kind == 2:
        return {"properties": {key: {"type": "integer"} for key in rng.sample(KEYS, 2)}}
    return {"propertyNames": {"pattern": "^[ab]"}}


def objects() -> list[dict[str, Any]]:
    """Every object over the keys, those after the first two with one value only."""
    found = []
    for count in range(len(KEYS) + 1):
        for keys in itertools.combinations(KEYS, count):
            options = [VALUES if key in {"a", "x1"} else (0,) for key in keys]
            found += [dict(zip(keys, some, strict=True)) for some in itertools.product(*options)]
    return found


OBJECTS = objects()


@pytest.mark.parametrize("seed", range(40))
def test_all_objects_are_judged_as_jsonschema_does(seed: int) -> None:
    rng = random.Random(seed)
    schema = drawn(rng)
    judge = jsonschema.Draft202012Validator(schema)  # sees what is added below
    valid = [value for value in OBJECTS if judge.is_valid(value)]
    try:
        grammar = Grammar.json(schema, order="any")
    except UnsatisfiableError:
        assert valid == []
        return
    assert [value for value in OBJECTS if json.dumps(value) in grammar] == valid
    schema["propertyNames"] = {"pattern": "^[abcx][12]?$"}
    valid = [value for value in valid if judge.is_valid(value)]
    if not valid:  # a walk would have to find a rare key
        return
    for order in ("any", "schema"):
        constraint = compile(Grammar.json(schema, order=order), PIECES, cache=False)
        for _ in range(5):
            text = walk(constraint, rng)
            assert judge.is_valid(json.loads(text)), text


def walk(constraint: Any, rng: random.Random) -> str:
    """A text of few keys and values."""
    matcher = constraint.matcher()
    row = np.zeros(1, np.int32)
    for _ in range(20_000):
        matcher.fill_bitmask(row)
        allowed = [token for token in range(PIECES.size) if row[0] >> token & 1]
        assert allowed, f"dead end after {matcher.text!r}"
        token = rng.choice(allowed)
        matcher.advance(token)
        if token in PIECES.eos:
            return matcher.text.decode()
    raise AssertionError(f"no end of {matcher.text[:200]!r}")


def test_members_that_ask_for_each_other_come_together_or_not_at_all() -> None:
    free = Completion([option_of([0])] * 3, (), [0b011, 0b011, 0b100])
    assert free.counts(0b111, 0, 0, 0) == 0b1111
    knotted = Completion([option_of([0])] * 2, (), [0b11, 0b11])
    assert knotted.counts(0b11, 0, 0, 0) == 0b101


def test_what_is_violated_by_a_missing_member_needs_all_that_ask_for_it_to_miss_too() -> None:
    options = [option_of([0], absent=1), option_of([0])]
    chain = Completion(options, (), [0b01, 0b11])  # the second asks for the first
    assert chain.counts(0b11, 0, 1, 0) == 0b1
    assert chain.counts(0b11, 0b11, 1, 0) == 0
    assert Completion(options, (1,), [0b01, 0b11]).counts(0b11, 0b11, 1, 1) == 0b1000
