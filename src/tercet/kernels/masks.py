"""Mask rows: which tokens keep a state alive.

For a terminal with a table, the tokens that stay inside (IN) are OR-ed in, and the trie of what is
left of the others (EXIT) is walked with the states of the rest of the stack. Everything else walks
the vocabulary's trie. Walks step through interned states, so a node costs a load or two, and a row
is computed once per state: short rows are kept as lists, others as bits.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.clamping import clamp_state
from tercet.kernels.layout import (
    COST_START,
    COST_TOKENS,
    DENSE_LIMIT,
    END_POSITION,
    EXIT_NODES,
    FLAG_READING,
    G_COUNT,
    G_VOCABULARY,
    IN_COUNT,
    IN_DENSE,
    IN_TOKENS,
    K_STATE,
    KIND_NUMBER,
    M_DENSE,
    M_SPARSE,
    N_DENSE,
    N_LISTED,
    N_SPARSE,
    N_STATES,
    Q_CLAMP,
    Q_OPEN,
    Q_SOFT,
    Q_STATUS,
    Q_TABLE,
    S_CLAMPED,
    S_FLAGS,
    S_LENGTH,
    S_LIVE,
    S_OFFSET,
    S_POOL,
    S_ROW,
    S_ROW_COUNT,
    S_ROW_START,
    SPARSE_LIMIT,
    TABLED,
    TRAP_COST,
    TRAP_TABLE,
    TRAPPED,
    UNBUILT,
    UNKNOWN,
    V_EOS,
    V_EOS_COUNT,
    V_WORDS,
    W_TOKENS,
)
from tercet.kernels.lexing import following
from tercet.kernels.memories import root_of_reading
from tercet.kernels.pointers import entry, i32, i64, inner, u8, u64
from tercet.kernels.repeats import remove_seen
from tercet.kernels.stacks import has_room, set_trap
from tercet.kernels.states import add_thread, intern_state, state_of
from tercet.kernels.steps import is_busy
from tercet.kernels.walks import put, walk_all, walk_exits


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


@inner
def add_end(cp, row):
    """Allow the tokens that end a text."""
    v = i64(i64(cp)[G_VOCABULARY])
    eos = i32(v[V_EOS])
    for j in range(v[V_EOS_COUNT]):
        put(cp, row, np.int64(eos[j]))


@inner
def compute_row(cp, state, row):
    """The mask of a state, thread by thread; what has no table walks the vocabulary together."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    if not make_room(cp) or prepare(cp, state) < 0:
        return np.int64(TRAPPED)
    for w in range(v[V_WORDS]):
        row[w] = 0
    i64(g[G_COUNT])[N_LISTED] = 0
    pool, start = i32(g[S_POOL]), np.int64(i32(g[S_OFFSET])[state])
    end, tabled = start + i32(g[S_LENGTH])[state], 0
    for t in range(start, end):
        position, a, b = np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
        node = np.int64(pool[4 * t + 3])
        if position == END_POSITION:
            add_end(cp, row)
        elif position < 0 and has_table(cp, -1 - position, a, b, node):
            # threads are sorted by position, so terminals come before all others
            if add_terminal(cp, state, t, row, tabled == 0) < 0:
                return np.int64(TRAPPED)
            tabled += 1
    if tabled == 0:
        return walk_all(cp, state, row)
    if u8(g[S_FLAGS])[state] & FLAG_READING != 0 and remove_seen(cp, state, row) < 0:
        return np.int64(TRAPPED)
    length = np.int64(0)
    for t in range(start, end):
        position, a, b = np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
        node = np.int64(pool[4 * t + 3])
        if position == END_POSITION or (position < 0 and has_table(cp, -1 - position, a, b, node)):
            continue
        length = add_thread(cp, length, position, a, b, node)
        if length < 0:
            return length
    if length == 0:
        return np.int64(0)
    rest = intern_state(cp, length)
    return rest if rest < 0 else walk_all(cp, rest, row)


@inner
def forget_dense_rows(cp):
    """Make place by forgetting all dense rows; they are computed again when needed."""
    g = i64(cp)
    rows, count = i32(g[S_ROW]), i64(g[G_COUNT])
    for s in range(count[N_STATES]):
        if rows[s] > 0:
            rows[s] = 0
    count[N_DENSE] = 0


@inner
def make_room(cp):
    """Make room for one more row of either kind, before any work is done for it."""
    if i64(i64(cp)[G_COUNT])[N_DENSE] >= DENSE_LIMIT:
        forget_dense_rows(cp)
    return has_room(cp, N_DENSE, 1) and has_room(cp, N_SPARSE, SPARSE_LIMIT)


@inner
def store_row(cp, state, row):
    """Keep a computed row: as a list when it is short. `make_room` has been called."""
    g = i64(cp)
    count, words = i64(g[G_COUNT]), i64(g[G_VOCABULARY])[V_WORDS]
    listed = count[N_LISTED]
    if listed <= SPARSE_LIMIT:
        at, sparse, tokens = count[N_SPARSE], i32(g[M_SPARSE]), i32(g[W_TOKENS])
        for j in range(listed):
            sparse[at + j] = tokens[j]
        i32(g[S_ROW_START])[state], i32(g[S_ROW_COUNT])[state] = at, listed
        i32(g[S_ROW])[state] = -1
        count[N_SPARSE] = at + listed
        return np.int64(0)
    made, dense = count[N_DENSE], i32(g[M_DENSE])
    for w in range(words):
        dense[made * words + w] = row[w]
    count[N_DENSE] = made + 1
    i32(g[S_ROW])[state] = made + 1
    return np.int64(0)


@inner
def copy_row(cp, state, row):
    """Write a row that is known."""
    g = i64(cp)
    words, kept = i64(g[G_VOCABULARY])[V_WORDS], np.int64(i32(g[S_ROW])[state])
    if kept > 0:
        dense = i32(g[M_DENSE])
        for w in range(words):
            row[w] = dense[(kept - 1) * words + w]
        return
    for w in range(words):
        row[w] = 0
    sparse, start = i32(g[M_SPARSE]), np.int64(i32(g[S_ROW_START])[state])
    for j in range(start, start + i32(g[S_ROW_COUNT])[state]):
        token = np.int64(sparse[j])
        row[token >> 5] |= np.int32(1) << np.int32(token & 31)


@inner
def known_row(cp, state):
    """The state whose row is the state's own, if that row is known, else UNKNOWN; only reads."""
    g = i64(cp)
    clamped = np.int64(i32(g[S_CLAMPED])[state]) - 1
    return clamped if clamped >= 0 and i32(g[S_ROW])[clamped] != 0 else np.int64(UNKNOWN)


@inner
def write_row(cp, state, row):
    """Write the mask of a state, computed if it isn't known; 0, or negative on a trap."""
    state = clamp_state(cp, state)
    if state < 0:
        return state
    if i32(i64(cp)[S_ROW])[state] == 0:
        if compute_row(cp, state, row) < 0:
            return np.int64(TRAPPED)
        return store_row(cp, state, row)
    copy_row(cp, state, row)
    return np.int64(0)


@entry("int64(int64, int64, int64)")
def fill_row(cp, state, out):
    """Write the mask of a state to the int32 words at address `out`, or trap."""
    return np.int64(TRAPPED) if is_busy(cp) else write_row(cp, state, i32(out))
