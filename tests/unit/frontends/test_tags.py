"""Structural tags beside xgrammar, on the case files' texts and on mutations of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.differential import specs
from tests.differential.cases import Case, all_cases

xgrammar = pytest.importorskip("xgrammar")

CASES = [case for case in all_cases() if case.id.startswith("tags/formats/")]
# What xgrammar reads otherwise, and why ours is meant.
KNOWN = {
    "tokens-by-name": "xgrammar needs a tokenizer for tokens",
    "vllm-older-spelling": "vLLM reads it before xgrammar does",
    "grammars-inside": "its lark reader has no lexer",
}


def _accepts(theirs: Any, text: str) -> bool:
    from xgrammar.testing import _is_grammar_accept_string

    return bool(_is_grammar_accept_string(theirs, text))


def _mutations(texts: tuple[str, ...]) -> list[str]:
    rng = random.Random(0)
    letters = sorted(set("".join(texts))) or ["a"]
    found = []
    for text in texts:
        for _ in range(12):
            at = rng.randrange(len(text) + 1)
            cut = at + rng.randrange(2)
            found.append(text[:at] + rng.choice(["", rng.choice(letters)]) + text[cut:])
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id.rpartition("/")[2])
def test_beside_xgrammar(case: Case) -> None:
    name = case.id.rpartition("/")[2]
    if name in KNOWN:
        pytest.skip(KNOWN[name])
    ours = specs.grammar(case)
    theirs = xgrammar.Grammar.from_structural_tag(ours._key[1])
    texts = [*case.accept, *case.reject, *_mutations(case.accept + case.reject)]
    assert [text for text in texts if (text in ours) != _accepts(theirs, text)] == []
