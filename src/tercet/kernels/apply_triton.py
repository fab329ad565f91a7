"""Packed mask rows onto torch logits, in place, in one Triton kernel.

The same function as in `apply_numpy.py`, with the same meaning. It reads a bit per token and writes
only where a token is forbidden, so what it costs is the memory it writes. Import it only where
Triton is installed; with TRITON_INTERPRET=1 set before that, it also runs on the CPU, slowly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import triton
import triton.language as tl

from tercet.kernels.apply_torch import on_device

_WORDS = 64  # of a program: 2,048 logits


def apply_bitmask(logits: Any, bits: Any, rows: Sequence[int] | Any | None = None) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    What the arguments may be stands at `tercet.apply_bitmask`.
    """
    logits, bits, numbers = on_device(logits, bits, rows)
    count, width = logits.shape
    if not count or not width:
        return
    _forbid[(triton.cdiv(width, _WORDS * 32), count)](
        logits,
        bits,
        logits if numbers is None else numbers,  # a pointer that isn't read
        width,
        bits.shape[0],
        bits.shape[1],
        *logits.stride(),
        *bits.stride(),
        NUMBERED=numbers is not None,
        WORDS=_WORDS,
    )


@triton.jit
def _forbid(
    logits,
    bits,
    numbers,
    width,
    count,
    words,
    logits_row,
    logits_token,
    bits_row,
    bits_word,
    NUMBERED: tl.constexpr,
    WORDS: tl.constexpr,
):
    """One stretch of one row: read its words, write -inf where a bit is 0.

    Beyond the words everything is forbidden; so it is for a number that is no row, which can't be
    refused here.
    """
    row = tl.program_id(1).to(tl.int64)
    number = row
    if NUMBERED:
        number = tl.load(numbers + row).to(tl.int64)
    elif count == 1:
        number = row * 0
    read = tl.where((number >= 0) & (number < count), words, 0)
    written = tl.where(number >= 0, width, 0)
    word = tl.program_id(0) * WORDS + tl.arange(0, WORDS)
    held = tl.load(bits + number * bits_row + word * bits_word, mask=word < read, other=0)
    bit = tl.arange(0, 32)
    token = word[:, None] * 32 + bit[None, :]
    forbidden = ((held[:, None] >> bit[None, :]) & 1) == 0
    place = logits + row * logits_row + token.to(tl.int64) * logits_token
    infinity = tl.full((WORDS, 32), float("-inf"), logits.dtype.element_ty)
    tl.store(place, infinity, mask=forbidden & (token < written))
