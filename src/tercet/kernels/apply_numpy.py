"""Packed mask rows onto numpy logits, in place.

One of several files with the same function, one per kind of array (`apply_torch.py` and
`apply_triton.py` are the others). Bit `t % 32` of word `t // 32` says whether token `t` is allowed.
Which tokens are allowed is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.kernels.apply_checks import check_arguments


def apply_bitmask(
    logits: NDArray[Any], bits: NDArray[np.int32], rows: Sequence[int] | Any | None = None
) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    What the arguments may be stands at `tercet.apply_bitmask`.

    >>> logits = np.ones(34, np.float32)
    >>> apply_bitmask(logits, np.array([[0b101, 0]], np.int32))
    >>> np.flatnonzero(np.isfinite(logits)).tolist()
    [0, 2]
    """
    rows = getattr(rows, "tolist", lambda: rows)()
    check_arguments(logits, bits, rows)
    logits = logits[None] if logits.ndim == 1 else logits
    bits = bits[None] if bits.ndim == 1 else bits
    numbers = np.zeros(len(logits), np.int64) if rows is None else np.array(rows, np.int64)
    chosen = bits if rows is None else bits[np.maximum(numbers, 0)]
    width = min(logits.shape[1], bits.shape[1] * 32)
    packed = np.ascontiguousarray(chosen, dtype="<i4").view(np.uint8)
    allowed = np.unpackbits(packed, axis=1, count=width, bitorder="little").view(np.bool_)
    masked = (numbers >= 0)[:, None]
    np.copyto(logits[:, :width], -np.inf, where=~allowed & masked)
    np.copyto(logits[:, width:], -np.inf, where=masked)
