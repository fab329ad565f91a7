"""Steps: the successor of a state for one byte, and for the bytes of a token.

Successors are a dense row of 256 per state, filled in on demand: a step that is known costs one
load, a new one moves every thread of the state by one byte.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.closures import can_go_on
from tercet.kernels.layout import (
    DEAD,
    E_BYTE,
    E_TO,
    END_POSITION,
    G_MAKE_STEP,
    G_VOCABULARY,
    Q_ACCEPT,
    Q_BOUNDARY,
    Q_DELTA,
    Q_LEAST,
    Q_MOST,
    S_LENGTH,
    S_LIVE,
    S_NEXT,
    S_OFFSET,
    S_POOL,
    TRAP_UNFOLD,
    TRAPPED,
    V_BUSY,
    V_DATA,
    V_OFFSETS,
    V_SIZE,
    X_COUNT,
    X_END,
    X_START,
)
from tercet.kernels.lexing import after_lexeme
from tercet.kernels.memories import can_be_unseen, read_byte
from tercet.kernels.pointers import entry, i32, i64, inner, u8, u64
from tercet.kernels.shared import call, shared
from tercet.kernels.stacks import intern_node, set_trap
from tercet.kernels.states import add_closure, add_thread, intern_state, state_of


@inner
def edge_to(cp, x, byte):
    """The child of a literal trie node, or -1."""
    g = i64(cp)
    edges = u8(g[E_BYTE])
    low = np.int64(i32(g[X_START])[x])
    high = low + i32(g[X_COUNT])[x]
    while low < high:
        middle = (low + high) >> 1
        if edges[middle] < byte:
            low = middle + 1
        else:
            high = middle
    if low < np.int64(i32(g[X_START])[x]) + i32(g[X_COUNT])[x] and edges[low] == byte:
        return np.int64(i32(g[E_TO])[low])
    return np.int64(-1)


@inner
def step_literal(cp, length, x, node, byte):
    """Advance a literal thread."""
    g = i64(cp)
    x = edge_to(cp, x, byte)
    if x < 0:
        return np.int64(length)
    if u8(g[X_END])[x] != 0:
        length = add_closure(cp, length, node)
        if length < 0:
            return length
    if i32(g[X_COUNT])[x] == 0:
        return np.int64(length)
    if i32(g[X_COUNT])[x] < 0:
        return set_trap(cp, TRAP_UNFOLD, x)
    return add_thread(cp, length, x, 0, 0, node)


@inner
def step_terminal(cp, length, q, low, high, node):
    """Add a terminal thread that has arrived in DFA state q, if its counts can still be met."""
    v = i64(i64(cp)[G_VOCABULARY])
    ended = np.int64(u8(v[Q_BOUNDARY])[q])
    low = max(low - ended, 0)
    if high >= 0:
        high -= ended
        if high < i32(v[Q_LEAST])[q]:
            return np.int64(length)
    if low > i32(v[Q_MOST])[q]:
        return np.int64(length)
    alive = can_be_unseen(cp, q, low, high, node)
    if alive != 1:
        return np.int64(length) if alive == 0 else alive
    if u8(v[Q_ACCEPT])[q] != 0 and low == 0:
        after = after_lexeme(cp, q, node)
        length = after if after < 0 else add_closure(cp, length, after)
        if length < 0:
            return length
    if not can_go_on(cp, q, high):
        return np.int64(length)
    return add_thread(cp, length, -1 - q, low, high, node)


@inner
def step_exclude(cp, length, q, x, node, byte):
    """Add an excluding thread that has arrived in q; off the excluded words it is a plain one."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    x = edge_to(cp, x, byte)
    if x < 0:
        return step_terminal(cp, length, q, 0, -1, node)
    if u8(v[Q_ACCEPT])[q] != 0 and u8(g[X_END])[x] == 0:
        length = add_closure(cp, length, node)
        if length < 0:
            return length
    if not can_go_on(cp, q, -1):
        return np.int64(length)
    return add_thread(cp, length, -1 - q, -2 - x, -1, node)


