"""Many words: sorted like Python sorts them, folded into the smallest automaton of just them."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from tercet.automata.lexicon import Lexicon
from tercet.errors import GrammarError
from tercet.kernels.sorting import fast_order


def words(seed: int) -> list[str]:
    """Distinct words of few letters, some of them long, some beginnings of others."""
    rng = random.Random(seed)
    letters = rng.choice(["a\0", "ab", "abcdefgh", "aéß中😀"])
    longest = rng.choice([2, 5, 20, 40])
    found = {"".join(rng.choices(letters, k=rng.randint(0, longest))) for _ in range(1 + seed % 70)}
    start = rng.choice(["", "", "thesamebeginning"])
    return rng.sample([start + word for word in sorted(found)], len(found))


@pytest.mark.parametrize("seed", range(150))
def test_order(seed: int) -> None:
    encoded = [word.encode() for word in words(seed)] * (1 + seed % 3)  # equal ones too
    length = np.array([len(word) for word in encoded], np.int32)
    start = np.concatenate([[0], np.cumsum(length[:-1])]).astype(np.int32)
    data = np.frombuffer(b"".join(encoded) or b"\0", np.uint8)
    assert [encoded[i] for i in fast_order(data, start, length)] == sorted(encoded)


@pytest.mark.parametrize("seed", range(150))
def test_automaton(seed: int) -> None:
    lexicon, encoded = Lexicon(words(seed)), {word.encode() for word in words(seed)}
    dawg = lexicon.dawg

    @cache
    def from_here(node: int) -> frozenset[bytes]:
        found = {b""} if dawg.end[node] else set()
        for edge in range(dawg.first[node], dawg.first[node] + dawg.count[node]):
            assert dawg.to[edge] < node
            found |= {bytes([dawg.byte[edge]]) + rest for rest in from_here(int(dawg.to[edge]))}
        return frozenset(found)

    everywhere = [from_here(node) for node in range(len(dawg.first))]
    assert everywhere[-1] == encoded
    assert len(set(everywhere)) == len(everywhere)  # no two nodes mean the same
    for node in range(len(dawg.first)):
        edges = dawg.byte[dawg.first[node] : dawg.first[node] + dawg.count[node]].tolist()
        assert edges == sorted(set(edges))


@pytest.mark.parametrize("seed", range(20))
def test_sequence(seed: int) -> None:
    lexicon, encoded = Lexicon(words(seed)), sorted(word.encode() for word in words(seed))
    assert list(lexicon) == encoded == lexicon[:]
    assert len(lexicon) == len(encoded)
    assert all(word in lexicon for word in encoded)
    assert not any(word + b"x" in lexicon for word in encoded)
    assert "a" not in lexicon


def test_half_of_a_pair() -> None:
    with pytest.raises(GrammarError, match="surrogate"):
        Lexicon(["a", "\ud800"])
