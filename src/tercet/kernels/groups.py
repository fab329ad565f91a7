"""Bytes in groups, and which tokens have a byte of which group.

A terminal mostly goes on with a whole class of characters: letters, digits, anything but a quote.
Its tokens are then those without a byte of any other group, and these are found by OR-ing rows of
bits, not by looking at each token. A group is one byte of punctuation, or a range of letters, or
the lead bytes of some scripts; characters count as their first byte. Tokens that are not made of
whole characters are a group of their own, RAGGED. Nothing here knows a terminal.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tercet.kernels.pointers import entry

# Neighbours tend to be wanted, or not wanted, together: rows of aligned runs are stored too.
_ASCII = (
    [*range(9), 11, 12, *range(14, 32)],
    *([byte] for byte in b"\t\n\r\x7f"),
    [],  # RAGGED
    *([byte] for byte in b"\"\\ !#$%&'()*+,/:;<=>?@[]^`{|}~-._"),
    *(list(letters) for letters in (b"0123456789", b"ABCDEF", b"GHIJKLMNOPQRSTUVWXYZ")),
    *(list(letters) for letters in (b"abcdef", b"ghijklmnopqrstuvwxyz")),
)
_LEADS = ((0xC2, 0xC3), (0xC4, 0xDF), (0xE0, 0xE0), (0xE1, 0xE9), (0xEA, 0xEF), (0xF0, 0xF4))
RAGGED = 5
GROUPS = len(_ASCII) + len(_LEADS)
LEAVES = 64  # of the tree of rows; those beyond GROUPS are empty


def _group_of_byte() -> np.ndarray:
    groups = np.full(256, RAGGED, np.uint8)  # continuation bytes and those that are never UTF-8
    for group, members in enumerate(_ASCII):
        groups[members] = group
    for number, (first, last) in enumerate(_LEADS):
        groups[first : last + 1] = len(_ASCII) + number
    return groups


GROUP_OF_BYTE = _group_of_byte()

_bytes_in = types.Array(types.uint8, 1, "C", readonly=True)
_ints_in = types.Array(types.int32, 1, "C", readonly=True)


@entry(types.int64(_bytes_in, types.int64, types.int64))
def character_end(data, start, end):
    """Where the well-formed UTF-8 character at `start` ends, or -1."""
    lead = np.int64(data[start])
    if lead < 0x80:
        return start + 1
    if lead < 0xC2 or lead > 0xF4:
        return np.int64(-1)
    after = start + (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4)
    if after > end:
        return np.int64(-1)
    for i in range(start + 1, after):
        if data[i] & 0xC0 != 0x80:
            return np.int64(-1)
    second = np.int64(data[start + 1])
    if (lead == 0xE0 and second < 0xA0) or (lead == 0xED and second > 0x9F):
        return np.int64(-1)
    if (lead == 0xF0 and second < 0x90) or (lead == 0xF4 and second > 0x8F):
        return np.int64(-1)
    return np.int64(after)


@entry(types.Tuple((types.uint64[::1], types.int32[::1]))(_bytes_in, _ints_in, _bytes_in))
def groups_of_tokens(data, offsets, group_of_byte):
    """For each token the set of its groups, and its characters (0 for RAGGED ones).

    Tokens without bytes are RAGGED, so that they are never among those that only have others.
    """
    size = len(offsets) - 1
    groups, characters = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    for t in range(size):
        i, end, found, count = np.int64(offsets[t]), np.int64(offsets[t + 1]), np.uint64(0), 0
        is_ragged = i == end
        while i < end and not is_ragged:
            found |= np.uint64(1) << np.uint64(group_of_byte[data[i]])
            count += 1
            i = character_end(data, i, end)
            is_ragged = i < 0
        groups[t] = np.uint64(1) << np.uint64(RAGGED) if is_ragged else found
        characters[t] = 0 if is_ragged else count
    return groups, characters


@entry(
    types.Tuple((types.int32[::1], types.int32[::1], types.int32[::1]))(
        types.uint64[::1], types.int64
    )
)
def tokens_by_group(groups, words):
    """(rows, start, tokens): the tree of rows, and the tokens of each group as a list.

    Row 64 + g (`words` words) has the tokens of group g, and row i those of rows 2i and 2i + 1.
    """
    rows, start = np.zeros(2 * LEAVES * words, np.int32), np.zeros(LEAVES + 1, np.int32)
    for t in range(len(groups)):
        for g in range(GROUPS):
            if groups[t] >> np.uint64(g) & np.uint64(1) != 0:
                rows[(LEAVES + g) * words + (t >> 5)] |= np.int32(1) << np.int32(t & 31)
                start[g + 1] += 1
    for node in range(LEAVES - 1, 0, -1):
        for w in range(words):
            rows[node * words + w] = rows[2 * node * words + w] | rows[(2 * node + 1) * words + w]
    for g in range(LEAVES):
        start[g + 1] += start[g]
    used, tokens = start.copy(), np.empty(start[LEAVES], np.int32)
    for t in range(len(groups)):
        for g in range(GROUPS):
            if groups[t] >> np.uint64(g) & np.uint64(1) != 0:
                tokens[used[g]] = t
                used[g] += 1
    return rows, start, tokens


@entry(
    types.Tuple((types.int32[::1], types.int32[::1], types.int32[::1]))(
        types.int32[::1], types.int64, types.int64
    )
)
def tokens_by_length(characters, most, words):
    """(rows, longer, tokens): row k has the tokens of 1 to k characters, up to `most`.

    tokens[: longer[k]] are those with more than k characters.
    """
    rows, longer = np.zeros((most + 1) * words, np.int32), np.zeros(most + 2, np.int32)
    for t in range(len(characters)):
        if characters[t] > 0:
            rows[characters[t] * words + (t >> 5)] |= np.int32(1) << np.int32(t & 31)
            longer[characters[t] - 1] += 1
    for k in range(1, most + 1):
        for w in range(words):
            rows[k * words + w] |= rows[(k - 1) * words + w]
    for k in range(most, -1, -1):
        longer[k] += longer[k + 1]
    place, tokens = longer[1:].copy(), np.empty(longer[0], np.int32)
    for t in range(len(characters)):
        if characters[t] > 0:
            tokens[place[characters[t] - 1]] = t
            place[characters[t] - 1] += 1
    return rows, longer, tokens
