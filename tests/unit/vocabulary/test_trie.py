"""The trie against one made with sets and sorting, with and without compiled kernels."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from tercet.kernels.trie import build_trie, sorted_order
from tercet.vocabulary.trie import TokenTrie


def check(tokens: list[bytes]) -> None:
    trie = TokenTrie.build(tokens)
    prefixes = sorted({token[:n] for token in tokens for n in range(1, len(token) + 1)})
    assert len(trie) == len(prefixes)
    assert len(trie.first) == len(prefixes) + 1
    for node, prefix in enumerate(prefixes):
        assert trie.byte[node] == prefix[-1]
        assert trie.depth[node] == len(prefix) - 1
        later = (n for n in range(node, len(prefixes)) if not prefixes[n].startswith(prefix))
        assert trie.skip[node] == next(later, len(prefixes))
        ending = trie.token[trie.first[node] : trie.first[node + 1]].tolist()
        assert ending == [token for token, data in enumerate(tokens) if data == prefix]
    roots = {prefix[0]: node for node, prefix in enumerate(prefixes) if len(prefix) == 1}
    assert trie.root.tolist() == [roots.get(byte, -1) for byte in range(256)]


def random_tokens(count: int, seed: int, alphabet: bytes = b"ab\x00\xff") -> list[bytes]:
    rng = random.Random(seed)
    return [bytes(rng.choices(alphabet, k=rng.randint(0, 6))) for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 65, 500])
def test_random(count: int) -> None:
    for seed in range(5):
        check(random_tokens(count, seed))


@pytest.mark.parametrize(
    "tokens",
    [[], [b""], [b"", b""], [b"a"], [b"a", b"a"], [b"abc", b"ab", b"a", b""], [b"\xff" * 300]],
)
def test_edges(tokens: list[bytes]) -> None:
    check(tokens)


def test_slices_may_overlap_and_carry_any_ids() -> None:
    data = np.frombuffer(b"abab", np.uint8)  # read-only
    start = np.array([0, 1, 2, 3], np.int32)
    length = np.array([4, 2, 2, 0], np.int32)
    byte, *_, token, _ = build_trie(data, start, length, np.array([9, 8, 9, 7], np.int32))
    assert bytes(byte) == b"ababba"
    assert token.tolist() == [9, 9, 8]


def test_sorting_is_stable_and_by_bytes() -> None:
    tokens = random_tokens(300, 1)
    lengths = np.array([len(token) for token in tokens], np.int32)
    ends = np.cumsum(lengths, dtype=np.int32)
    data = np.frombuffer(b"".join(tokens), np.uint8)
    order = sorted_order(data, ends - lengths, lengths).tolist()
    assert order == sorted(range(300), key=lambda token: tokens[token])


def test_without_compiled_kernels() -> None:
    code = (
        "from tests.unit.vocabulary.test_trie import check, random_tokens\n"
        "check(random_tokens(200, 3)); check([]); check([b''])"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
