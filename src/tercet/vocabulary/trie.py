"""The tokens of a vocabulary as a trie in flat arrays, in depth-first order.

A walk goes through the arrays from left to right and jumps over a subtree with `skip`, so it needs
no stack and no pointers. Building it is the work of `kernels/trie.py`, which the engine also uses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TokenTrie:
    """One node for each distinct non-empty prefix of a token; children are in order of bytes.

    Tokens with the same bytes are all kept. The arrays must not be written to.

    >>> trie = TokenTrie.build([b"b", b"ab", b"a", b"", b"b"])
    >>> bytes(trie.byte), trie.skip.tolist(), trie.depth.tolist()
    (b'abb', [2, 2, 3], [0, 1, 0])
    >>> trie.first.tolist(), trie.token.tolist()
    ([0, 1, 2, 4], [2, 1, 0, 4])
    """

    byte: NDArray[np.uint8]
    """The last byte of the node's prefix."""
    skip: NDArray[np.int32]
    """The first node after the node's subtree."""
    depth: NDArray[np.int32]
    """The length of the node's prefix less one."""
    first: NDArray[np.int32]
    """The tokens that end at node i are token[first[i]:first[i + 1]]; one longer than `byte`."""
    token: NDArray[np.int32]
    """Token ids, in the order of their bytes, then of their ids."""
    root: NDArray[np.int32]
    """The node of each first byte, -1 where no token begins with it."""

    @staticmethod
    def build(tokens: list[bytes]) -> TokenTrie:
        """Build the trie of `tokens`, whose indices are the token ids; empty ones are left out."""
        data, offsets = concatenated(tokens)
        return TokenTrie.of_slices(data, offsets)

    @staticmethod
    def of_slices(data: NDArray[np.uint8], offsets: NDArray[np.int32]) -> TokenTrie:
        """Build the trie of the tokens data[offsets[i] : offsets[i + 1]]."""
        from tercet.kernels.trie import build_trie

        ids = np.arange(len(offsets) - 1, dtype=np.int32)
        return TokenTrie(*build_trie(data, offsets[:-1].copy(), np.diff(offsets), ids))

    def __len__(self) -> int:
        return len(self.byte)


def concatenated(tokens: list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the bytes of all tokens in one array, and the offset at which each token begins."""
    data = np.array(bytearray(b"".join(tokens)), dtype=np.uint8)
    offsets = np.zeros(len(tokens) + 1, dtype=np.int32)
    np.cumsum(np.fromiter(map(len, tokens), np.int32, len(tokens)), out=offsets[1:])
    return data, offsets
