"""The part of a mask that is read off the tables of a terminal: IN, and EXIT by what follows."""

from __future__ import annotations

import numpy as np

from tercet.kernels.bitsets import lowest, size_of_set
from tercet.kernels.layout import (
    COST_COUNT,
    COST_LEAST,
    COST_ROW,
    COST_START,
    COST_TOKENS,
    EXIT_BYTES,
    EXIT_CHARS,
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
    REST_COUNT,
    S_LENGTH,
    S_LIVE,
    S_OFFSET,
    S_POOL,
    SPARSE_LIMIT,
    TABLED,
    TRAP_COST,
    TRAP_EXIT,
    TRAP_TABLE,
    TRAPPED,
    UNBUILT,
    V_DENSE_FROM,
    V_ENDINGS,
    V_LENGTH_ROWS,
    V_LONGEST,
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
    g, table = i64(cp), i64(tp)
    tokens, start = i32(table[COST_TOKENS]), i32(table[COST_START])
    allowed, count = np.int64(start[high + 1]), np.int64(start[table[COST_COUNT] + 1])
    if table[COST_ROW] != 0:
        v, most = i64(g[G_VOCABULARY]), high - table[COST_LEAST]
        if most > 0:
            base = i32(table[COST_ROW])
            short = i32(v[V_LENGTH_ROWS] + 4 * v[V_WORDS] * min(most, v[V_LONGEST]))
            i64(g[G_COUNT])[N_LISTED] = SPARSE_LIMIT + 1
            for w in range(v[V_WORDS]):
                row[w] |= base[w] & short[w]
    elif is_first and table[IN_DENSE] != 0 and 2 * allowed > count:
        add_inside(cp, tp, row)
        for j in range(allowed, count):
            token = np.int64(tokens[j])
            row[token >> 5] &= ~(np.int32(1) << np.int32(token & 31))
        return
    for j in range(allowed):
        put(cp, row, np.int64(tokens[j]))


@inner
def has_table(cp, q, a, b, node):
    """Whether a terminal thread's mask is read off the table of its DFA state.

    Not if a least count may get out of reach, nor if what follows may begin with a byte that the
    terminal could take where it could also end, or with too many bytes. Few tokens are walked,
    unless each would be a text to remember. `prepare` has made the state of what follows.
    """
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    if u8(v[Q_STATUS])[q] != TABLED or (a > 0 and u8(v[Q_OPEN])[q] == 0):
        return False
    reading = root_of_reading(cp, node)
    if reading == KIND_NUMBER:
        return False
    if reading == 0 and i64(i64(v[Q_TABLE])[q])[IN_COUNT] < v[V_DENSE_FROM]:
        return False
    after = np.int64(i32(g[K_STATE])[following(cp, q, node)] - 1)
    if after < 0:
        return False
    live, soft, bytes_ = u64(g[S_LIVE]), u64(v[Q_SOFT]), np.int64(0)
    for w in range(4):
        if live[4 * after + w] & soft[4 * q + w] != 0:
            return False
        bytes_ += size_of_set(live[4 * after + w])
    return bytes_ <= EXIT_BYTES and not has_many_endings(cp, after)


@inner
def has_many_endings(cp, after):
    """Whether a byte that can come next has more endings than is worth a table."""
    g = i64(cp)
    endings, live = i64(i64(g[G_VOCABULARY])[V_ENDINGS]), u64(g[S_LIVE])
    for w in range(4):
        bytes_ = live[4 * after + w]
        while bytes_ != 0:
            byte = 64 * w + lowest(bytes_)
            if endings[byte] != 0 and i64(endings[byte])[REST_COUNT] < 0:
                return True
            bytes_ &= bytes_ - np.uint64(1)
    return False


@inner
def prepare_exits(cp, q, after):
    """Trap for the exits of a DFA state that aren't known yet."""
    g = i64(cp)
    table, live = i64(i64(i64(g[G_VOCABULARY])[Q_TABLE])[q]), u64(g[S_LIVE])
    for w in range(4):
        bytes_ = live[4 * after + w]
        while bytes_ != 0:
            byte = 64 * w + lowest(bytes_)
            if table[EXIT_CHARS + byte] == 0:
                return set_trap(cp, TRAP_EXIT, 256 * q + byte)
            bytes_ &= bytes_ - np.uint64(1)
    return np.int64(0)


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
        after = after if after < 0 else state_of(cp, after)
        if after == TRAPPED:
            return np.int64(TRAPPED)
        if not has_table(cp, q, a, b, node):
            continue
        if prepare_exits(cp, q, after) < 0:
            return np.int64(TRAPPED)
        if b >= 0 and b < i32(v[Q_CLAMP])[q] and i64(i64(v[Q_TABLE])[q])[COST_TOKENS] == 0:
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
    states = (np.int64(state), np.int64(i32(i64(cp)[K_STATE])[following(cp, q, node)] - 1))
    if a < 0:
        return walk_exits(cp, tp, states, row, 0, -1, -2 - a)
    return walk_exits(cp, tp, states, row, a, b, -1)
