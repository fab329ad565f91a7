"""Unions of sets of callers: where two stacks differ only below, they become one.

This is the local ambiguity packing of generalised parsing (Tomita): threads at the same place with
different callers share a node whose callers are the union, at every depth.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    G_COUNT,
    K_HIGH,
    K_LOW,
    K_MEMORY,
    K_PARENTS,
    K_PC,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    N_MERGE,
    N_PAIRS,
    N_UNIONS,
    TRAPPED,
    U_FIRST,
    U_RESULT,
    U_SECOND,
    U_TABLE,
    UNKNOWN,
    W_MERGE,
    W_PAIRS,
)
from tercet.kernels.pairs import find_pair, intern_pair
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import has_room, intern_list, intern_node, same_place, with_parents


@inner
def parents_size(cp, parents):
    """How many nodes `parents` holds (the bottom counts as one)."""
    if parents < 0 or parents & 1 == 0:
        return np.int64(1)
    return np.int64(i32(i64(cp)[L_LENGTH])[parents >> 1])


@inner
def gather(cp, parents, top):
    """Append the nodes of `parents` to W_MERGE at `top`; returns the new top."""
    g = i64(cp)
    merge = i32(g[W_MERGE])
    if parents < 0:
        end = intern_node(cp, 0, 0, 0, -1, 0)
        if end < 0:
            return end
        merge[top] = end
        return top + 1
    if parents & 1 == 0:
        merge[top] = parents >> 1
        return top + 1
    l = parents >> 1
    offset, length, pool = i32(g[L_OFFSET])[l], i32(g[L_LENGTH])[l], i32(g[L_POOL])
    for j in range(length):
        merge[top + j] = pool[offset + j]
    return top + length


@inner
def node_before(cp, one, other):
    """Order of nodes by (pc, low, high, memory, id)."""
    g = i64(cp)
    pc, low, high = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH])
    if pc[one] != pc[other]:
        return pc[one] < pc[other]
    if low[one] != low[other]:
        return low[one] < low[other]
    if high[one] != high[other]:
        return high[one] < high[other]
    memory = i32(g[K_MEMORY])
    if memory[one] != memory[other]:
        return memory[one] < memory[other]
    return one < other


@inner
def find_union(cp, one, other):
    """The union of two sets of callers if it is known, else UNKNOWN."""
    u = find_pair(cp, (U_FIRST, U_SECOND, U_TABLE), N_UNIONS, one, other)
    return u if u < 0 else np.int64(i32(i64(cp)[U_RESULT])[u])


@inner
def remember_union(cp, one, other, result):
    """Keep a union for good."""
    u = intern_pair(cp, (U_FIRST, U_SECOND, U_TABLE), N_UNIONS, one, other)
    if u < 0:
        return u
    i32(i64(cp)[U_RESULT])[u] = result
    return np.int64(result)


@inner
def gather_sorted(cp, one, other):
    """Put the nodes of both sets into W_MERGE, by place; returns how many."""
    if not has_room(cp, N_MERGE, parents_size(cp, one) + parents_size(cp, other)):
        return np.int64(TRAPPED)
    merge = i32(i64(cp)[W_MERGE])
    top = gather(cp, one, 0)
    if top >= 0:
        top = gather(cp, other, top)
    if top < 0:
        return np.int64(top)
    for i in range(1, top):
        node, j = merge[i], i
        while j > 0 and node_before(cp, node, merge[j - 1]):
            merge[j] = merge[j - 1]
            j -= 1
        merge[j] = node
    return np.int64(top)


@inner
def push_pair(cp, one, other):
    """Ask for the union of a pair before the running one; always negative."""
    if not has_room(cp, N_PAIRS, 1):
        return np.int64(TRAPPED)
    g = i64(cp)
    depth, pairs = i64(g[G_COUNT])[N_PAIRS], i32(g[W_PAIRS])
    pairs[2 * depth], pairs[2 * depth + 1] = one, other
    i64(g[G_COUNT])[N_PAIRS] = depth + 1
    return np.int64(UNKNOWN)


@inner
def try_union(cp, one, other):
    """The union, or UNKNOWN with a pair pushed that has to be united first."""
    top = gather_sorted(cp, one, other)
    if top < 0:
        return top
    g = i64(cp)
    merge, parents, pc = i32(g[W_MERGE]), i32(g[K_PARENTS]), i32(g[K_PC])
    low, high, memory = i32(g[K_LOW]), i32(g[K_HIGH]), i32(g[K_MEMORY])
    kept = np.int64(0)
    for i in range(top):
        node = np.int64(merge[i])
        if kept > 0 and node == merge[kept - 1]:
            continue
        if kept > 0 and same_place(cp, node, merge[kept - 1]):
            a, b = np.int64(parents[merge[kept - 1]]), np.int64(parents[node])
            united = a if a == b else find_union(cp, a, b)
            if united == UNKNOWN:
                return push_pair(cp, a, b)
            node = intern_node(cp, pc[node], low[node], high[node], united, memory[node])
            if node < 0:
                return node
            kept -= 1
        merge[kept] = node
        kept += 1
    if kept == 1:
        return np.int64(2 * merge[0])
    made = intern_list(cp, 0, kept)
    return made if made < 0 else 2 * made + 1


@inner
def union_parents(cp, one, other):
    """The union of two sets of callers; nodes at the same place are merged, at every depth.

    Deep stacks are united from the bottom up, without recursion: numba can't cache recursive
    kernels (it fails to link them when they are loaded again).
    """
    if one == other:
        return np.int64(one)
    found = find_union(cp, one, other)
    if found != UNKNOWN:
        return found
    g = i64(cp)
    count, pairs = i64(g[G_COUNT]), i32(g[W_PAIRS])
    count[N_PAIRS] = 0
    found = push_pair(cp, one, other)
    while found != TRAPPED and count[N_PAIRS] > 0:
        at = count[N_PAIRS] - 1
        a, b = np.int64(pairs[2 * at]), np.int64(pairs[2 * at + 1])
        found = try_union(cp, a, b)
        if found >= 0:
            found = remember_union(cp, a, b, found)
            count[N_PAIRS] = at
    return found


@inner
def merge_nodes(cp, one, other):
    """The node that stands for both stacks; the two are at the same place."""
    parents = i32(i64(cp)[K_PARENTS])
    united = union_parents(cp, np.int64(parents[one]), np.int64(parents[other]))
    if united == TRAPPED:
        return united
    return with_parents(cp, one, united)
