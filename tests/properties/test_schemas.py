"""Random schemas against jsonschema: the same instances, and only valid texts on random walks.

`python -m tests.properties.test_schemas FIRST COUNT` looks for seeds that differ; with one number
it shows one.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from typing import Any

import pytest

from benchmarks.corpus import text_of, why_refused
from tercet import Grammar, UnsatisfiableError, UnsupportedSchemaError, compile
from tests.differential.vocabularies import vocabulary
from tests.properties.judging import complaint_of
from tests.properties.schemas import KEYS, Drawing
from tests.properties.walks import Walker

INSTANCES, WALKS = 30, 3
VOCABULARY = "toy"


def complaints(seed: int) -> list[str]:
    """What differs from jsonschema for the schema of this seed."""
    drawing = Drawing(random.Random(seed))
    schema = drawing.document()
    judge = complaint_of(schema)
    instances = [drawing.near(schema, schema) for _ in range(INSTANCES)]
    instances += [drawing.instance(2) for _ in range(INSTANCES // 3)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grammar = Grammar.json(schema)
    except UnsupportedSchemaError:
        return []
    except UnsatisfiableError:
        valid = [text_of(value) for value in instances if not judge(text_of(value).encode())]
        return [f"has no instance, but for {text}" for text in valid]
    found = [line for value in instances for line in _differs(schema, grammar, judge, value)]
    return found + _walks(grammar, judge, drawing.rng)


def _differs(schema: Any, grammar: Grammar[Any], judge: Any, value: Any) -> list[str]:
    text = text_of(value)
    complaint, accepted = judge(text.encode()), text in grammar
    if accepted and complaint:
        return [f"accepts {text}: {complaint}"]
    if not accepted and not complaint and not why_refused(schema, value):
        return [f"refuses {text}"]
    return []


def _walks(grammar: Grammar[Any], judge: Any, rng: random.Random) -> list[str]:
    try:
        constraint = compile(grammar, vocabulary(VOCABULARY), cache=False)
    except UnsatisfiableError:
        return []
    walker = Walker(vocabulary(VOCABULARY))
    names = [text_of(key).encode()[1:] for key in KEYS]
    texts = [walker.walk(constraint, rng, names) for _ in range(WALKS)]
    return [f"writes {text!r}: {complaint}" for text in texts if (complaint := judge(text))]


@pytest.mark.parametrize("seed", range(300))
def test_schemas_agree_with_jsonschema(seed: int) -> None:
    assert complaints(seed) == []


def main(first: int, count: int) -> None:
    from rich.progress import track

    differing = 0
    for seed in track(range(first, first + count), "schemas"):
        try:
            found = complaints(seed)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        differing += bool(found)
        for line in found[:1]:
            print(seed, line[:300].replace("\n", " "))
    print(f"{differing} of {count} differ")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    if len(numbers) == 1:
        print(json.dumps(Drawing(random.Random(numbers[0])).document(), ensure_ascii=False))
        print(*complaints(numbers[0]), sep="\n")
    else:
        main(*numbers)
