"""Interned pairs of integers: memories, and texts as a tree of their bytes."""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    G_CAPACITY,
    G_COUNT,
    N_MEMORIES,
    N_TEXTS,
    R_SEEN,
    R_TABLE,
    R_TEXT,
    T_BYTE,
    T_PARENT,
    T_TABLE,
    TRAPPED,
    UNKNOWN,
)
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import has_room, mix


@inner
def intern_text(cp, text, byte):
    """The text one byte longer."""
    return intern_pair(cp, (T_PARENT, T_BYTE, T_TABLE), N_TEXTS, text, byte)


@inner
def find_pair(cp, slots, counter, one, other):
    """The interned pair, or UNKNOWN."""
    g = i64(cp)
    first, second, table = i32(g[slots[0]]), i32(g[slots[1]]), i32(g[slots[2]])
    mask = 2 * i64(g[G_CAPACITY])[counter] - 1
    i = np.int64(mix(mix(2, one), other) & np.uint64(mask))
    while table[i] > 0:
        found = np.int64(table[i] - 1)
        if first[found] == one and second[found] == other:
            return found
        i = (i + 1) & mask
    return np.int64(UNKNOWN)


@inner
def intern_pair(cp, slots, counter, one, other):
    """The interned pair, made if it is new."""
    found = find_pair(cp, slots, counter, one, other)
    if found != UNKNOWN:
        return found
    if not has_room(cp, counter, 1):
        return np.int64(TRAPPED)
    g = i64(cp)
    count, table = i64(g[G_COUNT]), i32(g[slots[2]])
    mask = 2 * i64(g[G_CAPACITY])[counter] - 1
    i = np.int64(mix(mix(2, one), other) & np.uint64(mask))
    while table[i] > 0:
        i = (i + 1) & mask
    made = count[counter]
    count[counter] = made + 1
    i32(g[slots[0]])[made], i32(g[slots[1]])[made] = one, other
    table[i] = made + 1
    return made


@inner
def intern_memory(cp, seen, text):
    """The memory of a set of texts and a text being read."""
    return intern_pair(cp, (R_SEEN, R_TEXT, R_TABLE), N_MEMORIES, seen, text)
