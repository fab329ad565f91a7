"""Walks: tokens tried from left to right through a flat trie, one interned state per byte.

The vocabulary's trie is walked for what has no table, and tries of what is left of tokens (EXIT)
for what follows a terminal. A node costs a load or two; a byte that a state can't take skips the
whole subtree.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.bitsets import lowest
from tercet.kernels.layout import (
    EXIT_CHARS,
    FLAG_DOUBTFUL,
    G_COUNT,
    G_VOCABULARY,
    N_LISTED,
    REST_BYTE,
    REST_DEPTH,
    REST_FIRST,
    REST_NODES,
    REST_SKIP,
    REST_TOKEN,
    S_FLAGS,
    S_LIVE,
    SPARSE_LIMIT,
    TRAPPED,
    V_BYTE,
    V_DATA,
    V_DEPTH,
    V_ENDINGS,
    V_FIRST,
    V_OFFSETS,
    V_ROOT,
    V_SKIP,
    V_TOKEN,
    W_LEVEL,
    W_TOKENS,
    X_END,
)
from tercet.kernels.pointers import i32, i64, inner, u8, u64
from tercet.kernels.steps import edge_to, may_take, read_token, step


@inner
def put(cp, row, token):
    """Allow one token, and list it while the row is short."""
    g = i64(cp)
    count = i64(g[G_COUNT])
    row[token >> 5] |= np.int32(1) << np.int32(token & 31)
    listed = count[N_LISTED]
    if listed <= SPARSE_LIMIT:
        i32(g[W_TOKENS])[listed] = token
        count[N_LISTED] = listed + 1


@inner
def walk_vocabulary(cp, state, byte, row):
    """Allow every token that begins with `byte` and can be read from `state`."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    i = np.int64(i32(v[V_ROOT])[byte])
    if i < 0:
        return np.int64(0)
    bytes_, skip, depths = u8(v[V_BYTE]), i32(v[V_SKIP]), i32(v[V_DEPTH])
    first, token, level = i32(v[V_FIRST]), i32(v[V_TOKEN]), i32(g[W_LEVEL])
    end = np.int64(skip[i])
    level[0] = state
    while i < end:
        depth = np.int64(depths[i])
        here, b = np.int64(level[depth]), np.int64(bytes_[i])
        arrived = step(cp, here, b) if may_take(cp, here, b) else np.int64(-1)
        if arrived < 0:
            if arrived == TRAPPED:
                return arrived
            i = np.int64(skip[i])
            continue
        level[depth + 1] = arrived
        for j in range(first[i], first[i + 1]):
            put(cp, row, np.int64(token[j]))
        i += 1
    return np.int64(0)


@inner
def walk_all(cp, state, row):
    """Allow every token that can be read from `state`."""
    for byte in range(256):
        if may_take(cp, state, byte) and walk_vocabulary(cp, state, byte, row) < 0:
            return np.int64(TRAPPED)
    return np.int64(0)


@inner
def is_excluded(cp, x, token, length):
    """Whether the first `length` bytes of a token complete an excluded word from trie node x."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    data, start = u8(v[V_DATA]), np.int64(i32(v[V_OFFSETS])[token])
    for j in range(start, start + length):
        x = edge_to(cp, x, np.int64(data[j]))
        if x < 0:
            return False
    return u8(g[X_END])[x] != 0


@inner
def allows_exit(cp, token, rest, chars, low, high, x):
    """Whether a token may leave the terminal after `chars` characters, `rest` bytes before its end.

    For an excluding thread (x >= 0) `low` and `high` are free, and the other way round.
    """
    if x >= 0:
        offsets = i32(i64(i64(cp)[G_VOCABULARY])[V_OFFSETS])
        length = np.int64(offsets[token + 1]) - np.int64(offsets[token]) - rest
        return not is_excluded(cp, x, token, length)
    return chars >= low and (high < 0 or chars <= high)


@inner
def reads_again(cp, depth):
    """Whether the walk compared something with a text that it doesn't know."""
    g = i64(cp)
    flags, level = u8(g[S_FLAGS]), i32(g[W_LEVEL])
    for d in range(depth + 2):
        if flags[level[d]] & FLAG_DOUBTFUL != 0:
            return True
    return False


@inner
def walk_exits(cp, tp, states, row, low, high, x):
    """Allow the tokens whose rest, after leaving the terminal, can be read from states[1].

    That state doesn't know what text the terminal has read. Where the rest reads another text that
    must not repeat it, the whole token is tried from states[0].
    """
    for w in range(4):
        bytes_ = u64(i64(cp)[S_LIVE])[4 * states[1] + w]
        while bytes_ != 0:
            byte = 64 * w + lowest(bytes_)
            if walk_endings(cp, tp, states, row, byte, low, high, x) < 0:
                return np.int64(TRAPPED)
            bytes_ &= bytes_ - np.uint64(1)
    return np.int64(0)


@inner
def walk_endings(cp, tp, states, row, byte, low, high, x):
    """`walk_exits` for what is left of tokens from one byte on."""
    g, chars = i64(cp), i32(i64(tp)[EXIT_CHARS + byte])
    rest = i64(i64(i64(g[G_VOCABULARY])[V_ENDINGS])[byte])
    bytes_, skip, depths = u8(rest[REST_BYTE]), i32(rest[REST_SKIP]), i32(rest[REST_DEPTH])
    first, token, level = i32(rest[REST_FIRST]), i32(rest[REST_TOKEN]), i32(g[W_LEVEL])
    level[0] = states[1]
    i, nodes = np.int64(0), rest[REST_NODES]
    while i < nodes:
        depth = np.int64(depths[i])
        here, b = np.int64(level[depth]), np.int64(bytes_[i])
        arrived = step(cp, here, b) if may_take(cp, here, b) else np.int64(-1)
        if arrived < 0:
            if arrived == TRAPPED:
                return arrived
            i = np.int64(skip[i])
            continue
        level[depth + 1] = arrived
        for j in range(first[i], first[i + 1]):
            t = np.int64(token[j])
            if chars[j] < 0 or not allows_exit(cp, t, depth + 1, chars[j], low, high, x):
                continue
            if reads_again(cp, depth):
                after = read_token(cp, states[0], t)
                if after == TRAPPED:
                    return after
                if after < 0:
                    continue
            put(cp, row, t)
        i += 1
    return np.int64(0)
