"""Masks onto logits, whatever they are: numpy arrays, or torch tensors on any device.

Picks one of `kernels/apply_*.py`, which all have this function's name, signature and meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any


def apply_bitmask(logits: Any, bits: Any, rows: Sequence[int] | Any | None = None) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow, in place.

    `logits` are float16, bfloat16, float32 or float64, [batch, width] or [width], with any strides.
    `bits` are int32, [rows, words] or [words], as `Matcher.fill_bitmask` writes them; for logits on
    a device they may lie there or on the CPU. `rows[i]` is the row of `bits` for row `i` of the
    logits, -1 leaves that one as it is; without `rows` they go one by one, or the only row of bits
    is for all. Row numbers that lie on a device aren't checked.

    Logits that are wider than the bits (padded vocabularies) are forbidden beyond them; bits beyond
    the logits are ignored.

    >>> import numpy as np
    >>> logits = np.zeros((2, 40), np.float32)
    >>> apply_bitmask(logits, np.array([[0b101, 0], [0, 0b1]], np.int32), rows=[1, -1])
    >>> [np.isfinite(row).sum().item() for row in logits]
    [1, 40]

    Raises:
        TercetError: they have other types, or shapes or devices that don't go together.
    """
    if not hasattr(logits, "is_cuda"):
        from tercet.kernels.apply_numpy import apply_bitmask as apply
    elif logits.is_cuda and _has_triton():
        from tercet.kernels.apply_triton import apply_bitmask as apply
    else:
        from tercet.kernels.apply_torch import apply_bitmask as apply
    apply(logits, bits, rows)


@cache
def _has_triton() -> bool:
    return find_spec("triton") is not None
