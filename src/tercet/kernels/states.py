"""Interned states: sets of threads, their successors, and the bytes that may come next.

A state is a set of threads, hash-consed, so everything computed about it is computed once. Its
successors are a dense row of 256, filled in on demand; a step that is known costs one load. States
are *closed*: where a terminal may end, the threads of what may follow are already in the state.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.closures import closure
from tercet.kernels.layout import (
    C_POOL,
    DEAD,
    E_BYTE,
    E_TO,
    END_POSITION,
    FLAG_ACCEPTING,
    FLAG_FINISHED,
    G_CAPACITY,
    G_COUNT,
    G_VOCABULARY,
    K_CLOSURE,
    K_HIGH,
    K_LENGTH,
    K_LOW,
    K_PC,
    K_STATE,
    N_SCRATCH,
    N_STATES,
    N_THREADS,
    Q_ACCEPT,
    Q_BOUNDARY,
    Q_DELTA,
    Q_LEAST,
    Q_LIVE,
    Q_MORE,
    Q_MOST,
    S_FLAGS,
    S_LENGTH,
    S_LIVE,
    S_NEXT,
    S_OFFSET,
    S_POOL,
    S_TABLE,
    TRAP_GROW,
    TRAPPED,
    V_DATA,
    V_OFFSETS,
    V_SIZE,
    W_THREADS,
    X_COUNT,
    X_END,
    X_START,
)
from tercet.kernels.pointers import entry, i32, i64, inner, u8, u64
from tercet.kernels.stacks import has_room, intern_node, merge_nodes, mix, same_place, set_trap


@inner
def add_thread(cp, length, position, a, b, node):
    """Append a thread to the scratch set; returns its new length."""
    g = i64(cp)
    if length + 1 > i64(g[G_CAPACITY])[N_SCRATCH]:
        return set_trap(cp, TRAP_GROW, N_SCRATCH)
    threads = i32(g[W_THREADS])
    threads[4 * length], threads[4 * length + 1] = position, a
    threads[4 * length + 2], threads[4 * length + 3] = b, node
    return length + 1


@inner
def add_closure(cp, length, node):
    """Append everything that follows a stack node to the scratch set."""
    if closure(cp, node) < 0:
        return np.int64(TRAPPED)
    g = i64(cp)
    pool, start = i32(g[C_POOL]), np.int64(i32(g[K_CLOSURE])[node] - 1)
    for j in range(start, start + i32(g[K_LENGTH])[node]):
        length = add_thread(
            cp, length, pool[4 * j], pool[4 * j + 1], pool[4 * j + 2], pool[4 * j + 3]
        )
        if length < 0:
            return length
    return np.int64(length)


@inner
def thread_order(cp, i, j):
    """Negative, zero or positive as scratch thread i stands before, at, or after j's place."""
    g = i64(cp)
    threads = i32(g[W_THREADS])
    for field in range(3):
        difference = np.int64(threads[4 * i + field]) - np.int64(threads[4 * j + field])
        if difference != 0:
            return difference
    one, other = threads[4 * i + 3], threads[4 * j + 3]
    if one == other:
        return np.int64(0)
    for slot in (K_PC, K_LOW, K_HIGH):
        field = i32(g[slot])
        difference = np.int64(field[one]) - np.int64(field[other])
        if difference != 0:
            return difference
    return np.int64(one) - np.int64(other)


@inner
def swap_threads(cp, i, j):
    """Exchange two scratch threads."""
    threads = i32(i64(cp)[W_THREADS])
    for field in range(4):
        kept = threads[4 * i + field]
        threads[4 * i + field] = threads[4 * j + field]
        threads[4 * j + field] = kept


