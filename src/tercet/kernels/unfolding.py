"""Unfolds the trie of all quotes from a text, as far as it is needed.

A node stands for all places where the quote so far occurs: a range of `places`, which holds where
quotes may begin, and a depth. Unfolding a node sorts its range by the next byte. Nobody sorts the
whole text: this is the lazy suffix tree of Giegerich, Kurtz and Stoye ("Efficient implementation of
lazy suffix trees", 2003), one byte an edge, so that a node is the position of an engine's thread.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tercet.kernels.pointers import entry

_bytes_in = types.Array(types.uint8, 1, "C", readonly=True)
_ints, _bytes = types.int32[::1], types.uint8[::1]


@entry(
    types.void(
        _bytes_in, _bytes_in, _ints, _ints, types.int64, types.int64, types.int64, types.int64[::1]
    ),
    nogil=True,
)
def _sort_by_byte(data, alive, places, spare, low, high, depth, bounds):
    """Order places[low : high] by the byte at `depth`; bounds[b] is where byte b ends.

    What can't go on to an end of a quote comes last.
    """
    bounds[:] = 0
    for i in range(low, high):
        at = places[i] + depth
        if at < len(data) and alive[at] != 0:
            bounds[data[at]] += 1
    total = np.int64(low)
    for b in range(256):
        count = bounds[b]
        bounds[b] = total
        total += count
    dropped = total
    for i in range(low, high):
        at = places[i] + depth
        if at < len(data) and alive[at] != 0:
            spare[bounds[data[at]] - low] = places[i]
            bounds[data[at]] += 1
        else:
            spare[dropped - low] = places[i]
            dropped += 1
    places[low:high] = spare[: high - low]


@entry(types.uint8(_bytes_in, _ints, types.int64, types.int64, types.int64), nogil=True)
def _may_end(ends, places, low, high, depth):
    """Whether a quote may end at `depth` in any of the places."""
    for i in range(low, high):
        if ends[places[i] + depth] != 0:
            return np.uint8(1)
    return np.uint8(0)


@entry(
    types.int64(
        _bytes_in, _bytes_in, _bytes_in, _ints, _ints, types.int64[:, ::1], _ints, _ints, _bytes,
        _bytes, types.int64,
    ), nogil=True)  # fmt: skip
def unfold(data, ends, alive, places, spare, nodes, start, count, end, byte, most):
    """Unfold nodes[0] = (low, high, depth) and, breadth first, what is below, up to `most` nodes.

    Node i > 0 is the target of edge i - 1. Returns the number of nodes; count is -1 where a node
    isn't unfolded yet. The arrays have room for `most` + 256 nodes.
    """
    bounds = np.empty(256, np.int64)
    made, current = 1, 0
    while current < made < most:
        low, high, depth = nodes[current, 0], nodes[current, 1], nodes[current, 2]
        _sort_by_byte(data, alive, places, spare, low, high, depth, bounds)
        start[current] = made - 1
        first = low
        for b in range(256):
            last = bounds[b]
            if last > first:
                byte[made - 1] = b
                nodes[made, 0], nodes[made, 1], nodes[made, 2] = first, last, depth + 1
                end[made] = _may_end(ends, places, first, last, depth + 1)
                count[made] = -1
                made += 1
            first = last
        count[current] = made - 1 - start[current]
        current += 1
    return made
