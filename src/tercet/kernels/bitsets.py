"""Sets of small numbers in one 64-bit word."""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import inner


@inner
def bit(g):
    """The set of one number."""
    return np.uint64(1) << np.uint64(g)


@inner
def size_of_set(x):
    """How many numbers a set has."""
    x = np.uint64(x)
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def lowest(x):
    """The least number in a set that has some."""
    return size_of_set((x & (~x + np.uint64(1))) - np.uint64(1))