@inner
def sort_threads(cp, length):
    """Shell sort: linear on the nearly sorted sets that closures of many members give."""
    gap = np.int64(1)
    if length > 48:
        for i in range(1, length):
            if thread_order(cp, i - 1, i) > 0:
                gap = np.int64(length // 2)
                break
    while gap > 0:
        for i in range(gap, length):
            j = i
            while j >= gap and thread_order(cp, j - gap, j) > 0:
                swap_threads(cp, j - gap, j)
                j -= gap
        gap = gap // 2


@inner
def same_position(cp, i, j):
    """Whether two scratch threads differ at most in their callers."""
    threads = i32(i64(cp)[W_THREADS])
    for field in range(3):
        if threads[4 * i + field] != threads[4 * j + field]:
            return False
    return same_place(cp, threads[4 * i + 3], threads[4 * j + 3])


@inner
def merge_threads(cp, length):
    """Drop doubles and merge threads that differ only in their callers; needs sorted threads."""
    threads = i32(i64(cp)[W_THREADS])
    kept = np.int64(0)
    for i in range(length):
        if kept > 0 and same_position(cp, kept - 1, i):
            one, other = threads[4 * kept - 1], threads[4 * i + 3]
            if one != other:
                node = merge_nodes(cp, np.int64(one), np.int64(other))
                if node < 0:
                    return node
                threads[4 * kept - 1] = node
            continue
        for field in range(4):
            threads[4 * kept + field] = threads[4 * i + field]
        kept += 1
    return kept


@inner
def intern_state(cp, length):
    """The state of the scratch threads, made if it is new; DEAD when there are none."""
    if length == 0:
        return np.int64(DEAD)
    if length > 1:
        sort_threads(cp, length)
        length = merge_threads(cp, length)
        if length < 0:
            return length
    g = i64(cp)
    offset, size, pool = i32(g[S_OFFSET]), i32(g[S_LENGTH]), i32(g[S_POOL])
    threads, table = i32(g[W_THREADS]), i32(g[S_TABLE])
    mask = 2 * i64(g[G_CAPACITY])[N_STATES] - 1
    h = np.uint64(length)
    for j in range(4 * length):
        h = mix(h, threads[j])
    i = np.int64(h & np.uint64(mask))
    while table[i] > 0:
        found = np.int64(table[i] - 1)
        if size[found] == length:
            start, same = 4 * offset[found], True
            for j in range(4 * length):
                if pool[start + j] != threads[j]:
                    same = False
                    break
            if same:
                return found
        i = (i + 1) & mask
    made = store_state(cp, length)
    if made >= 0:
        table[i] = made + 1
    return made


@inner
def store_state(cp, length):
    """Copy the scratch threads into a new state and note what can come next."""
    if not has_room(cp, N_STATES, 1) or not has_room(cp, N_THREADS, length):
        return np.int64(TRAPPED)
    g = i64(cp)
    count, pool, threads = i64(g[G_COUNT]), i32(g[S_POOL]), i32(g[W_THREADS])
    made, at = count[N_STATES], count[N_THREADS]
    count[N_STATES] = made + 1
    count[N_THREADS] = at + length
    i32(g[S_OFFSET])[made], i32(g[S_LENGTH])[made] = at, length
    flags = np.int64(0)
    for j in range(length):
        for field in range(4):
            pool[4 * (at + j) + field] = threads[4 * j + field]
        position = np.int64(threads[4 * j])
        if position == END_POSITION:
            flags |= FLAG_ACCEPTING
        else:
            note_live_bytes(cp, made, position)
    if flags == FLAG_ACCEPTING and length == 1:
        flags |= FLAG_FINISHED
    u8(g[S_FLAGS])[made] = flags
    return made


@inner
def note_live_bytes(cp, state, position):
    """Add the bytes a thread can take to the state's set (near a count's limit: a superset)."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    live = u64(g[S_LIVE])
    if position < 0:
        source, q = u64(v[Q_LIVE]), -1 - position
        for w in range(4):
            live[4 * state + w] |= source[4 * q + w]
        return
    edge, start = u8(g[E_BYTE]), np.int64(i32(g[X_START])[position])
    for e in range(start, start + i32(g[X_COUNT])[position]):
        byte = np.int64(edge[e])
        live[4 * state + (byte >> 6)] |= np.uint64(1) << np.uint64(byte & 63)


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
    if i32(g[X_COUNT])[x] > 0:
        return add_thread(cp, length, x, 0, 0, node)
    return np.int64(length)


@inner
def step_terminal(cp, length, q, low, high, node):
    """Add a terminal thread that has just arrived in DFA state q, if its counts can still be met."""
    v = i64(i64(cp)[G_VOCABULARY])
    ended = np.int64(u8(v[Q_BOUNDARY])[q])
    low = max(low - ended, 0)
    if high >= 0:
        high -= ended
        if high < i32(v[Q_LEAST])[q]:
            return np.int64(length)
    if low > i32(v[Q_MOST])[q]:
        return np.int64(length)
    if u8(v[Q_ACCEPT])[q] != 0 and low == 0:
        length = add_closure(cp, length, node)
        if length < 0:
            return length
    # with no character left only a character that has begun can go on
    if u8(v[Q_MORE])[q] == 0 or (high == 0 and ended == 1):
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
    if u8(v[Q_MORE])[q] == 0:
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
    if a < 0:
        return step_exclude(cp, length, q, -2 - a, node, byte)
    return step_terminal(cp, length, q, a, b, node)


@inner
def step_new(cp, state, byte):
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
    return known if known < 0 else step_new(cp, state, byte)


@inner
def state_of(cp, node):
    """The state of everything that follows a stack node, computed once."""
    g = i64(cp)
    known = np.int64(i32(g[K_STATE])[node])
    if known > 0:
        return known - 1
    length = add_closure(cp, 0, node)
    if length < 0:
        return length
    state = intern_state(cp, length)
    if state >= 0:
        i32(g[K_STATE])[node] = state + 1
    return state


@entry("int64(int64)")
def start_state(cp):
    """The state before the first byte (the root's code begins at pc 1)."""
    node = intern_node(cp, 1, 0, 0, -1)
    return node if node < 0 else state_of(cp, node)


@entry("int64(int64, int64, int64)")
def step_byte(cp, state, byte):
    """One byte further: the new state, DEAD or TRAPPED."""
    return step(cp, state, byte)


@entry("int64(int64, int64, int64)")
def advance_token(cp, state, token):
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
