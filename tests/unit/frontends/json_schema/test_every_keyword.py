"""Each keyword in a few texts, judged by hand and by jsonschema.

Apart from the cases of tests/data, which run on both engines with every mask: the reference engine
takes minutes for what counts or remembers.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tercet import Grammar

CASES = tomllib.loads(Path(__file__).with_name("every_keyword.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_texts(case):
    schema = json.loads(case["json"])
    grammar = Grammar.json(schema)
    assert [text for text in case["accept"] if text not in grammar] == []
    assert [text for text in case["reject"] if text in grammar] == []
    validator = Draft202012Validator(schema)
    assert all(validator.is_valid(json.loads(text)) for text in case["accept"])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_order_makes_no_difference_to_what_is_rejected(case):
    schema = json.loads(case["json"])
    grammar = Grammar.json(schema, order="any")
    assert [text for text in case["accept"] if text not in grammar] == []
    assert [text for text in case["reject"] if text in grammar] == []
