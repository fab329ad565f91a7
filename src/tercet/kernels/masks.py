"""Mask rows: which tokens keep a state alive.

For a terminal with a table, the tokens that stay inside (IN) are OR-ed in, and the trie of what is
left of the others (EXIT) is walked with the states of the rest of the stack. Everything else walks
the vocabulary's trie. Walks step through interned states, so a node costs a load or two, and a row
is computed once per state: short rows are kept as lists, others as bits.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.bitsets import size_of_set
from tercet.kernels.clamping import clamp_state
from tercet.kernels.layout import (
    COST_COUNT,
    COST_LEAST,
    COST_ROW,
    COST_START,
    COST_TOKENS,
    DENSE_LIMIT,
    END_POSITION,
    EXIT_BYTES,
    EXIT_CHARS,
    FLAG_READING,
    G_COUNT,
    G_MAKE_ROW,
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
    REST_COUNT,
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
    TRAP_EXIT,
    TRAP_TABLE,
    TRAPPED,
    UNBUILT,
    UNKNOWN,
    V_DENSE_FROM,
    V_ENDINGS,
    V_EOS,
    V_EOS_COUNT,
    V_LENGTH_ROWS,
    V_LONGEST,
    V_WORDS,
    W_TOKENS,
)
from tercet.kernels.memories import root_of_reading, without_text
from tercet.kernels.pointers import entry, i32, i64, inner, u8, u64
from tercet.kernels.repeats import remove_seen
from tercet.kernels.shared import call, shared
from tercet.kernels.stacks import has_room, set_trap
from tercet.kernels.states import add_thread, intern_state, state_of
from tercet.kernels.steps import is_busy, may_take
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
    after = np.int64(i32(g[K_STATE])[without_text(cp, node)] - 1)
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
    endings = i64(i64(i64(cp)[G_VOCABULARY])[V_ENDINGS])
    for byte in range(256):
        if may_take(cp, after, byte) and endings[byte] != 0:
            if i64(endings[byte])[REST_COUNT] < 0:
                return True
    return False


@inner
def prepare_exits(cp, q, after):
    """Trap for the exits of a DFA state that aren't known yet."""
    table = i64(i64(i64(i64(cp)[G_VOCABULARY])[Q_TABLE])[q])
    for byte in range(256):
        if may_take(cp, after, byte) and table[EXIT_CHARS + byte] == 0:
            return set_trap(cp, TRAP_EXIT, 256 * q + byte)
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
        after = without_text(cp, node)
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
    states = (np.int64(state), np.int64(i32(i64(cp)[K_STATE])[without_text(cp, node)] - 1))
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
