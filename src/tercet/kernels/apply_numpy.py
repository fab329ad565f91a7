"""Packed mask rows onto numpy logits, in place.

One of several files with the same function, one per kind of array (`apply_torch.py` is another),
so that a caller picks by import. Bit `t % 32` of word `t // 32` says whether token `t` is allowed.
Which tokens are allowed is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def apply_bitmask(
    logits: NDArray[Any], bits: NDArray[np.int32], rows: Sequence[int] | None = None
) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    Logits wider than the bits are masked beyond them. `rows[i]` is the row of `bits` for row `i`
    of the logits; without it they go one by one. A single row may be passed as one dimension.

    >>> logits = np.ones(34, np.float32)
    >>> apply_bitmask(logits, np.array([[0b101, 0]], np.int32))
    >>> np.flatnonzero(np.isfinite(logits)).tolist()
    [0, 2]
    """
    logits = logits.reshape(1, -1) if logits.ndim == 1 else logits
    bits = bits.reshape(1, -1) if bits.ndim == 1 else bits
    bits = bits if rows is None else bits[list(rows)]
    width = min(logits.shape[1], bits.shape[1] * 32)
    packed = np.ascontiguousarray(bits, dtype="<i4").view(np.uint8)
    allowed = np.unpackbits(packed, axis=1, count=width, bitorder="little")
    np.copyto(logits[:, :width], -np.inf, where=allowed == 0)
    logits[:, width:] = -np.inf
