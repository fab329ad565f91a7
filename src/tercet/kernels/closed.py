"""IN of a terminal's DFA state without a walk: classes of characters under which states are closed.

If a set of states never dies on the characters of some groups (`groups`), every token made of
those is in IN: a few rows of bits, OR-ed and inverted. What is left to be tried one by one are
tokens with a character that is in no such group but that one of the states can take, and those
that aren't made of whole characters. Where a state dies only after many characters (a pattern such
as `[a-z]{1,63}`), tokens longer than that are tried as well.

A search from the state proposes the groups: it starts with all that the state itself can take, and
gives up those that lead to where most of the others die, or else those that die.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.bitsets import bit, size_of_set
from tercet.kernels.characters import target_of
from tercet.kernels.groups import GROUP_OF_BYTE, GROUPS, LEAVES, RAGGED
from tercet.kernels.layout import (
    CLOSED_LIMIT,
    I_BASE,
    I_CANDIDATES,
    I_COSTS,
    I_COUNT,
    I_DEPTHS,
    I_GROUPS,
    I_LEAST,
    I_LENGTH,
    I_LIMIT,
    I_ROW,
    I_STAMP,
    I_STATES,
    I_TOKENS,
    I_VIA,
    Q_ALIVE,
    Q_BOUNDARY,
    Q_DEAD,
    Q_DELTA,
    Q_LEAST,
    Q_MARK,
    TRIED_LIMIT,
    V_DATA,
    V_DENSE_FROM,
    V_GROUP_ROWS,
    V_GROUP_START,
    V_GROUP_TOKENS,
    V_LENGTH_ROWS,
    V_LONGER,
    V_LONGER_TOKENS,
    V_LONGEST,
    V_OFFSETS,
    V_WORDS,
)
from tercet.kernels.pointers import entry, i32, i64, inner, u8, u64

_FAR = 16  # a state that dies only after so many characters doesn't cost a group
_ATTEMPTS = 32
_ALL = ((1 << GROUPS) - 1) & ~(1 << RAGGED)
_KNOWN = 1 << 63


@inner
def note_groups(vp, q):
    """Find out, once, which groups don't lead on as a whole (Q_DEAD) and which at all (Q_ALIVE)."""
    v = i64(vp)
    if u64(v[Q_ALIVE])[q] & np.uint64(_KNOWN) != 0:
        return
    dead, alive = np.uint64(0), np.uint64(_KNOWN)
    for byte in range(0xF5):
        if 0x80 <= byte < 0xC2:
            continue
        group = bit(GROUP_OF_BYTE[byte])
        if i32(v[Q_DELTA])[256 * q + byte] >= 0:
            alive |= group
        if dead & group == 0 and target_of(vp, q, byte) < 0:
            dead |= group
    u64(v[Q_DEAD])[q], u64(v[Q_ALIVE])[q] = dead, alive


@inner
def visit(vp, rp, q, depth, via):
    """Append a state to the search unless it is there."""
    r, marks = i64(rp), i32(i64(vp)[Q_MARK])
    count = r[I_LENGTH]
    if marks[q] == r[I_STAMP] or count >= CLOSED_LIMIT:
        return
    marks[q] = r[I_STAMP]
    note_groups(vp, q)
    i32(r[I_STATES])[count], i32(r[I_DEPTHS])[count] = q, depth
    u64(r[I_VIA])[count] = via
    r[I_LENGTH] = count + 1


@inner
def search(vp, rp, q, groups):
    """The states reached by characters of `groups`: the same groups, or fewer to try again with."""
    v, r = i64(vp), i64(rp)
    r[I_STAMP] += 1
    r[I_LENGTH], r[I_LIMIT], i = 0, v[V_LONGEST], np.int64(0)
    visit(vp, rp, q, 0, np.uint64(0))
    while i < r[I_LENGTH]:
        here, depth = np.int64(i32(r[I_STATES])[i]), np.int64(i32(r[I_DEPTHS])[i])
        dying = u64(v[Q_DEAD])[here] & groups
        if dying != 0 and depth >= _FAR:
            r[I_LIMIT] = min(depth, v[V_LONGEST])
            return groups
        if dying != 0:
            via = u64(r[I_VIA])[i]
            return groups & ~(via if 2 * size_of_set(dying) > size_of_set(groups) else dying)
        for byte in range(0xF5):
            group = bit(GROUP_OF_BYTE[byte])
            if groups & group != 0:
                visit(vp, rp, target_of(vp, here, byte), depth + 1, group)
        if r[I_LENGTH] >= CLOSED_LIMIT:
            return np.uint64(0)
        i += 1
    return groups


@inner
def groups_to_try(vp, rp):
    """The groups of which a token may have a character and stay inside, other than the closed."""
    v, r = i64(vp), i64(rp)
    alive = bit(RAGGED)
    for i in range(r[I_LENGTH]):
        alive |= u64(v[Q_ALIVE])[i32(r[I_STATES])[i]]
    return alive & ~np.uint64(r[I_GROUPS]) & ~np.uint64(_KNOWN)


