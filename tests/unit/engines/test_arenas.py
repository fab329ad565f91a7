"""Memory of grammars: handed on clean, grown in place and beyond, had where little is promised."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tercet import Grammar, compile
from tercet.engines import arenas, memory
from tercet.kernels import layout as at
from tercet.testing import byte_vocabulary

NESTED = Grammar.json({"$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
                       "$ref": "#/$defs/tree"})  # fmt: skip
WORDS = Grammar.choice([f"word {number}" for number in range(300)])
VOCABULARY = byte_vocabulary()


def masks(grammar, text: bytes) -> list[bytes]:
    """The mask before every byte of a text, from a constraint that has learnt nothing."""
    matcher = compile(grammar, VOCABULARY, cache=False).matcher()
    found = []
    for byte in text:
        found.append(matcher.mask().tobytes())
        matcher.advance(byte)
    return found


TEXTS = ((NESTED, b"[" * 150 + b"]" * 150), (WORDS, b"word 299"))


@pytest.mark.parametrize("tight", [False, True])
def test_a_dropped_grammar_leaves_nothing_behind(tight: bool, monkeypatch) -> None:
    """Arenas are reused; with tiny ones everything outgrows its place as well."""
    expected = [masks(*case) for case in TEXTS]
    if tight:
        monkeypatch.setattr(memory, "_RESERVED", {**memory._RESERVED, at.N_STATES: 1024})
        monkeypatch.setattr(memory, "_START", {**memory._START, at.N_STATES: 64, at.N_NODES: 64})
    memory._plan.cache_clear()
    try:
        for _ in range(3):
            for case, known in zip(TEXTS, expected, strict=True):
                assert masks(*case) == known
                gc.collect()
    finally:
        memory._plan.cache_clear()


def test_a_system_that_promises_little(monkeypatch) -> None:
    expected = masks(*TEXTS[0])

    def refuse(size: int):
        if size > 1 << 22:
            raise OSError("out of memory")
        return np.zeros(size, np.uint8)

    monkeypatch.setattr(arenas, "reserved", refuse)
    memory._plan.cache_clear()
    assert masks(*TEXTS[0]) == expected
    memory._plan.cache_clear()


def test_arenas_come_back_clean() -> None:
    pool = arenas.Arenas(4096)
    first = pool.take()
    first[10:20] = 7
    pool.give_back(first, [(10, 20)], 10)
    second = pool.take()
    assert second is first
    assert not second.any()


def test_a_large_arena_is_not_kept() -> None:
    pool = arenas.Arenas(4096)
    first = pool.take()
    pool.give_back(first, [], 1 << 30)
    assert pool.take() is not first
