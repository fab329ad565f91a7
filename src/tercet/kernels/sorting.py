"""Sorts many byte strings: eight bytes at a time, as numbers.

For a million strings this takes a third of the time of a merge sort that compares byte by byte
(`trie.sorted_order`, which is stable). Strings are slices of one array, so nothing is copied.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tercet.kernels.pointers import entry
from tercet.kernels.trie import Bytes, Ints, _is_after

_FEW = 12
_bytes_in = types.Array(types.uint8, 1, "C", readonly=True)
_ints_in = types.Array(types.int32, 1, "C", readonly=True)


@entry(types.uint64(_bytes_in, types.int64, types.int64), nogil=True)
def _eight_bytes(data, start, length):
    """The first eight bytes as a number that sorts like them; zeros where there are fewer."""
    key = np.uint64(0)
    for i in range(8):
        key <<= np.uint64(8)
        if i < length:
            key |= np.uint64(data[start + i])
    return key


@entry(
    types.void(_bytes_in, _ints_in, _ints_in, types.int32[::1], types.int64, types.int64),
    nogil=True,
)
def _sort_few(data, start, length, order, low, high):
    """Insertion sort of order[low : high]."""
    for i in range(low + 1, high):
        string, j = order[i], i
        while j > low and _is_after(
            data, start[order[j - 1]], length[order[j - 1]], start[string], length[string]
        ):
            order[j] = order[j - 1]
            j -= 1
        order[j] = string


@entry(types.int64(_ints_in, types.int32[::1], types.int64, types.int64, types.int64), nogil=True)
def _ended_first(length, order, low, high, depth):
    """Of strings that agree up to `depth`, or end before: those that end come first, by length.

    Returns where the others begin.
    """
    ended = 0
    kept = order[low:high].copy()
    for string in kept:
        ended += length[string] <= depth
    first, rest = low, low + ended
    for string in kept:
        if length[string] <= depth:
            order[first] = string
            first += 1
        else:
            order[rest] = string
            rest += 1
    if ended > 1:
        ends = order[low : low + ended].copy()
        lengths = np.empty(ended, np.int32)
        for i in range(ended):
            lengths[i] = length[ends[i]]
        by_length = np.argsort(lengths)
        for i in range(ended):
            order[low + i] = ends[by_length[i]]
    return np.int64(low + ended)


@entry(types.int32[::1](_bytes_in, _ints_in, _ints_in), nogil=True)
def fast_order(data: Bytes, start: Ints, length: Ints) -> Ints:
    """The indices of the strings in byte order; equal strings in any order."""
    order = np.arange(len(start)).astype(np.int32)
    todo = [(np.int64(0), np.int64(len(start)), np.int64(0))]
    while todo:
        low, high, depth = todo.pop()
        if high - low <= _FEW:
            _sort_few(data, start, length, order, low, high)
            continue
        keys = np.empty(high - low, np.uint64)
        for i in range(low, high):
            string = order[i]
            keys[i - low] = _eight_bytes(data, start[string] + depth, length[string] - depth)
        by_key = np.argsort(keys)
        before = order[low:high].copy()
        for i in range(high - low):
            order[low + i] = before[by_key[i]]
        first = low
        for i in range(low + 1, high + 1):
            if i < high and keys[by_key[i - low]] == keys[by_key[first - low]]:
                continue
            if i - first > 1:
                rest = _ended_first(length, order, first, i, depth + 8)
                if i - rest > 1:
                    todo.append((rest, np.int64(i), depth + 8))
            first = np.int64(i)
    return order
