"""Folds sorted byte strings into the smallest acyclic automaton (DAWG).

A trie shares beginnings, this shares endings too: a million names take a fifth of the nodes. It is
built string by string, and a node is looked up among the finished ones as soon as no string can
come that changes it (Daciuk, Mihov, Watson and Watson, "Incremental Construction of Minimal Acyclic
Finite-State Automata", 2000). Nodes come after all that they lead to; the root is the last.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tercet.kernels.pointers import entry
from tercet.kernels.trie import Bytes, Ints, _shared_prefixes

_bytes_in = types.Array(types.uint8, 1, "C", readonly=True)
_ints_in = types.Array(types.int32, 1, "C", readonly=True)
_ints = types.int32[::1]
_bytes = types.uint8[::1]


# A table holds a key and a node for each finished node. The key of a node with one edge, as most
# have, says all of it: a look-up is one miss of the cache, where arrays of nodes would take five.
_table = types.uint64[:, ::1]
_EMPTY, _ONE_EDGE, _HASHED = np.uint64(0), np.uint64(1 << 62), np.uint64(1 << 63)


@entry(types.uint64(types.uint64), nogil=True)
def _mixed(value):
    value *= np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(29))


@entry(types.uint64(_bytes, _ints, types.int64, types.int64, types.int64), nogil=True)
def _key_of(byte, to, low, high, end):
    """The key of a node with these edges."""
    if high - low == 1:
        edge = np.uint64(to[low]) << np.uint64(9) | np.uint64(byte[low]) << np.uint64(1)
        return _ONE_EDGE | edge | np.uint64(end)
    value = np.uint64(2 * (high - low) + end)
    for edge in range(low, high):
        value = _mixed(value ^ (np.uint64(to[edge]) << np.uint64(8) | np.uint64(byte[edge])))
    return _HASHED | value


@entry(
    types.boolean(
        _bytes, _ints, types.int64, types.int64, _bytes, _ints, types.int64, types.int64
    ), nogil=True)  # fmt: skip
def _same_edges(byte, to, low, count, open_byte, open_to, open_low, open_count):
    if count != open_count:
        return False
    for i in range(count):
        if byte[low + i] != open_byte[open_low + i] or to[low + i] != open_to[open_low + i]:
            return False
    return True


@entry(
    types.int64(
        _table, types.uint64, _ints, _ints, _bytes, _bytes, _ints, _bytes, _ints, types.int64,
        types.int64, types.int64,
    ), nogil=True)  # fmt: skip
def _slot_of(table, key, first, count, end, byte, to, open_byte, open_to, low, used, is_end):
    """Where the table has a node with this key and these open edges, or has room for it."""
    mask = len(table) - 1
    slot = np.int64(_mixed(key) & np.uint64(mask))
    while table[slot, 0] != _EMPTY:
        node = np.int64(table[slot, 1])
        if table[slot, 0] == key and (
            key < _HASHED
            or (
                end[node] == is_end
                and _same_edges(
                    byte, to, first[node], count[node], open_byte, open_to, low, used - low
                )
            )
        ):
            break
        slot = (slot + 1) & mask
    return slot


@entry(_table(_table, types.int64), nogil=True)
def _larger(table, size):
    """The same keys in a larger table."""
    grown = np.zeros((size, 2), np.uint64)
    for old in range(len(table)):
        if table[old, 0] != _EMPTY:
            slot = np.int64(_mixed(table[old, 0]) & np.uint64(size - 1))
            while grown[slot, 0] != _EMPTY:
                slot = (slot + 1) & (size - 1)
            grown[slot] = table[old]
    return grown


@entry(
    types.Tuple((_ints, _ints, _bytes, _bytes, _ints))(_bytes_in, _ints_in, _ints_in, _ints_in),
    nogil=True,
)
def build_dawg(data: Bytes, start: Ints, length: Ints, order: Ints):
    """Return (first edge, number of edges, is an end) of nodes and (byte, target) of edges.

    `order` puts the strings data[start : start + length] in byte order; equal ones are one.
    """
    shared = _shared_prefixes(data, start, length, order)
    size = np.sum(length) - np.sum(shared) + 1  # of the trie; pages that stay empty cost nothing
    first, count, end = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.uint8)
    byte, to = np.empty(size, np.uint8), np.empty(size, np.int32)
    # what is still open: edges of the nodes along the last string, those of deeper nodes on top
    open_byte, open_to = np.empty(size, np.uint8), np.empty(size, np.int32)
    counts = np.zeros(max(length) + 1 if len(length) else 1, np.int32)
    ends = np.zeros(len(counts), np.uint8)
    table = np.zeros((4096, 2), np.uint64)
    used = nodes = edges = height = 0
    for k in range(len(order) + 1):
        while height > (shared[k] if k < len(order) else -1):  # finish the deepest: no more comes
            low, is_end = used - counts[height], ends[height]
            key = _key_of(open_byte, open_to, low, used, is_end)
            slot = _slot_of(
                table, key, first, count, end, byte, to, open_byte, open_to, low, used, is_end
            )
            node = np.int64(table[slot, 1])
            if table[slot, 0] == _EMPTY:
                node, nodes, after = np.int64(nodes), nodes + 1, edges + used - low
                first[node], count[node], end[node] = edges, used - low, is_end
                byte[edges:after], to[edges:after] = open_byte[low:used], open_to[low:used]
                edges, table[slot, 0], table[slot, 1] = after, key, node
                table = table if 2 * nodes < len(table) else _larger(table, 4 * len(table))
            used, height = low, height - 1
            if height >= 0:
                open_to[used - 1] = node
        while k < len(order) and height < length[order[k]]:
            open_byte[used] = data[start[order[k]] + height]
            counts[height] += 1
            used, height = used + 1, height + 1
            counts[height] = ends[height] = 0
        ends[height] = 1
    return first[:nodes], count[:nodes], end[:nodes], byte[:edges], to[:edges]
