"""What a closure still has to look at: its stack, the places it has been to, the threads found."""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    C_POOL,
    G_CAPACITY,
    G_COUNT,
    K_HIGH,
    K_LOW,
    K_PARENTS,
    K_PC,
    N_CLOSURE,
    N_STACK,
    N_STAMP,
    N_VISITED,
    TRAP_GROW,
    W_STACK,
    W_VISITED,
)
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import hash_node, set_trap


@inner
def first_visit(cp, pc, low, high, parents, memory):
    """Mark a place of the running closure: 1 when it is new, 0 when seen, negative on a trap."""
    g = i64(cp)
    count, visited = i64(g[G_COUNT]), i32(g[W_VISITED])
    stamp, capacity = count[N_STAMP], i64(g[G_CAPACITY])[N_VISITED]
    if 2 * count[N_VISITED] >= capacity:
        return set_trap(cp, TRAP_GROW, N_VISITED)
    mask = capacity - 1
    i = np.int64(hash_node(pc, low, high, parents, memory) & np.uint64(mask))
    while visited[6 * i] == stamp:
        if (
            visited[6 * i + 1] == pc
            and visited[6 * i + 2] == low
            and visited[6 * i + 3] == high
            and visited[6 * i + 4] == parents
            and visited[6 * i + 5] == memory
        ):
            return np.int64(0)
        i = (i + 1) & mask
    visited[6 * i], visited[6 * i + 1], visited[6 * i + 2] = stamp, pc, low
    visited[6 * i + 3], visited[6 * i + 4], visited[6 * i + 5] = high, parents, memory
    count[N_VISITED] += 1
    return np.int64(1)


@inner
def push(cp, top, pc, low, high, parents, memory):
    """Push a place on the closure stack; returns the new top."""
    g = i64(cp)
    if top + 1 > i64(g[G_CAPACITY])[N_STACK]:
        return set_trap(cp, TRAP_GROW, N_STACK)
    stack = i32(g[W_STACK])
    stack[5 * top], stack[5 * top + 1], stack[5 * top + 2] = pc, low, high
    stack[5 * top + 3], stack[5 * top + 4] = parents, memory
    return top + 1


@inner
def push_node(cp, top, k, memory):
    """Push the place where a stack node goes on."""
    g = i64(cp)
    pc, low, high, parents = i32(g[K_PC]), i32(g[K_LOW]), i32(g[K_HIGH]), i32(g[K_PARENTS])
    return push(cp, top, pc[k], low[k], high[k], parents[k], memory)


@inner
def emit(cp, length, position, a, b, node):
    """Append a thread to the closure being built; returns its new length."""
    g = i64(cp)
    at = i64(g[G_COUNT])[N_CLOSURE] + length
    if at + 1 > i64(g[G_CAPACITY])[N_CLOSURE]:
        return set_trap(cp, TRAP_GROW, N_CLOSURE)
    pool = i32(g[C_POOL])
    pool[4 * at], pool[4 * at + 1], pool[4 * at + 2], pool[4 * at + 3] = position, a, b, node
    return length + 1
