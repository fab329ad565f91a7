"""Interned states: sets of threads, closed under what may follow.

A state is a set of threads, hash-consed, so everything computed about it is computed once. States
are *closed*: where a terminal may end, the threads of what may follow are already in the state.
Threads are gathered in a scratch array, sorted, merged, and looked up; `steps` does the gathering.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.closures import closure
from tercet.kernels.layout import (
    C_POOL,
    DEAD,
    E_BYTE,
    END_POSITION,
    FLAG_ACCEPTING,
    FLAG_FINISHED,
    G_CAPACITY,
    G_COUNT,
    G_INTERN_STATE,
    G_VOCABULARY,
    K_CLOSURE,
    K_HIGH,
    K_LENGTH,
    K_LOW,
    K_MEMORY,
    K_PC,
    K_STATE,
    N_SCRATCH,
    N_STATES,
    N_THREADS,
    Q_LIVE,
    S_FLAGS,
    S_LENGTH,
    S_LIVE,
    S_OFFSET,
    S_POOL,
    S_TABLE,
    TRAP_GROW,
    TRAPPED,
    W_THREADS,
    X_COUNT,
    X_START,
)
from tercet.kernels.memories import end_text, reading_flags
from tercet.kernels.pointers import i32, i64, inner, u8, u64
from tercet.kernels.shared import call, shared
from tercet.kernels.stacks import has_room, mix, same_place, set_trap, with_memory
from tercet.kernels.unions import merge_nodes


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
    """Append everything that follows a stack node to the scratch set.

    A text that the node was reading ends here; one that was seen before may not.
    """
    memory = np.int64(i32(i64(cp)[K_MEMORY])[node])
    if memory > 0:
        memory = end_text(cp, memory)
        if memory < 0:
            return np.int64(length) if memory == DEAD else memory
        node = with_memory(cp, node, memory)
        if node < 0:
            return node
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
    for slot in (K_PC, K_LOW, K_HIGH, K_MEMORY):
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
            node = np.int64(threads[4 * j + 3])
            flags |= reading_flags(cp, np.int64(i32(g[K_MEMORY])[node]))
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
def intern_state(cp, length):
    """The state of the scratch threads, made if it is new; DEAD when there are none."""
    if length == 0:
        return np.int64(DEAD)
    return call(i64(cp)[G_INTERN_STATE], (cp, np.int64(length)))


@shared("int64(int64, int64)")
def state_of_threads(cp, length):
    """The state of the scratch threads, of which there are some."""
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
