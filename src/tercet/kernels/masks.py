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
    DENSE_LIMIT,
    END_POSITION,
    FLAG_READING,
    G_COUNT,
    G_MAKE_ROW,
    G_VOCABULARY,
    M_DENSE,
    M_SPARSE,
    N_DENSE,
    N_LISTED,
    N_SPARSE,
    N_STATES,
    S_CLAMPED,
    S_FLAGS,
    S_LENGTH,
    S_OFFSET,
    S_POOL,
    S_ROW,
    S_ROW_COUNT,
    S_ROW_START,
    SPARSE_LIMIT,
    TRAPPED,
    UNKNOWN,
    V_EOS,
    V_EOS_COUNT,
    V_WORDS,
    W_TOKENS,
)
from tercet.kernels.pointers import (
    entry,
    i32,
    i64,
    inner,
    u8,
)
from tercet.kernels.repeats import remove_seen
from tercet.kernels.shared import call, shared
from tercet.kernels.stacks import has_room
from tercet.kernels.states import add_thread, intern_state
from tercet.kernels.steps import is_busy
from tercet.kernels.tabled import add_terminal, has_table, prepare
from tercet.kernels.walks import put, walk_all


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
def write_row(cp, state, out):
    """Write the mask of a state to an address, computed if it isn't known; 0, or TRAPPED."""
    known = known_row(cp, state)
    if known < 0:
        return call(i64(cp)[G_MAKE_ROW], (cp, np.int64(state), np.int64(out)))
    copy_row(cp, known, i32(out))
    return np.int64(0)


@shared("int64(int64, int64, int64)")
def make_row(cp, state, out):
    """Write the mask of a state whose row isn't known to be known."""
    row, state = i32(out), clamp_state(cp, state)
    if state < 0:
        return np.int64(state)
    if i32(i64(cp)[S_ROW])[state] == 0:
        if compute_row(cp, state, row) < 0:
            return np.int64(TRAPPED)
        return store_row(cp, state, row)
    copy_row(cp, state, row)
    return np.int64(0)


@entry("int64(int64, int64, int64)")
def fill_row(cp, state, out):
    """Write the mask of a state to the int32 words at address `out`, or trap."""
    return np.int64(TRAPPED) if is_busy(cp) else write_row(cp, state, out)
