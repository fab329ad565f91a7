"""Two deterministic automata run at once: the pairs of states that are reached, breadth first."""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import entry, i32, i64
from tercet.kernels.stacks import mix

(
    X_LEFT,  # int32[states + 1, X_WIDTH]; the last row is the dead state's
    X_LEFT_STATES,
    X_RIGHT,
    X_RIGHT_STATES,
    X_WIDTH,  # columns of both
    X_IS_UNION,  # 1: a pair lives while one of the two does; 0: while both do
    X_CAPACITY,  # pairs that there is room for, and X_WIDTH more
    X_ROWS,  # int32[X_CAPACITY + X_WIDTH, X_WIDTH] what follows each pair, or -1
    X_FIRST,  # int32[X_CAPACITY + X_WIDTH] the left state of each pair, or -1
    X_SECOND,
    X_TABLE,  # int32[X_MASK + 1] zeros, more than twice as many as pairs
    X_MASK,
    X_SLOTS,
) = range(13)


@entry("int64(int64)")
def product(cp):
    """Fill the rows; the number of pairs, or -1 if there are more than the capacity."""
    g = i64(cp)
    left, right, rows = i32(g[X_LEFT]), i32(g[X_RIGHT]), i32(g[X_ROWS])
    first, second, table = i32(g[X_FIRST]), i32(g[X_SECOND]), i32(g[X_TABLE])
    width, is_union, mask = g[X_WIDTH], g[X_IS_UNION], g[X_MASK]
    first[0], second[0], count, at = 0, 0, 1, 0
    table[np.int64(mix(mix(2, 0), 0) & np.uint64(mask))] = 1
    while at < count:
        if count > g[X_CAPACITY]:
            return np.int64(-1)
        p = width * (np.int64(first[at]) if first[at] >= 0 else g[X_LEFT_STATES])
        q = width * (np.int64(second[at]) if second[at] >= 0 else g[X_RIGHT_STATES])
        for c in range(width):
            a, b = left[p + c], right[q + c]
            if (a < 0 and b < 0) or (is_union == 0 and (a < 0 or b < 0)):
                rows[width * at + c] = -1
                continue
            i = np.int64(mix(mix(2, a), b) & np.uint64(mask))
            while table[i] > 0 and (first[table[i] - 1] != a or second[table[i] - 1] != b):
                i = (i + 1) & mask
            if table[i] == 0:
                first[count], second[count] = a, b
                count += 1
                table[i] = count
            rows[width * at + c] = table[i] - 1
        at += 1
    return np.int64(count)
