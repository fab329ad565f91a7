"""The subset construction: sets of positions as bits, each found set a state, breadth first.

Bit 0 of a set says that a text may stop here, bit p + 1 that position p may be read next.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import entry, i32, i64, inner, u64
from tercet.kernels.stacks import mix

(
    D_FOLLOW,  # uint64[positions, D_WORDS] what may come behind each position
    D_WORDS,
    D_SYMBOL,  # int32[positions] the set of characters of each
    D_SYMBOLS,
    D_OFFSET,  # int32[D_SYMBOLS + 1] where the classes of each set of characters begin in
    D_MEMBERS,  # int32[...] the classes, set after set
    D_WIDTH,  # classes of characters
    D_CAPACITY,  # states that there is room for, and D_WIDTH more
    D_STATES,  # uint64[D_CAPACITY + D_WIDTH, D_WORDS]; the first is there
    D_ROWS,  # int32[D_CAPACITY + D_WIDTH, D_WIDTH] what follows each state, or -1
    D_TABLE,  # int32[D_MASK + 1] zeros, more than twice as many as states
    D_MASK,
    D_BEHIND,  # uint64[D_SYMBOLS + D_WIDTH, D_WORDS] to write on, zeros
    D_MET,  # int32[D_SYMBOLS + D_WIDTH] to write on, zeros
    D_WORK,  # positions that may be looked at
    D_SLOTS,
) = range(16)


@inner
def unite(target, words, source, at):
    """Add a set to another one."""
    a, b = u64(target), u64(source)
    for w in range(words):
        a[w] |= b[at + w]


@inner
def behind_symbols(cp, state):
    """For each set of characters of a state's positions, what comes behind; how many positions."""
    g = i64(cp)
    words, states, symbol, met = g[D_WORDS], u64(g[D_STATES]), i32(g[D_SYMBOL]), i32(g[D_MET])
    positions = 0
    for w in range(words):
        rest, p = states[state * words + w], 64 * w - 1
        while rest != np.uint64(0):
            if rest & np.uint64(255) == np.uint64(0):
                rest >>= np.uint64(8)
                p += 8
                continue
            if rest & np.uint64(1) and p >= 0:
                s = np.int64(symbol[p])
                met[s] = 1
                unite(g[D_BEHIND] + 8 * words * s, words, g[D_FOLLOW], p * words)
                positions += 1
            rest >>= np.uint64(1)
            p += 1
    return positions


@inner
def behind_classes(cp):
    """What comes behind each class of characters, from what comes behind the sets that hold it."""
    g = i64(cp)
    words, symbols, met = g[D_WORDS], g[D_SYMBOLS], i32(g[D_MET])
    offset, members, behind = i32(g[D_OFFSET]), i32(g[D_MEMBERS]), u64(g[D_BEHIND])
    for s in range(symbols):
        if met[s]:
            for m in range(offset[s], offset[s + 1]):
                c = symbols + np.int64(members[m])
                met[c] = 1
                unite(g[D_BEHIND] + 8 * words * c, words, g[D_BEHIND], s * words)
            met[s] = 0
            for w in range(words):
                behind[s * words + w] = 0


@inner
def number_of(cp, found, count):
    """The number of the set at a place of `behind`; the next one if it is new, and then kept."""
    g = i64(cp)
    words, mask, behind, states = g[D_WORDS], g[D_MASK], u64(g[D_BEHIND]), u64(g[D_STATES])
    table = i32(g[D_TABLE])
    key = np.uint64(7)
    for w in range(words):
        key = mix(key, behind[found * words + w])
    i = np.int64(key & np.uint64(mask))
    while table[i] > 0:
        known = np.int64(table[i]) - 1
        w = 0
        while w < words and states[known * words + w] == behind[found * words + w]:
            w += 1
        if w == words:
            return known
        i = (i + 1) & mask
    table[i] = count + 1
    for w in range(words):
        states[count * words + w] = behind[found * words + w]
    return count


@entry("int64(int64)")
def subsets(cp):
    """Fill the rows; the number of states, or -1 if there are too many or it is too much work."""
    g = i64(cp)
    words, width, symbols = g[D_WORDS], g[D_WIDTH], g[D_SYMBOLS]
    states, behind, rows, met = u64(g[D_STATES]), u64(g[D_BEHIND]), i32(g[D_ROWS]), i32(g[D_MET])
    for w in range(words):
        behind[w] = states[w]
    number_of(cp, np.int64(0), np.int64(0))
    for w in range(words):
        behind[w] = 0
    count, at, work = np.int64(1), np.int64(0), g[D_WORK]
    while at < count:
        work -= behind_symbols(cp, at)
        if count > g[D_CAPACITY] or work < 0:
            return np.int64(-1)
        behind_classes(cp)
        for c in range(width):
            rows[at * width + c] = -1
            found = symbols + c
            if met[found]:
                target = number_of(cp, found, count)
                count = max(count, target + 1)
                rows[at * width + c] = target
                met[found] = 0
                for w in range(words):
                    behind[found * words + w] = 0
        at += 1
    return count
