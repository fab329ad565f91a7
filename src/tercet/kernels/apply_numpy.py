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

from tercet.errors import TercetError
from tercet.kernels.apply_checks import check_arguments
from tercet.kernels.forbid import (
    CALL_SIZE,
    F_BITS,
    F_BITS_ROW,
    F_COUNT,
    F_INFINITY,
    F_LOGITS,
    F_NUMBERS,
    F_ROW,
    F_SIZE,
    F_TOKEN,
    F_WIDTH,
    F_WORDS,
    INFINITIES,
    SIZES,
    forbid,
)
from tercet.kernels.pointers import address_of


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
    if not logits.flags.writeable:
        raise TercetError("the logits can't be written", hint="apply the mask to a copy of them")
    bits = np.ascontiguousarray(np.atleast_2d(bits))
    numbers = None if rows is None else np.array(rows, np.int32)
    kind, place = str(logits.dtype), np.atleast_2d(logits)
    forbid_at((address_of(place), place.shape, place.strides, kind), bits, numbers)


def forbid_at(
    logits: tuple[int, Sequence[int], Sequence[int], str],
    bits: NDArray[np.int32],
    numbers: NDArray[np.int32] | None,
) -> None:
    """Do it to logits that are an address, a shape, strides in bytes, and the name of a type.

    The arguments have been checked; `bits` are contiguous.
    """
    address, (count, width), (row, token), kind = logits
    shared = numbers is None and len(bits) == 1
    call = np.empty(CALL_SIZE, np.int64)
    call[F_LOGITS], call[F_COUNT], call[F_WIDTH] = address, count, width
    call[F_ROW], call[F_TOKEN] = row, token
    call[F_SIZE], call[F_INFINITY] = SIZES[kind], INFINITIES[kind]
    call[F_BITS], call[F_WORDS] = address_of(bits), bits.shape[1]
    call[F_BITS_ROW] = 0 if shared else bits.strides[0]
    call[F_NUMBERS] = 0 if numbers is None else address_of(numbers)
    forbid(address_of(call))
