"""`tercet bench`: what is measured, which texts are followed, and what is said of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tercet import Grammar, compile
from tercet.cli import measuring
from tercet.cli.main import app
from tercet.cli.outcome import Exit
from tercet.testing import byte_vocabulary, hostile_vocabulary
from tests.tokenizers_for_tests import smollm2_or_skip

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def _bench(tmp_path: Path, *options: str, schema: Any = SCHEMA) -> Result:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(schema))
    return CliRunner().invoke(app, ["bench", str(path), *options])


def test_random_texts(tmp_path: Path) -> None:
    smollm2_or_skip()
    result = _bench(tmp_path, "--json", "--walks", "3", "--tokens", "20")
    assert result.exit_code == Exit.OK, result.output
    found = json.loads(result.stdout)
    assert found["followed"] == 3
    assert 0 < found["first_us"]["tokens"] == found["again_us"]["tokens"] <= 60
    assert found["compile_ms"] > 0
    assert found["first_mask_ms"] > 0
    assert len(found["slowest_us"]) == 3


def test_texts(tmp_path: Path) -> None:
    smollm2_or_skip()
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"a": 12}\n{"a": "no"}\n\n{"a": 1\n')
    result = _bench(tmp_path, "--json", "--texts", str(texts))
    verdicts = json.loads(result.stdout)["verdicts"]
    assert verdicts[0] == "accepted"
    assert verdicts[1].startswith('refused: {"a":▸ "')
    assert verdicts[2] == "refused: the text isn't complete"
    shown = _bench(tmp_path, "--texts", str(texts)).stdout
    assert "3 texts" in shown
    assert "refused" in shown


@pytest.mark.parametrize(
    ("schema", "code"), [({"type": "strng"}, Exit.NOT_A_SCHEMA), (False, Exit.UNSATISFIABLE)]
)
def test_bad_schema(tmp_path: Path, schema: Any, code: Exit) -> None:
    assert _bench(tmp_path, schema=schema).exit_code == code


def test_no_such_vocabulary(tmp_path: Path) -> None:
    result = _bench(tmp_path, "--vocabulary", str(tmp_path / "none.json"))
    assert result.exit_code == Exit.FAILED
    assert "none.json" in result.stderr


@pytest.mark.parametrize("vocabulary", [byte_vocabulary(), hostile_vocabulary()])
def test_walks_are_texts_of_the_grammar(vocabulary: Any) -> None:
    constraint = compile(Grammar.json(SCHEMA), vocabulary)
    found = list(measuring.walks(constraint, 5, length=30, seed=1))
    assert found == list(measuring.walks(constraint, 5, length=30, seed=1))
    for tokens in found:
        assert 0 < len(tokens) <= 30
        assert constraint.matcher().accepts(tokens) == len(tokens)


def test_a_refused_token_counts() -> None:
    constraint, times = compile(Grammar.regex("ab"), byte_vocabulary()), measuring.Times()
    assert measuring.follow(constraint, list(b"axb"), times).startswith("refused: a▸x")
    assert measuring.follow(constraint, list(b"ab"), times) == "accepted"
    assert len(times.first) == len(times.known) == 4
