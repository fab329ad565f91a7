"""Literals and word lists as tries that kernels walk; equal ones are there once."""

from __future__ import annotations

from array import array

import numpy as np

from tercet.automata.corpus import Corpus
from tercet.automata.lexicon import Dawg, Lexicon
from tercet.engines.possible import Strings
from tercet.engines.quotes import Quotes
from tercet.kernels import layout as at
from tercet.kernels.growth import sibling_edges
from tercet.kernels.trie import build_trie


class Tries:
    """The tries of one program; `slots` are the arrays that kernels read."""

    def __init__(self) -> None:
        self._start, self._count, self._end = array("i"), array("i"), array("B")
        self._edge_byte, self._edge_to = array("B"), array("i")
        self._roots: dict[Strings, int] = {}
        self._quotes: dict[int, Quotes] = {}  # by every node that isn't unfolded yet
        self.slots = {
            at.X_START: self._start,
            at.X_COUNT: self._count,
            at.X_END: self._end,
            at.E_BYTE: self._edge_byte,
            at.E_TO: self._edge_to,
        }

    def words(self, options: Strings) -> int:
        """The root of a trie, an automaton, or a trie that is unfolded on demand."""
        root = self._roots.get(options)
        if root is None and isinstance(options, Lexicon):
            root = self._roots[options] = self._add_dawg(options.dawg)
        elif root is None and isinstance(options, Corpus):
            root = self._roots[options] = self._add_quotes(Quotes(options))
        return self.root(tuple(options)) if root is None else root

    def root(self, options: tuple[bytes, ...]) -> int:
        """The root of the trie of some byte strings."""
        root = self._roots.get(options)
        if root is None:
            add = self._add_chain if len(options) == 1 else self._add_trie
            root = self._roots[options] = len(self._start)
            add(options)
        return root

    def _add_dawg(self, dawg: Dawg) -> int:
        """Here all nodes come before those that they lead to, so the order is turned around."""
        root, edge = len(self._start), len(self._edge_byte)
        self._start.frombytes((dawg.first[::-1] + np.int32(edge)).tobytes())
        self._count.frombytes(dawg.count[::-1].tobytes())
        self._end.frombytes(dawg.end[::-1].tobytes())
        self._edge_byte.frombytes(dawg.byte.tobytes())
        self._edge_to.frombytes((np.int32(root + len(dawg.first) - 1) - dawg.to).tobytes())
        return root

    def _add_quotes(self, quotes: Quotes) -> int:
        root = len(self._start)
        self._start.append(0)
        self._count.append(-1)
        self._end.append(0)
        quotes.add_root(root)
        self._quotes[root] = quotes
        self.unfold(root)  # kernels unfold what they step into, and nobody steps into a root
        return root

    def unfold(self, node: int) -> None:
        """Make the edges of a node in a trie of quotes, and some of what is below."""
        if self._count[node] >= 0:  # another thread has done it
            return
        quotes = self._quotes.pop(node)
        first, edge = len(self._start), len(self._edge_byte)
        made = quotes.unfold(node, first)
        self._edge_byte.frombytes(made.byte.tobytes())
        self._edge_to.extend(range(first, first + len(made.byte)))
        self._start[node], self._count[node] = edge + int(made.start[0]), int(made.count[0])
        self._start.frombytes((made.start[1:] + np.int32(edge)).tobytes())
        self._count.frombytes(made.count[1:].tobytes())
        self._end.frombytes(made.end[1:].tobytes())
        (folded,) = np.nonzero(made.count[1:] < 0)
        self._quotes.update(dict.fromkeys((folded + first).tolist(), quotes))

    def _add_chain(self, options: tuple[bytes, ...]) -> None:
        (data,) = options
        node, edge = len(self._start), len(self._edge_byte)
        self._start.extend(range(edge, edge + len(data) + 1))
        self._count.extend([1] * len(data) + [0])
        self._end.frombytes(bytes(len(data)) + b"\1")
        self._edge_byte.frombytes(data)
        self._edge_to.extend(range(node + 1, node + len(data) + 1))

    def _add_trie(self, options: tuple[bytes, ...]) -> None:
        data = np.frombuffer(b"".join(options) or b"\0", np.uint8)
        length = np.array([len(option) for option in options], np.int32)
        start = np.zeros(len(options), np.int32)
        np.cumsum(length[:-1], out=start[1:])
        ids = np.zeros(len(options), np.int32)
        byte, skip, _, first, _, _ = build_trie(data, start, length, ids)
        edge_start, count, child = sibling_edges(byte, skip)
        node, edge = len(self._start), len(self._edge_byte)
        ends = np.zeros(len(byte) + 1, np.uint8)
        ends[1:] = first[1:] > first[:-1]
        ends[0] = bool((length == 0).any())
        self._start.frombytes((edge_start + np.int32(edge)).tobytes())
        self._count.frombytes(count.tobytes())
        self._end.frombytes(ends.tobytes())
        self._edge_byte.frombytes(byte[child - 1].tobytes())
        self._edge_to.frombytes((child + np.int32(node)).tobytes())
