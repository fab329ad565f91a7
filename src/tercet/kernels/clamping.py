"""States that have the same mask although their counts differ.

A token has at most V_LONGEST bytes, so it completes at most that many characters or loop rounds:
a count further from its limit than that can't be seen by a mask. Clamping every count to just
above gives one state for all of them, and so one mask row: this is why a long `maxLength` or
`maxItems` costs nothing. Near the limit each count keeps its own row.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    END_POSITION,
    G_CAPACITY,
    G_OP,
    G_VOCABULARY,
    K_CLAMPED,
    K_HIGH,
    K_LOW,
    K_MEMORY,
    K_PARENTS,
    K_PC,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    N_CLAMPING,
    OP_LOOP,
    Q_CLAMP,
    Q_OPEN,
    S_CLAMPED,
    S_LENGTH,
    S_OFFSET,
    S_POOL,
    TRAP_GROW,
    TRAPPED,
    V_LONGEST,
    W_CLAMPING,
)
from tercet.kernels.pointers import i32, i64, inner, u8
from tercet.kernels.stacks import intern_node, set_trap
from tercet.kernels.states import add_thread, intern_state
from tercet.kernels.unions import union_parents


@inner
def clamp_list(cp, parents):
    """The union of the clamped nodes of a list, or a node that isn't clamped yet, as -4 - k."""
    g = i64(cp)
    pool, start = i32(g[L_POOL]), np.int64(i32(g[L_OFFSET])[parents >> 1])
    united = np.int64(0)
    for j in range(start, start + i32(g[L_LENGTH])[parents >> 1]):
        k = np.int64(pool[j])
        one = 2 * (np.int64(i32(g[K_CLAMPED])[k]) - 1)
        if one < 0:
            return -4 - k
        united = one if j == start else union_parents(cp, united, one)
        if united < 0:
            return united
    return united


@inner
def clamp_parents(cp, parents):
    """The clamped callers, TRAPPED, or -4 - k for a node k that has to be clamped before."""
    if parents < 0:
        return np.int64(parents)
    if parents & 1 == 1:
        return clamp_list(cp, parents)
    clamped = np.int64(i32(i64(cp)[K_CLAMPED])[parents >> 1])
    return 2 * (clamped - 1) if clamped > 0 else -4 - (parents >> 1)


@inner
def clamp_node(cp, k):
    """The node with every count in it, and below it, clamped; callers first, without recursion."""
    g = i64(cp)
    limit, waiting = i64(g[G_VOCABULARY])[V_LONGEST] + 1, i32(g[W_CLAMPING])
    waiting[0], depth = k, np.int64(1)
    while depth > 0:
        here = np.int64(waiting[depth - 1])
        parents = clamp_parents(cp, np.int64(i32(g[K_PARENTS])[here]))
        if parents == TRAPPED:
            return parents
        if parents <= -4:
            if depth >= i64(g[G_CAPACITY])[N_CLAMPING]:
                return set_trap(cp, TRAP_GROW, N_CLAMPING)
            waiting[depth] = -4 - parents
            depth += 1
            continue
        low, high = np.int64(i32(g[K_LOW])[here]), np.int64(i32(g[K_HIGH])[here])
        memory = i32(g[K_MEMORY])[here]
        if i32(g[G_OP])[i32(g[K_PC])[here]] == OP_LOOP:
            low, high = min(low, limit), min(high, limit)
        made = intern_node(cp, i32(g[K_PC])[here], low, high, parents, memory)
        if made < 0:
            return made
        i32(g[K_CLAMPED])[here] = made + 1
        depth -= 1
    return np.int64(i32(g[K_CLAMPED])[k] - 1)


@inner
def clamp_state(cp, state):
    """The state with the same mask and no count above its limit."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    known = np.int64(i32(g[S_CLAMPED])[state])
    if known > 0:
        return known - 1
    pool, start = i32(g[S_POOL]), np.int64(i32(g[S_OFFSET])[state])
    length = np.int64(0)
    for t in range(start, start + i32(g[S_LENGTH])[state]):
        position, a, b = np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
        node = np.int64(pool[4 * t + 3])
        if position != END_POSITION:
            known = np.int64(i32(g[K_CLAMPED])[node])
            node = known - 1 if known > 0 else clamp_node(cp, node)
            if node < 0:
                return node
        if position < 0 and a >= 0:
            limit = np.int64(i32(v[Q_CLAMP])[-1 - position])
            b = min(b, limit)
            if u8(v[Q_OPEN])[-1 - position] != 0:
                a = min(a, limit)
        length = add_thread(cp, length, position, a, b, node)
        if length < 0:
            return length
    made = intern_state(cp, length)
    if made >= 0:
        i32(g[S_CLAMPED])[state] = made + 1
    return made
