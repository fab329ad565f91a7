"""IN and EXIT of a terminal's DFA state: which tokens stay inside it, and which may leave it where.

EXIT is asked for by the byte that comes next. All that is left of tokens from a quote on, say, is
one trie of the vocabulary (its *endings*); a DFA state only has to say for which of these the part
before is one of its words. Where what follows can begin with a byte that the terminal could also go
on with, masks are walked instead.

Both depend on the vocabulary and the terminal only, not on the grammar, so they are computed once
and shared by every grammar that uses the terminal. `closed` finds IN of most states without a walk.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    I_BASE,
    I_CANDIDATES,
    I_COSTS,
    I_COUNT,
    I_LEVEL,
    I_LEVEL_CHARS,
    I_ROW,
    I_TOKENS,
    Q_ACCEPT,
    Q_BOUNDARY,
    Q_DELTA,
    Q_LEAST,
    REST_BEFORE,
    REST_COUNT,
    REST_TOKEN,
    V_BYTE,
    V_DATA,
    V_DEPTH,
    V_ENDINGS,
    V_FIRST,
    V_NODES,
    V_OFFSETS,
    V_SKIP,
    V_TOKEN,
    V_WORDS,
)
from tercet.kernels.pointers import entry, i32, i64, inner, u8


@inner
def list_inside(vp, rp, node, cost):
    """Allow the tokens that end at a node of the vocabulary's trie."""
    v, r = i64(vp), i64(rp)
    first, token = i32(v[V_FIRST]), i32(v[V_TOKEN])
    row, count = i32(r[I_ROW]), r[I_CANDIDATES]
    for j in range(first[node], first[node + 1]):
        t = np.int64(token[j])
        row[t >> 5] |= np.int32(1) << np.int32(t & 31)
        i32(r[I_TOKENS])[count], i32(r[I_COSTS])[count] = t, cost
        count += 1
    r[I_CANDIDATES] = count


@entry("int64(int64, int64, int64)")
def walk_inside(vp, q, rp):
    """Walk the vocabulary from DFA state q and list all of IN in the request record."""
    v, r = i64(vp), i64(rp)
    byte, skip, depths = u8(v[V_BYTE]), i32(v[V_SKIP]), i32(v[V_DEPTH])
    delta, boundary, least = i32(v[Q_DELTA]), u8(v[Q_BOUNDARY]), i32(v[Q_LEAST])
    level, level_chars = i32(r[I_LEVEL]), i32(r[I_LEVEL_CHARS])
    for w in range(v[V_WORDS]):
        i32(r[I_ROW])[w] = 0
        i32(r[I_BASE])[w] = 0
    r[I_CANDIDATES], i, nodes = 0, np.int64(0), v[V_NODES]
    level[0], level_chars[0] = q, 0
    while i < nodes:
        depth = np.int64(depths[i])
        arrived = np.int64(delta[256 * np.int64(level[depth]) + byte[i]])
        if arrived < 0:
            i = np.int64(skip[i])
            continue
        chars = np.int64(level_chars[depth]) + boundary[arrived]
        level[depth + 1], level_chars[depth + 1] = arrived, chars
        list_inside(vp, rp, i, chars + least[arrived])
        i += 1
    r[I_COUNT] = r[I_CANDIDATES]
    return np.int64(0)


@entry("int64(int64, int64, int64, int64)")
def find_exits(vp, q, byte, out):
    """For each ending from `byte` on the characters before it if q's terminal can end there."""
    v, chars = i64(vp), i32(out)
    endings = i64(i64(v[V_ENDINGS])[byte])
    data, offsets, delta = u8(v[V_DATA]), i32(v[V_OFFSETS]), i32(v[Q_DELTA])
    token, before = i32(endings[REST_TOKEN]), i32(endings[REST_BEFORE])
    for j in range(endings[REST_COUNT]):
        here, count = np.int64(q), np.int64(0)
        start = np.int64(offsets[token[j]])
        for i in range(start, start + before[j]):
            here = np.int64(delta[256 * here + data[i]])
            if here < 0:
                break
            count += u8(v[Q_BOUNDARY])[here]
        chars[j] = count if here >= 0 and u8(v[Q_ACCEPT])[here] != 0 else -1
    return np.int64(0)
