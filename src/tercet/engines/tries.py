"""Literals and word lists as tries that kernels walk; equal ones are there once."""

from __future__ import annotations

from array import array

import numpy as np

from tercet.kernels import layout as at
from tercet.kernels.growth import sibling_edges
from tercet.kernels.trie import build_trie


class Tries:
    """The tries of one program; `slots` are the arrays that kernels read."""

    def __init__(self) -> None:
        self._start, self._count, self._end = array("i"), array("i"), array("B")
        self._edge_byte, self._edge_to = array("B"), array("i")
        self._roots: dict[tuple[bytes, ...], int] = {}
        self.slots = {
            at.X_START: self._start,
            at.X_COUNT: self._count,
            at.X_END: self._end,
            at.E_BYTE: self._edge_byte,
            at.E_TO: self._edge_to,
        }

    def root(self, options: tuple[bytes, ...]) -> int:
        """The root of the trie of some byte strings."""
        root = self._roots.get(options)
        if root is None:
            add = self._add_chain if len(options) == 1 else self._add_trie
            root = self._roots[options] = len(self._start)
            add(options)
        return root

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
