"""Arrays and objects as values: a list of what was noted inside, interned, so equal is equal.

A composite has a memory of its own while it is read: the list of its values so far, in their order;
in an object every other one is a key. At its end the list becomes one value, an object's by rising
keys, which either must be new in the scope around it or is noted in the composite around it.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    DEAD,
    KIND_KEY,
    L_LENGTH,
    L_OFFSET,
    L_POOL,
    N_MERGE,
    NOTED_STRING,
    R_SEEN,
    TRAPPED,
    VALUE_DOUBTFUL,
    VALUE_UNKNOWN,
    W_MERGE,
)
from tercet.kernels.pairs import intern_memory, intern_text
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import has_room, intern_list


@inner
def is_noted(root):
    """Whether texts of a kind become part of a composite; keys are compared besides."""
    return NOTED_STRING <= root <= KIND_KEY


@inner
def is_seen(cp, seen, value):
    """Whether a value is in a list."""
    if seen == 0:
        return False
    g = i64(cp)
    pool, start = i32(g[L_POOL]), np.int64(i32(g[L_OFFSET])[seen - 1])
    for j in range(start, start + i32(g[L_LENGTH])[seen - 1]):
        if pool[j] == value:
            return True
    return False


@inner
def copy_list(cp, seen):
    """Copy a list into W_MERGE, with room for one more; returns its length."""
    g = i64(cp)
    length = np.int64(0) if seen == 0 else np.int64(i32(g[L_LENGTH])[seen - 1])
    if not has_room(cp, N_MERGE, length + 1):
        return np.int64(TRAPPED)
    merge, pool = i32(g[W_MERGE]), i32(g[L_POOL])
    start = np.int64(0) if seen == 0 else np.int64(i32(g[L_OFFSET])[seen - 1])
    for j in range(length):
        merge[j] = pool[start + j]
    return length


@inner
def append(cp, seen, value):
    """The memory of a list with one more value at its end."""
    length = copy_list(cp, seen)
    if length < 0:
        return length
    i32(i64(cp)[W_MERGE])[length] = value
    longer = intern_list(cp, 0, length + 1)
    return longer if longer < 0 else intern_memory(cp, longer + 1, 0)


@inner
def insert(cp, seen, value):
    """The memory of a set, a list in rising order, with one more value."""
    length = copy_list(cp, seen)
    if length < 0:
        return length
    merge, j = i32(i64(cp)[W_MERGE]), length
    while j > 0 and merge[j - 1] > value:
        merge[j] = merge[j - 1]
        j -= 1
    merge[j] = value
    larger = intern_list(cp, 0, length + 1)
    return larger if larger < 0 else intern_memory(cp, larger + 1, 0)


@inner
def value_of(cp, seen, is_object):
    """The value of a composite; unknown if a part is."""
    length = copy_list(cp, seen)
    if length < 0:
        return length
    merge = i32(i64(cp)[W_MERGE])
    for j in range(length):
        if merge[j] == VALUE_UNKNOWN:
            return np.int64(VALUE_UNKNOWN)
    for member in range(2, length if is_object else 0, 2):
        j = np.int64(member)
        while j > 0 and merge[j - 2] > merge[j]:
            merge[j - 2], merge[j] = merge[j], merge[j - 2]
            merge[j - 1], merge[j + 1] = merge[j + 1], merge[j - 1]
            j -= 2
    found = intern_list(cp, 0, length)
    return found if found < 0 else intern_text(cp, -3 if is_object else -2, found)


@inner
def end_composite(cp, outer, memory, how):
    """The memory around a composite after its end; DEAD if it must be new and isn't.

    `how` is 2 for an object, plus 1 where the composite must be new.
    """
    seen_in = i32(i64(cp)[R_SEEN])
    value, seen = value_of(cp, np.int64(seen_in[memory]), how >= 2), np.int64(seen_in[outer])
    if value < 0:
        return value
    if how & 1 == 0:
        return append(cp, seen, value)
    if value == VALUE_UNKNOWN:
        return insert(cp, seen, VALUE_DOUBTFUL)
    return np.int64(DEAD) if is_seen(cp, seen, value) else insert(cp, seen, value)


@inner
def is_doubtful(cp, seen, is_key):
    """Whether what is compared with a list is compared with a value that isn't known.

    Such a composite comes first in a set; in an object, keys are compared with keys.
    """
    if seen == 0:
        return False
    g = i64(cp)
    pool, start = i32(g[L_POOL]), np.int64(i32(g[L_OFFSET])[seen - 1])
    if is_key:
        for j in range(start, start + i32(g[L_LENGTH])[seen - 1], 2):
            if pool[j] == VALUE_UNKNOWN:
                return True
    return pool[start] == VALUE_DOUBTFUL