@inner
def step_thread(cp, length, t, byte):
    """Advance thread t of the state pool by one byte into the scratch set."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    pool = i32(g[S_POOL])
    position, a, b = np.int64(pool[4 * t]), np.int64(pool[4 * t + 1]), np.int64(pool[4 * t + 2])
    node = np.int64(pool[4 * t + 3])
    if position == END_POSITION:
        return np.int64(length)
    if position >= 0:
        return step_literal(cp, length, position, node, byte)
    q = np.int64(i32(v[Q_DELTA])[256 * (-1 - position) + byte])
    if q < 0:
        return np.int64(length)
    node = read_byte(cp, node, byte)
    if node < 0:
        return node
    if a < 0:
        return step_exclude(cp, length, q, -2 - a, node, byte)
    return step_terminal(cp, length, q, a, b, node)


@shared("int64(int64, int64, int64)")
def make_step(cp, state, byte):
    """Compute and remember the successor of a state; DEAD if there is none."""
    g = i64(cp)
    start = np.int64(i32(g[S_OFFSET])[state])
    length = np.int64(0)
    for t in range(start, start + i32(g[S_LENGTH])[state]):
        length = step_thread(cp, length, t, byte)
        if length < 0:
            return length
    successor = intern_state(cp, length)
    if successor != TRAPPED:
        i32(g[S_NEXT])[256 * state + byte] = successor + 1 if successor >= 0 else DEAD
    return successor


@inner
def step(cp, state, byte):
    """The successor of a state: a load when it is known."""
    known = np.int64(i32(i64(cp)[S_NEXT])[256 * state + byte])
    if known > 0:
        return known - 1
    return known if known < 0 else call(i64(cp)[G_MAKE_STEP], (cp, np.int64(state), np.int64(byte)))


@inner
def may_take(cp, state, byte):
    """Whether a state may have a successor for a byte; spares computing dead ones."""
    live = u64(i64(cp)[S_LIVE])
    return (live[4 * state + (byte >> 6)] >> np.uint64(byte & 63)) & np.uint64(1) != 0


@inner
def is_busy(cp):
    """Whether another thread is changing the arrays; without a trap, just try again."""
    return i64(i64(i64(cp)[G_VOCABULARY])[V_BUSY])[0] != 0


@entry("int64(int64)")
def start_state(cp):
    """The state before the first byte (the root's code begins at pc 1)."""
    if is_busy(cp):
        return np.int64(TRAPPED)
    node = intern_node(cp, 1, 0, 0, -1, 0)
    return node if node < 0 else state_of(cp, node)


@entry("int64(int64, int64, int64)")
def step_byte(cp, state, byte):
    """One byte further: the new state, DEAD or TRAPPED."""
    return np.int64(TRAPPED) if is_busy(cp) else step(cp, state, byte)


@inner
def read_token(cp, state, token):
    """One token further: the new state, DEAD or TRAPPED. Tokens without bytes are never text."""
    v = i64(i64(cp)[G_VOCABULARY])
    if token < 0 or token >= v[V_SIZE]:
        return np.int64(DEAD)
    data, offsets = u8(v[V_DATA]), i32(v[V_OFFSETS])
    start, end = np.int64(offsets[token]), np.int64(offsets[token + 1])
    if start == end:
        return np.int64(DEAD)
    for i in range(start, end):
        state = step(cp, state, np.int64(data[i]))
        if state < 0:
            return state
    return np.int64(state)


@entry("int64(int64, int64, int64)")
def advance_token(cp, state, token):
    """`read_token`, for Python."""
    return np.int64(TRAPPED) if is_busy(cp) else read_token(cp, state, token)


@entry("int64(int64, int64, int64)")
def list_live(cp, state, out):
    """Write the bytes that can come next to the 256 bytes at address `out`; returns how many."""
    found = np.int64(0)
    if is_busy(cp):
        return np.int64(TRAPPED)
    for byte in range(256):
        if may_take(cp, state, byte):
            after = step(cp, state, byte)
            if after == TRAPPED:
                return after
            if after >= 0:
                u8(out)[found] = byte
                found += 1
    return found
