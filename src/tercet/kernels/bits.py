"""Mask rows and what they say: bit t % 32 of word t // 32 is whether token t is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(tokens: NDArray[Any], words: int) -> NDArray[np.int32]:
    """A mask row with these tokens.

    >>> packed(np.array([0, 33]), 2).tolist()
    [1, 2]
    """
    bits = np.zeros(words * 32, np.uint8)
    bits[tokens] = 1
    return np.packbits(bits, bitorder="little").view("<i4")


def unpacked(row: NDArray[np.int32], size: int) -> NDArray[np.bool_]:
    """One bool for each of `size` tokens.

    >>> unpacked(np.array([1, 2], np.int32), 34).nonzero()[0].tolist()
    [0, 33]
    """
    return np.unpackbits(row.view(np.uint8), count=size, bitorder="little").view(np.bool_)
