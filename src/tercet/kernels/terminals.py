"""IN and EXIT of a terminal's DFA state: which tokens stay inside it, and what is left of others.

Only *hard* exits are listed: those whose next byte the terminal could not take itself. Where what
follows can begin with a byte that the terminal could also go on with, masks are walked instead; of
a JSON string's interior, which may end anywhere but is followed by a quote, that leaves 1,151 exits
of the 700,000 in Llama 3's vocabulary.

Both depend on the vocabulary and the terminal only, not on the grammar, so they are computed once
and shared by every grammar that uses the terminal. One walk over the vocabulary's trie finds both.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    Q_ACCEPT,
    Q_BOUNDARY,
    Q_DELTA,
    Q_LEAST,
    R_EXIT_CAPACITY,
    R_EXIT_CHARS,
    R_EXIT_COUNT,
    R_EXIT_LENGTH,
    R_EXIT_START,
    R_EXIT_TOKEN,
    R_IN_COST,
    R_IN_COUNT,
    R_IN_TOKENS,
    R_LEVEL_CHARS,
    R_LEVEL_STATE,
    V_BYTE,
    V_DEPTH,
    V_FIRST,
    V_NODES,
    V_OFFSETS,
    V_SKIP,
    V_TOKEN,
)
from tercet.kernels.pointers import entry, i32, i64, inner, u8


@inner
def note_exits(vp, rp, node, depth, chars):
    """Tokens through `node`, where DFA state level[depth + 1] accepts, may leave there."""
    v, r = i64(vp), i64(rp)
    byte, skip, delta = u8(v[V_BYTE]), i32(v[V_SKIP]), i32(v[Q_DELTA])
    q = np.int64(i32(r[R_LEVEL_STATE])[depth + 1])
    child, end = node + 1, np.int64(skip[node])
    while child < end:
        if delta[256 * q + byte[child]] < 0 and not list_exits(vp, rp, child, depth, chars):
            return False
        child = np.int64(skip[child])
    return True


@inner
def list_exits(vp, rp, node, depth, chars):
    """List every token of a subtree, with what is left of it after `depth + 1` bytes."""
    v, r = i64(vp), i64(rp)
    first, token, offsets = i32(v[V_FIRST]), i32(v[V_TOKEN]), i32(v[V_OFFSETS])
    start, end = np.int64(first[node]), np.int64(first[i32(v[V_SKIP])[node]])
    count = r[R_EXIT_COUNT]
    if count + end - start > r[R_EXIT_CAPACITY]:
        return False
    for entry_index in range(start, end):
        t = np.int64(token[entry_index])
        i32(r[R_EXIT_START])[count] = offsets[t] + depth + 1
        i32(r[R_EXIT_LENGTH])[count] = offsets[t + 1] - offsets[t] - depth - 1
        i32(r[R_EXIT_TOKEN])[count] = t
        i32(r[R_EXIT_CHARS])[count] = chars
        count += 1
    r[R_EXIT_COUNT] = count
    return True


@entry("int64(int64, int64, int64)")
def explore_terminal(vp, q, rp):
    """Walk the vocabulary from DFA state q into the request record; 0 when the exits don't fit."""
    v, r = i64(vp), i64(rp)
    byte, skip, depths = u8(v[V_BYTE]), i32(v[V_SKIP]), i32(v[V_DEPTH])
    first, token = i32(v[V_FIRST]), i32(v[V_TOKEN])
    delta, accept, boundary = i32(v[Q_DELTA]), u8(v[Q_ACCEPT]), u8(v[Q_BOUNDARY])
    level, level_chars = i32(r[R_LEVEL_STATE]), i32(r[R_LEVEL_CHARS])
    in_tokens, in_cost = i32(r[R_IN_TOKENS]), i32(r[R_IN_COST])
    r[R_EXIT_COUNT] = 0
    level[0], level_chars[0] = q, 0
    count, i, nodes = np.int64(0), np.int64(0), v[V_NODES]
    while i < nodes:
        depth = np.int64(depths[i])
        arrived = np.int64(delta[256 * np.int64(level[depth]) + byte[i]])
        if arrived < 0:
            i = np.int64(skip[i])
            continue
        chars = np.int64(level_chars[depth]) + boundary[arrived]
        level[depth + 1], level_chars[depth + 1] = arrived, chars
        for j in range(first[i], first[i + 1]):
            in_tokens[count] = token[j]
            in_cost[count] = chars + i32(v[Q_LEAST])[arrived]
            count += 1
        if accept[arrived] != 0 and not note_exits(vp, rp, i, depth, chars):
            return np.int64(0)
        i += 1
    r[R_IN_COUNT] = count
    return np.int64(1)
