"""Sorts byte strings and folds them into a flat trie in depth-first order.

The vocabulary builds its trie here, and the engine the tries of what is left of tokens after a
terminal. Strings are given as slices of one byte array, so nothing is copied. What the arrays of
the result mean is said in `vocabulary/trie.py`; nothing here knows tokens or grammars.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from tercet.kernels.pointers import entry

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
TrieArrays = tuple[Bytes, Ints, Ints, Ints, Ints, Ints]

# Read-only arrays are accepted too: numba converts a writable array to a read-only one.
_bytes_in = types.Array(types.uint8, 1, "C", readonly=True)
_ints_in = types.Array(types.int32, 1, "C", readonly=True)
_bytes_out = types.uint8[::1]
_ints_out = types.int32[::1]


@entry(types.boolean(_bytes_in, types.int32, types.int32, types.int32, types.int32), nogil=True)
def _is_after(data: Bytes, a: int, a_length: int, b: int, b_length: int) -> bool:
    """Whether the first string sorts strictly after the second, a prefix before what it begins."""
    for i in range(min(a_length, b_length)):
        if data[a + i] != data[b + i]:
            return bool(data[a + i] > data[b + i])
    return a_length > b_length


@entry(_ints_out(_bytes_in, _ints_in, _ints_in), nogil=True)
def sorted_order(data: Bytes, start: Ints, length: Ints) -> Ints:
    """Return the indices of the strings in byte order; equal strings keep their order."""
    count = len(start)
    order = np.arange(count).astype(np.int32)
    other = np.empty(count, np.int32)
    width = 1
    while width < count:  # merge sort, bottom up
        for left in range(0, count, 2 * width):
            middle, end = min(left + width, count), min(left + 2 * width, count)
            i, j = left, middle
            for k in range(left, end):
                if i < middle and j < end:
                    a, b = order[i], order[j]
                    take_right = _is_after(data, start[a], length[a], start[b], length[b])
                else:
                    take_right = i >= middle
                if take_right:
                    other[k] = order[j]
                    j += 1
                else:
                    other[k] = order[i]
                    i += 1
        order, other = other, order
        width *= 2
    return order


@entry(_ints_out(_bytes_in, _ints_in, _ints_in, _ints_in), nogil=True)
def _shared_prefixes(data: Bytes, start: Ints, length: Ints, order: Ints) -> Ints:
    """Return how many bytes each string, in this order, has in common with the one before it."""
    shared = np.zeros(len(order), np.int32)
    for k in range(1, len(order)):
        a, b = start[order[k - 1]], start[order[k]]
        bound = min(length[order[k - 1]], length[order[k]])
        n = 0
        while n < bound and data[a + n] == data[b + n]:
            n += 1
        shared[k] = n
    return shared


@entry(
    types.Tuple((_bytes_out, _ints_out, _ints_out, _ints_out, _ints_out, _ints_out))(
        _bytes_in, _ints_in, _ints_in, _ints_in
    ),
    nogil=True,
)
def build_trie(data: Bytes, start: Ints, length: Ints, ids: Ints) -> TrieArrays:
    """Return (byte, skip, depth, first, token, root) for the strings data[start : start + length].

    String i carries ids[i]. Strings may be equal, overlap in `data`, and come in any order; ids of
    equal strings keep their order. Empty strings are left out.
    """
    order = sorted_order(data, start, length)
    order = order[np.searchsorted(length[order] > 0, True) :]
    shared = _shared_prefixes(data, start, length, order)
    size = np.sum(length[order] - shared)
    byte = np.empty(size, np.uint8)
    skip = np.empty(size, np.int32)
    depth = np.empty(size, np.int32)
    first = np.empty(size + 1, np.int32)
    token = np.empty(len(order), np.int32)
    root = np.full(256, -1, np.int32)
    path = np.empty(
        max(length) if len(order) else 0, np.int32
    )  # the nodes from the root to the last string
    node = height = 0
    for k in range(len(order)):
        string = order[k]
        while height > shared[k]:
            height -= 1
            skip[path[height]] = node
        while height < length[string]:
            byte[node] = data[start[string] + height]
            depth[node] = height
            first[node] = k
            if height == 0:
                root[byte[node]] = node
            path[height] = node
            node += 1
            height += 1
        token[k] = ids[string]
    while height > 0:
        height -= 1
        skip[path[height]] = node
    first[size] = len(order)
    return byte, skip, depth, first, token, root
