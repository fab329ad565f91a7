"""Takes back what tables allow although it would repeat a text: few tokens, each tried.

IN and EXIT know nothing of texts seen before. Only tokens that make the text being read a seen one,
or the beginning of one, can be wrong.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.composites import is_noted
from tercet.kernels.layout import (
    G_COUNT,
    G_VOCABULARY,
    K_MEMORY,
    KIND_KEY,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    N_LISTED,
    Q_DELTA,
    R_SEEN,
    S_LENGTH,
    S_OFFSET,
    S_POOL,
    SPARSE_LIMIT,
    T_BYTE,
    T_PARENT,
    TRAPPED,
    V_BYTE,
    V_FIRST,
    V_LONGEST,
    V_NODES,
    V_ROOT,
    V_SKIP,
    V_TOKEN,
    W_LEVEL,
)
from tercet.kernels.memories import root_of_reading, text_of
from tercet.kernels.pointers import i32, i64, inner, u8
from tercet.kernels.steps import read_token


@inner
def take_out(cp, state, row, start, end):
    """Forbid those of the tokens V_TOKEN[start:end] that `state` can't read."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    for j in range(start, end):
        token = np.int64(i32(v[V_TOKEN])[j])
        after = read_token(cp, state, token)
        if after == TRAPPED:
            return after
        if after < 0:
            row[token >> 5] &= ~(np.int32(1) << np.int32(token & 31))
            i64(g[G_COUNT])[N_LISTED] = SPARSE_LIMIT + 1  # the list has the token, the bits rule
    return np.int64(0)


@inner
def remove_repeat(cp, state, t, member, row):
    """Forbid the tokens that make thread t's text the seen text `member`, or lead only there."""
    g, v = i64(cp), i64(i64(cp)[G_VOCABULARY])
    pool, parent, bytes_ = i32(g[S_POOL]), i32(g[T_PARENT]), i32(g[T_BYTE])
    text, left = text_of(cp, np.int64(pool[4 * t + 3])), np.int64(0)
    here = np.int64(member)
    while here != text:
        if here < 0 or parent[here] < 0:
            return np.int64(0)  # doesn't begin with the text read so far
        here = np.int64(parent[here])
        left += 1
    if left > i64(g[G_VOCABULARY])[V_LONGEST]:
        return np.int64(0)
    level = i32(g[W_LEVEL])
    here = np.int64(member)
    for j in range(left):
        level[left - 1 - j] = bytes_[here]
        here = np.int64(parent[here])
    q, node = -1 - np.int64(pool[4 * t]), np.int64(-1)
    first, skip = i32(v[V_FIRST]), i32(v[V_SKIP])
    for j in range(left):
        q = np.int64(i32(v[Q_DELTA])[256 * q + level[j]])
        node = np.int64(i32(v[V_ROOT])[level[j]]) if j == 0 else child_of(cp, node, level[j])
        if node < 0 or q < 0:
            return np.int64(0)
        if take_out(cp, state, row, first[node], first[node + 1]) < 0:
            return np.int64(TRAPPED)
    child, end = (np.int64(0), v[V_NODES]) if node < 0 else (node + 1, np.int64(skip[node]))
    while child < end:
        if i32(v[Q_DELTA])[256 * q + u8(v[V_BYTE])[child]] < 0:
            if take_out(cp, state, row, first[child], first[skip[child]]) < 0:
                return np.int64(TRAPPED)
        child = np.int64(skip[child])
    return np.int64(0)


@inner
def child_of(cp, node, byte):
    """The child of a vocabulary trie node for a byte, or -1."""
    v = i64(i64(cp)[G_VOCABULARY])
    skip, bytes_ = i32(v[V_SKIP]), u8(v[V_BYTE])
    child, end = node + 1, np.int64(skip[node])
    while child < end:
        if bytes_[child] == byte:
            return child
        child = np.int64(skip[child])
    return np.int64(-1)


@inner
def remove_seen(cp, state, row):
    """Forbid what tables allow although it would repeat a text."""
    g = i64(cp)
    pool, start = i32(g[S_POOL]), np.int64(i32(g[S_OFFSET])[state])
    for t in range(start, start + i32(g[S_LENGTH])[state]):
        node = np.int64(pool[4 * t + 3])
        root = root_of_reading(cp, node)
        if pool[4 * t] >= 0 or root == 0 or (is_noted(root) and root != KIND_KEY):
            continue
        seen = np.int64(i32(g[R_SEEN])[i32(g[K_MEMORY])[node]])
        if seen == 0:
            continue
        first = np.int64(i32(g[L_OFFSET])[seen - 1])
        for j in range(first, first + i32(g[L_LENGTH])[seen - 1]):
            if remove_repeat(cp, state, t, np.int64(i32(g[L_POOL])[j]), row) < 0:
                return np.int64(TRAPPED)
    return np.int64(0)
