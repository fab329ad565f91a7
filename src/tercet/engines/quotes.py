"""Quotes from a text, for the fast engine: nodes of a trie that is unfolded where engines get to.

`kernels.unfolding` says what a node is. This file keeps, for nodes of a program's literal tries
that aren't unfolded yet, where in the text they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tercet.automata.corpus import Corpus
from tercet.kernels.unfolding import unfold

# Nodes of one unfolding: what asked begins anew after each, but many at once are nodes that nobody
# needs: with a quarter of those made so far, a mask in 1 MB of text took 5 s, on a walk where this
# took 0.1. (Longer walks meet masks of seconds either way: every trap starts the walk anew.)
_AT_ONCE = 256

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Unfolded:
    """New nodes of a trie: the first is the one that was unfolded, edge i leads to node i + 1."""

    start: Ints  # [nodes] first edge
    count: Ints  # [nodes] edges, -1 where a node isn't unfolded itself
    end: NDArray[np.uint8]  # [nodes]
    byte: NDArray[np.uint8]  # [nodes - 1]


class Quotes:
    """The quotes from one text, for one program: the order of `places` is its own."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = corpus.starts.copy()
        self._spare = np.empty_like(self._places)
        self._folded: dict[int, tuple[int, int, int]] = {}
        self._made = 0

    def add_root(self, node: int) -> None:
        """Nothing is quoted yet."""
        self._folded[node] = (0, len(self._places), 0)

    def unfold(self, node: int, next_node: int) -> Unfolded:
        """Unfold a node, and some of what is below; new nodes are numbered from `next_node`."""
        most = max(_AT_ONCE, self._made // 32)
        ranges = np.empty((most + 256, 3), np.int64)
        ranges[0] = self._folded.pop(node)
        start, count = np.zeros(most + 256, np.int32), np.zeros(most + 256, np.int32)
        end, byte = np.zeros(most + 256, np.uint8), np.zeros(most + 256, np.uint8)
        text = self._corpus
        made = unfold(
            text.data, text.ends, text.alive, self._places, self._spare, ranges, start, count, end,
            byte, most,
        )  # fmt: skip
        self._made += made
        (folded,) = np.nonzero(count[:made] < 0)
        places = map(tuple, ranges[folded].tolist())
        self._folded.update(zip((folded + (next_node - 1)).tolist(), places, strict=True))
        return Unfolded(start[:made], count[:made], end[:made], byte[: made - 1])
