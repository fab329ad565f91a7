"""Interned stack nodes and what follows them.

A stack node is (pc, low, high, parents, memory): where to go on, the counts left of a loop, the
callers, and on top of a stack what has been seen (`memories`; callers take it from what returns).
`parents` is one integer: -1 for the bottom, 2k for the single node k, 2l + 1 for the list l. Nodes
and lists are hash-consed, so equal stacks are equal integers. Two threads that differ only in
their callers share one node whose parents are the union: the graph-structured stack of GLR
parsing (Tomita), which keeps ambiguous grammars from exploding.

Functions return a negative number when a trap was set; nothing is half-written then, so the call
can be repeated once Python has answered the trap.
"""

from __future__ import annotations

import numpy as np

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
    N_LIST_POOL,
    N_LISTS,
    N_NODES,
    TRAP,
    TRAP_ARGUMENT,
    TRAP_GROW,
    TRAPPED,
    W_MERGE,
)
from tercet.kernels.pointers import i32, i64, inner


@inner
def mix(seed, value):
    """One round of a 64-bit hash (the finaliser of splitmix64)."""
    x = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) ^ (
        np.uint64(np.int64(value)) + np.uint64(0x7F4A7C159E3779B9)
    )
    x ^= x >> np.uint64(29)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))


@inner
def set_trap(cp, code, argument):
    """Ask Python for something; always returns TRAPPED."""
    count = i64(i64(cp)[G_COUNT])
    count[TRAP] = code
    count[TRAP_ARGUMENT] = argument
    return np.int64(TRAPPED)


@inner
def has_room(cp, counter, need):
    """Whether `need` more entries fit; sets the trap when they don't."""
    g = i64(cp)
    if i64(g[G_COUNT])[counter] + need <= i64(g[G_CAPACITY])[counter]:
        return True
    set_trap(cp, TRAP_GROW, counter)
    return False


@inner
def hash_node(pc, low, high, parents, memory):
    """The hash of a stack node."""
    return mix(mix(mix(mix(mix(0, pc), low), high), parents), memory)


@inner
def intern_node(cp, pc, low, high, parents, memory):
    """The node (pc, low, high, parents, memory), made if it is new."""
    g = i64(cp)
    node_pc, node_low, node_high = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH])
    node_parents, node_memory, table = i32(g[K_PARENTS]), i32(g[K_MEMORY]), i32(g[K_TABLE])
    mask = 2 * i64(g[G_CAPACITY])[N_NODES] - 1
    i = np.int64(hash_node(pc, low, high, parents, memory) & np.uint64(mask))
    while table[i] > 0:
        k = np.int64(table[i] - 1)
        if (
            node_pc[k] == pc
            and node_parents[k] == parents
            and node_low[k] == low
            and node_high[k] == high
            and node_memory[k] == memory
        ):
            return k
        i = (i + 1) & mask
    if not has_room(cp, N_NODES, 1):
        return np.int64(TRAPPED)
    count = i64(g[G_COUNT])
    k = count[N_NODES]
    count[N_NODES] = k + 1
    node_pc[k], node_low[k], node_high[k], node_parents[k] = pc, low, high, parents
    node_memory[k] = memory
    table[i] = k + 1
    return k


@inner
def intern_list(cp, start, length):
    """The list W_MERGE[start : start + length], made if it is new."""
    g = i64(cp)
    offset, size, pool = i32(g[L_OFFSET]), i32(g[L_LENGTH]), i32(g[L_POOL])
    table, merge = i32(g[L_TABLE]), i32(g[W_MERGE])
    mask = 2 * i64(g[G_CAPACITY])[N_LISTS] - 1
    h = np.uint64(length)
    for j in range(length):
        h = mix(h, merge[start + j])
    i = np.int64(h & np.uint64(mask))
    while table[i] > 0:
        found = np.int64(table[i] - 1)
        if size[found] == length:
            same = True
            for j in range(length):
                if pool[offset[found] + j] != merge[start + j]:
                    same = False
                    break
            if same:
                return found
        i = (i + 1) & mask
    if not has_room(cp, N_LISTS, 1) or not has_room(cp, N_LIST_POOL, length):
        return np.int64(TRAPPED)
    count = i64(g[G_COUNT])
    made, at = count[N_LISTS], count[N_LIST_POOL]
    count[N_LISTS] = made + 1
    count[N_LIST_POOL] = at + length
    offset[made], size[made] = at, length
    for j in range(length):
        pool[at + j] = merge[start + j]
    table[i] = made + 1
    return made


@inner
def same_place(cp, one, other):
    """Whether two nodes differ at most in their parents."""
    g = i64(cp)
    pc, low, high = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH])
    memory = i32(g[K_MEMORY])
    if pc[one] != pc[other] or memory[one] != memory[other]:
        return False
    return low[one] == low[other] and high[one] == high[other]


@inner
def with_parents(cp, k, parents):
    """Node k with other callers."""
    g = i64(cp)
    pc, low, high, memory = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH]), i32(g[K_MEMORY])
    return intern_node(cp, pc[k], low[k], high[k], parents, memory[k])


@inner
def with_memory(cp, k, memory):
    """Node k with another memory."""
    g = i64(cp)
    pc, low, high, parents = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH]), i32(g[K_PARENTS])
    return intern_node(cp, pc[k], low[k], high[k], parents[k], memory)
