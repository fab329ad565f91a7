"""The part of a mask that is read off the tables of a terminal: IN, and EXIT by what follows."""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    COST_START,
    COST_TOKENS,
    EXIT_NODES,
    G_COUNT,
    G_VOCABULARY,
    IN_COUNT,
    IN_DENSE,
    IN_TOKENS,
    K_STATE,
    KIND_NUMBER,
    N_LISTED,
    Q_CLAMP,
    Q_OPEN,
    Q_SOFT,
    Q_STATUS,
    Q_TABLE,
    S_LENGTH,
    S_LIVE,
    S_OFFSET,
    S_POOL,
    SPARSE_LIMIT,
    TABLED,
    TRAP_COST,
    TRAP_TABLE,
    TRAPPED,
    UNBUILT,
    V_WORDS,
)
from tercet.kernels.lexing import following
from tercet.kernels.memories import root_of_reading
from tercet.kernels.pointers import (
    i32,
    i64,
    inner,
    u8,
    u64,
)
from tercet.kernels.stacks import set_trap
from tercet.kernels.states import state_of
from tercet.kernels.walks import put, walk_exits


@inner
def add_inside(cp, tp, row):
    """Allow every token that stays inside the terminal."""
    g, table = i64(cp), i64(tp)
    if table[IN_DENSE] == 0:
        tokens = i32(table[IN_TOKENS])
        for j in range(table[IN_COUNT]):
            put(cp, row, np.int64(tokens[j]))
        return
    dense = i32(table[IN_DENSE])
    i64(g[G_COUNT])[N_LISTED] = SPARSE_LIMIT + 1
    for w in range(i64(g[G_VOCABULARY])[V_WORDS]):
        row[w] |= dense[w]


@inner
def add_inside_counted(cp, tp, row, high, is_first):
    """Allow the tokens that stay inside and leave room for what must still come.

    Most tokens are short, so on a row that is still empty it is cheaper to allow all of IN and take
    the long ones out again (Llama 3, 20 characters left: 6 microseconds instead of 200).
    """
    table = i64(tp)
    tokens, count = i32(table[COST_TOKENS]), table[IN_COUNT]
    allowed = np.int64(i32(table[COST_START])[high + 1])
    if is_first and table[IN_DENSE] != 0 and 2 * allowed > count:
        add_inside(cp, tp, row)
        for j in range(allowed, count):
            token = np.int64(tokens[j])
            row[token >> 5] &= ~(np.int32(1) << np.int32(token & 31))
        return
    for j in range(allowed):
        put(cp, row, np.int64(tokens[j]))


@inner
def has_table(cp, q, a, b, node):
    """Whether a terminal thread's mask can be read off the table of its DFA state.

    Not if a least count may get out of reach, nor if what follows may begin with a byte that the
    terminal could take where it could also end. `prepare` has made the state of what follows.
    """
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    if u8(v[Q_STATUS])[q] != TABLED or (a > 0 and u8(v[Q_OPEN])[q] == 0):
        return False
    if root_of_reading(cp, node) == KIND_NUMBER:
        return False
    after = np.int64(i32(g[K_STATE])[following(cp, q, node)] - 1)
    live, soft = u64(g[S_LIVE]), u64(v[Q_SOFT])
    for w in range(4):
        if live[4 * after + w] & soft[4 * q + w] != 0:
            return False
    return True


@inner
def prepare(cp, state):
    """Make what the state's terminals still lack, or trap for it, before any other work."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    pool, start = i32(g[S_POOL]), np.int64(i32(g[S_OFFSET])[state])
    for t in range(start, start + i32(g[S_LENGTH])[state]):
        position, a, b = np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
        node = np.int64(pool[4 * t + 3])
        if position >= 0:
            continue
        q = -1 - position
        if u8(v[Q_STATUS])[q] == UNBUILT:
            return set_trap(cp, TRAP_TABLE, q)
        after = following(cp, q, node)
        if after < 0 or state_of(cp, after) == TRAPPED:
            return np.int64(TRAPPED)
        if b >= 0 and b < i32(v[Q_CLAMP])[q] and has_table(cp, q, a, b, node):
            if i64(i64(v[Q_TABLE])[q])[COST_TOKENS] == 0:
                return set_trap(cp, TRAP_COST, q)
    return np.int64(0)


@inner
def add_terminal(cp, state, t, row, is_first):
    """The mask of thread t of the state pool, a terminal whose DFA state has a table."""
    v, pool = i64(i64(cp)[G_VOCABULARY]), i32(i64(cp)[S_POOL])
    q, a, b = -1 - np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
    node, tp = np.int64(pool[4 * t + 3]), i64(v[Q_TABLE])[q]
    if b >= 0 and b < i32(v[Q_CLAMP])[q]:
        add_inside_counted(cp, tp, row, b, is_first)
    else:
        add_inside(cp, tp, row)
    if i64(tp)[EXIT_NODES] == 0:
        return np.int64(0)
    states = (np.int64(state), np.int64(i32(i64(cp)[K_STATE])[following(cp, q, node)] - 1))
    if a < 0:
        return walk_exits(cp, tp, states, row, 0, -1, -2 - a)
    return walk_exits(cp, tp, states, row, a, b, -1)
