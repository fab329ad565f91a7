"""Hash tables and literal tries after a change of size.

The engine's arrays grow outside the kernels (Python allocates, copies, and calls again); the open
addressing tables have to be filled anew then.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tercet.kernels.layout import (
    G_CAPACITY,
    G_COUNT,
    K_HIGH,
    K_LOW,
    K_MEMORY,
    K_PARENTS,
    K_PC,
    K_TABLE,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    L_TABLE,
    N_LISTS,
    N_MEMORIES,
    N_NODES,
    N_STATES,
    N_TEXTS,
    N_UNIONS,
    R_SEEN,
    R_TABLE,
    R_TEXT,
    S_LENGTH,
    S_OFFSET,
    S_POOL,
    S_TABLE,
    T_BYTE,
    T_PARENT,
    T_TABLE,
    U_FIRST,
    U_SECOND,
    U_TABLE,
)
from tercet.kernels.pointers import entry, i32, i64, inner
from tercet.kernels.stacks import hash_node, mix


@inner
def insert(table, mask, h, index):
    """Put index + 1 into the first free place."""
    i = np.int64(h & np.uint64(mask))
    while table[i] > 0:
        i = (i + 1) & mask
    table[i] = index + 1


@entry("int64(int64)")
def rehash_nodes(cp):
    """Fill the (zeroed) table of stack nodes."""
    g = i64(cp)
    pc, low, high, parents = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH]), i32(g[K_PARENTS])
    memory = i32(g[K_MEMORY])
    mask = 2 * i64(g[G_CAPACITY])[N_NODES] - 1
    for k in range(i64(g[G_COUNT])[N_NODES]):
        h = hash_node(pc[k], low[k], high[k], parents[k], memory[k])
        insert(i32(g[K_TABLE]), mask, h, k)
    return np.int64(0)


@inner
def rehash_spans(cp, slots, counter, width):
    """Fill the table of interned spans (lists of nodes, states)."""
    g = i64(cp)
    offset, length, pool = i32(g[slots[0]]), i32(g[slots[1]]), i32(g[slots[2]])
    mask = 2 * i64(g[G_CAPACITY])[counter] - 1
    for s in range(i64(g[G_COUNT])[counter]):
        h = np.uint64(length[s])
        start = width * np.int64(offset[s])
        for j in range(width * length[s]):
            h = mix(h, pool[start + j])
        insert(i32(g[slots[3]]), mask, h, s)
    return np.int64(0)


@inner
def rehash_pairs(cp, slots, counter):
    """Fill a table of interned pairs."""
    g = i64(cp)
    first, second = i32(g[slots[0]]), i32(g[slots[1]])
    mask = 2 * i64(g[G_CAPACITY])[counter] - 1
    for u in range(i64(g[G_COUNT])[counter]):
        insert(i32(g[slots[2]]), mask, mix(mix(2, first[u]), second[u]), u)
    return np.int64(0)


@entry("int64(int64)")
def rehash_unions(cp):
    """Fill the (zeroed) table of unions of callers."""
    return rehash_pairs(cp, (U_FIRST, U_SECOND, U_TABLE), N_UNIONS)


@entry("int64(int64)")
def rehash_memories(cp):
    """Fill the (zeroed) table of memories."""
    return rehash_pairs(cp, (R_SEEN, R_TEXT, R_TABLE), N_MEMORIES)


@entry("int64(int64)")
def rehash_texts(cp):
    """Fill the (zeroed) table of texts."""
    return rehash_pairs(cp, (T_PARENT, T_BYTE, T_TABLE), N_TEXTS)


@entry("int64(int64)")
def rehash_lists(cp):
    """Fill the (zeroed) table of lists of callers."""
    return rehash_spans(cp, (L_OFFSET, L_LENGTH, L_POOL, L_TABLE), N_LISTS, 1)


@entry("int64(int64)")
def rehash_states(cp):
    """Fill the (zeroed) table of states."""
    return rehash_spans(cp, (S_OFFSET, S_LENGTH, S_POOL, S_TABLE), N_STATES, 4)


@entry(types.UniTuple(types.int32[::1], 3)(types.uint8[::1], types.int32[::1]))
def sibling_edges(byte, skip):
    """The children of every node of a flat trie, node 0 being a new root: (start, count, child).

    Children are numbered as in the flat trie plus one, and come by rising byte.
    """
    nodes = len(byte)
    start, count = np.zeros(nodes + 1, np.int32), np.zeros(nodes + 1, np.int32)
    child = np.zeros(nodes, np.int32)
    used = 0
    for parent in range(nodes + 1):
        j = parent  # the first child of flat node parent - 1 is flat node parent
        end = skip[parent - 1] if parent > 0 else nodes
        start[parent] = used
        while j < end:
            child[used] = j + 1
            used += 1
            j = skip[j]
        count[parent] = used - start[parent]
    return start, count, child