@inner
def tokens_to_try(vp, rp, groups):
    """How many tokens have to be tried one by one."""
    v, r = i64(vp), i64(rp)
    start = i32(v[V_GROUP_START])
    total = np.int64(i32(v[V_LONGER])[r[I_LIMIT]])
    for g in range(GROUPS):
        if groups & bit(g) != 0:
            total += start[g + 1] - start[g]
    return total


@inner
def put_closed(vp, rp):
    """Write the tokens of closed groups only into both rows; returns how many there are."""
    v, r = i64(vp), i64(rp)
    words, rows, row = v[V_WORDS], i32(v[V_GROUP_ROWS]), i32(r[I_ROW])
    for w in range(words):
        row[w] = 0
    full, above, leaves = ~np.uint64(r[I_GROUPS]), np.uint64(0), np.int64(LEAVES)
    # from the leaves up: a row is OR-ed in where the one above has other groups too
    while leaves > 0:
        above = np.uint64(0)
        for j in range(0, leaves, 2):
            if (full >> np.uint64(j)) & np.uint64(3) == 3:
                above |= bit(j >> 1)
        for j in range(leaves):
            if full & bit(j) != 0 and (leaves == 1 or above & bit(j >> 1) == 0):
                for w in range(words):
                    row[w] |= rows[(leaves + j) * words + w]
        full, leaves = above, leaves >> 1
    short, base, count = i32(v[V_LENGTH_ROWS] + 4 * words * r[I_LIMIT]), i32(r[I_BASE]), 0
    for w in range(words):
        row[w] = ~row[w] & short[w]
        base[w] = row[w]
        count += size_of_set(np.uint64(np.int64(row[w]) & 0xFFFFFFFF))
    return np.int64(count)


@inner
def try_token(vp, rp, q, token):
    """Allow a token that stays inside, and note what count it needs."""
    v, r = i64(vp), i64(rp)
    data, offsets, delta = u8(v[V_DATA]), i32(v[V_OFFSETS]), i32(v[Q_DELTA])
    chars = np.int64(0)
    for i in range(offsets[token], offsets[token + 1]):
        q = np.int64(delta[256 * q + data[i]])
        if q < 0:
            return
        chars += u8(v[Q_BOUNDARY])[q]
    count, row = r[I_CANDIDATES], i32(r[I_ROW])
    row[token >> 5] |= np.int32(1) << np.int32(token & 31)
    i32(r[I_TOKENS])[count], i32(r[I_COSTS])[count] = token, chars + i32(v[Q_LEAST])[q]
    r[I_CANDIDATES] = count + 1


@inner
def common_least(vp, rp):
    """The least number of characters still to come if all states agree about it, else -1."""
    states, least = i32(i64(rp)[I_STATES]), i32(i64(vp)[Q_LEAST])
    for i in range(1, i64(rp)[I_LENGTH]):
        if least[states[i]] != least[states[0]]:
            return np.int64(-1)
    return np.int64(least[states[0]])


@entry("int64(int64, int64, int64)")
def find_inside(vp, q, rp):
    """Write IN of DFA state q into the request record; 0 where a walk is the better way."""
    v, r = i64(vp), i64(rp)
    if u8(v[Q_BOUNDARY])[q] == 0:
        return np.int64(0)
    note_groups(vp, q)
    groups, smaller = np.uint64(0), np.uint64(_ALL) & ~u64(v[Q_DEAD])[q]
    attempts = np.int64(0)
    while groups != smaller and attempts < _ATTEMPTS:
        groups = smaller
        smaller = search(vp, rp, q, groups)
        attempts += 1
    if groups != smaller or groups == 0:
        return np.int64(0)
    r[I_GROUPS], r[I_CANDIDATES] = np.int64(groups), 0
    left = groups_to_try(vp, rp)
    if tokens_to_try(vp, rp, left) > TRIED_LIMIT:
        return np.int64(0)
    r[I_COUNT], r[I_LEAST] = put_closed(vp, rp), common_least(vp, rp)
    if r[I_COUNT] < v[V_DENSE_FROM]:
        return np.int64(0)
    start, tokens = i32(v[V_GROUP_START]), i32(v[V_GROUP_TOKENS])
    for g in range(GROUPS):
        if left & bit(g) != 0:
            for j in range(start[g], start[g + 1]):
                try_token(vp, rp, q, np.int64(tokens[j]))
    for j in range(i32(v[V_LONGER])[r[I_LIMIT]]):
        try_token(vp, rp, q, np.int64(i32(v[V_LONGER_TOKENS])[j]))
    r[I_COUNT] += r[I_CANDIDATES]
    return np.int64(1)
