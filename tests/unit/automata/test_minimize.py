"""Partition refinement against the textbook's table of distinguishable pairs."""

from __future__ import annotations

import time
from itertools import product
from random import Random

import pytest

from tercet.automata.minimize import DEAD, equivalence, predecessors, useful


def distinguishable(rows: list[list[int]], colours: list[int]) -> set[tuple[int, int]]:
    states = [*range(len(rows)), DEAD]
    colour = [*colours, None]
    apart = {(p, q) for p, q in product(states, states) if colour[p] != colour[q]}
    grown = True
    while grown:
        more = {
            (p, q)
            for p, q in product(range(len(rows)), repeat=2)
            if any(pair in apart for pair in zip(rows[p], rows[q], strict=True))
        }
        grown = not more <= apart
        apart |= more
    return apart


@pytest.mark.parametrize("seed", range(80))
def test_equivalence(seed: int) -> None:
    rng = Random(seed)
    count = rng.randint(1, 8)
    rows = [[rng.randint(-1, count - 1) for _ in range(2)] for _ in range(count)]
    colours = [rng.randint(0, 1) for _ in range(count)]
    block = equivalence(rows, colours)
    apart = distinguishable(rows, colours)
    for p, q in product(range(count), repeat=2):
        assert (block[p] == block[q]) == ((p, q) not in apart)


def by_rounds(rows: list[list[int]], colours: list[int]) -> int:
    """The number of blocks by Moore's rounds, which are slow and simple."""
    block = [*colours, DEAD]
    while True:
        signatures = [(block[s], *(block[t] for t in row)) for s, row in enumerate(rows)]
        names = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
        if len(names) == len(set(block[:-1])):
            return len(names)
        block = [*(names[signature] for signature in signatures), DEAD]


def test_larger_automata() -> None:
    """Few colours and many cycles: states move to new blocks while those before them do, too."""
    for seed in range(400):
        rng = Random(seed)
        count = rng.randint(5, 40)
        rows = [[rng.randint(-1, count - 1) for _ in range(2)] for _ in range(count)]
        colours = [int(rng.random() < 0.2) for _ in range(count)]
        assert len(set(equivalence(rows, colours))) == by_rounds(rows, colours), seed


def test_a_long_chain_takes_linear_time() -> None:
    count = 20_000
    rows = [[state + 1] for state in range(count)] + [[DEAD]]
    begin = time.perf_counter()
    block = equivalence(rows, [False] * count + [True])
    assert len(set(block)) == count + 1
    assert time.perf_counter() - begin < 5


def test_predecessors_and_useful() -> None:
    rows = [[1, 1, 2], [DEAD, 1], [2], [0]]
    assert predecessors(rows) == [[3], [0, 1], [0, 2], []]
    assert useful(rows, [False, True, False, False]) == [True, True, False, True]
