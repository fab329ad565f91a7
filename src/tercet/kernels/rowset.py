"""Mask rows by content: the same row always gets the same number, a new one a place of its own.

For a table of rows on a device: only new rows have to go there. A row is found by a hash and then
compared in full, so a number never stands for another row. When all places are taken, the hand goes
round: it spares the rows of this call, and once each row that was asked for since it last came by.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import entry, i32, i64, inner, u64

(
    C_ROWS,  # int32[capacity, words]
    C_HASHES,  # uint64[capacity]
    C_NEXT,  # int32[capacity]: the next row of the same bucket, or -1
    C_HEADS,  # int32[buckets]
    C_CALLS,  # int64[capacity]: the last call that asked for the row
    C_SPARED,  # int64[capacity]: whether the hand will pass it by once
    C_CAPACITY,
    C_WORDS,
    C_BUCKETS,  # a power of two
    C_COUNT,
    C_HAND,
    C_CALL,
) = range(12)
CONTEXT_SIZE = 12

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inner
def _word(row, index):
    return np.uint64(np.int64(row[index]) & 0xFFFFFFFF)


@inner
def _pair(row, index):
    """Two words as one: rows of an odd number of words aren't aligned for 64 bits."""
    return _word(row, index) | (_word(row, index + 1) << np.uint64(32))


@inner
def _stir(lane, value):
    lane = (lane ^ value) * _PRIME
    return lane ^ (lane >> _SHIFT)


@inner
def _hash_row(address, words):
    """Four lanes: one after another would wait for each product."""
    row = i32(address)
    a, b, c, d = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    i = 0
    while i + 8 <= words:
        a, b = _stir(a, _pair(row, i)), _stir(b, _pair(row, i + 2))
        c, d = _stir(c, _pair(row, i + 4)), _stir(d, _pair(row, i + 6))
        i += 8
    while i < words:
        a = _stir(a, _word(row, i))
        i += 1
    return _stir(_stir(_stir(a, b), c), d)


@inner
def _same_row(one, other, words):
    """Without leaving early, so that it is done in vectors."""
    first, second = i32(one), i32(other)
    difference = np.int32(0)
    for j in range(words):
        difference |= first[j] ^ second[j]
    return difference == 0


@inner
def _unlink(cp, number):
    """Take a row out of its bucket."""
    c = i64(cp)
    following, heads = i32(c[C_NEXT]), i32(c[C_HEADS])
    bucket = np.int64(u64(c[C_HASHES])[number] & np.uint64(c[C_BUCKETS] - 1))
    at = np.int64(heads[bucket])
    if at == number:
        heads[bucket] = following[number]
        return
    while np.int64(following[at]) != number:
        at = np.int64(following[at])
    following[at] = following[number]


@inner
def _place(cp):
    """A free place, or that of a row that has not been asked for in a while."""
    c = i64(cp)
    if c[C_COUNT] < c[C_CAPACITY]:
        c[C_COUNT] += 1
        return c[C_COUNT] - 1
    calls, spared = i64(c[C_CALLS]), i64(c[C_SPARED])
    hand = c[C_HAND]
    while calls[hand] == c[C_CALL] or spared[hand] != 0:
        spared[hand] = 0
        hand = (hand + 1) % c[C_CAPACITY]
    c[C_HAND] = (hand + 1) % c[C_CAPACITY]
    _unlink(cp, hand)
    return hand


@entry("int64(int64, int64, int64, int64, int64)")
def number_rows(cp, bits, count, numbers, fresh):
    """Write the number of each of `count` rows, and the numbers that are new; return how many are.

    `count` is at most the capacity.
    """
    c = i64(cp)
    words, hashes, heads = c[C_WORDS], u64(c[C_HASHES]), i32(c[C_HEADS])
    following, calls, spared = i32(c[C_NEXT]), i64(c[C_CALLS]), i64(c[C_SPARED])
    c[C_CALL] += 1
    made = 0
    for k in range(count):
        row = bits + 4 * words * k
        h = _hash_row(row, words)
        bucket = np.int64(h & np.uint64(c[C_BUCKETS] - 1))
        at = np.int64(heads[bucket])
        while at >= 0:
            if hashes[at] == h and _same_row(row, c[C_ROWS] + 4 * words * at, words):
                break
            at = np.int64(following[at])
        if at < 0:
            at = _place(cp)
            source, target = i32(row), i32(c[C_ROWS] + 4 * words * at)
            for j in range(words):
                target[j] = source[j]
            hashes[at] = h
            following[at] = heads[bucket]
            heads[bucket] = at
            spared[at] = 0
            i32(fresh)[made] = at
            made += 1
        else:
            spared[at] = 1
        calls[at] = c[C_CALL]
        i32(numbers)[k] = at
    return made
