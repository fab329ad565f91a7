"""Where whole characters lead: all with the same first byte, in one go.

A DFA over bytes mostly treats the characters with one first byte alike. Which state they all end
in is found by way of its continuation bytes, and remembered for the last of these.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import Q_BOUNDARY, Q_DELTA, Q_TAIL
from tercet.kernels.pointers import i32, i64, inner, u8

_DEAD, _MIXED = -1, -2


@inner
def last_tail(vp, q, low, high):
    """The one state to which the bytes `low` to `high` lead from q: or DEAD, or MIXED."""
    delta, found = i32(i64(vp)[Q_DELTA]), np.int64(_DEAD)
    boundary = u8(i64(vp)[Q_BOUNDARY])
    for byte in range(low, high + 1):
        target = np.int64(delta[256 * q + byte])
        if target < 0:
            return np.int64(_DEAD)
        if boundary[target] == 0 or (byte > low and target != found):
            return np.int64(_MIXED)
        found = target
    return found


@inner
def known_tail(vp, q):
    """`last_tail` of all continuation bytes, remembered."""
    tails = i32(i64(vp)[Q_TAIL])
    if tails[q] == 0:
        tails[q] = last_tail(vp, q, 0x80, 0xBF) + 3
    return np.int64(tails[q]) - 3


@inner
def middle_tail(vp, q, low, high):
    """The one state in which a character ends that has two more bytes."""
    delta, found, before = i32(i64(vp)[Q_DELTA]), np.int64(_DEAD), np.int64(_DEAD)
    for byte in range(low, high + 1):
        target = np.int64(delta[256 * q + byte])
        if target < 0:
            return np.int64(_DEAD)
        if byte > low and target == before:
            continue
        before, target = target, known_tail(vp, target)
        if target < 0 or (byte > low and target != found):
            return np.int64(_DEAD) if target == _DEAD else np.int64(_MIXED)
        found = target
    return found


@inner
def first_tail(vp, q, low, high):
    """The one state in which a character ends that has three more bytes."""
    delta, found, before = i32(i64(vp)[Q_DELTA]), np.int64(_DEAD), np.int64(_DEAD)
    for byte in range(low, high + 1):
        target = np.int64(delta[256 * q + byte])
        if target < 0:
            return np.int64(_DEAD)
        if byte > low and target == before:
            continue
        before, target = target, middle_tail(vp, target, 0x80, 0xBF)
        if target < 0 or (byte > low and target != found):
            return np.int64(_DEAD) if target == _DEAD else np.int64(_MIXED)
        found = target
    return found


@inner
def target_of(vp, q, byte):
    """The one state to which all characters with this first byte lead: or DEAD, or MIXED."""
    target = np.int64(i32(i64(vp)[Q_DELTA])[256 * q + byte])
    if target < 0:
        return target
    if byte < 0x80:  # MIXED: an escape, of which this is but the first byte
        return target if u8(i64(vp)[Q_BOUNDARY])[target] != 0 else np.int64(_MIXED)
    low = 0xA0 if byte == 0xE0 else 0x90 if byte == 0xF0 else 0x80
    high = 0x9F if byte == 0xED else 0x8F if byte == 0xF4 else 0xBF
    if byte < 0xE0:
        return known_tail(vp, target)
    if byte < 0xF0:
        return middle_tail(vp, target, low, high)
    return first_tail(vp, target, low, high)
