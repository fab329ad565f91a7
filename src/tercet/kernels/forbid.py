"""Mask rows onto logits in the memory of the host, by address: any float type, any strides.

`apply_numpy.py` and `apply_torch.py` call it. -inf is written as the bits it has in the type, so a
type that numpy doesn't know (bfloat16) is nothing special.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.pointers import entry, i32, i64, inner, u16

# -inf as a signed number of the type's size.
INFINITIES = {
    "float16": 0xFC00,
    "bfloat16": 0xFF80,
    "float32": -0x800000,
    "float64": -0x10000000000000,
}
SIZES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}

(
    F_LOGITS,  # address of the first
    F_SIZE,  # bytes of one
    F_INFINITY,
    F_COUNT,  # rows
    F_WIDTH,
    F_ROW,  # bytes from one row to the next
    F_TOKEN,  # bytes from one token to the next
    F_BITS,  # address of the first word
    F_WORDS,
    F_BITS_ROW,  # bytes from one row of words to the next
    F_NUMBERS,  # address of int32[rows], or 0
) = range(11)
CALL_SIZE = 11


@inner
def _forbid_dense(logits, infinity, words, count, width):
    """Words of one row onto logits without gaps."""
    for w in range(count):
        held = words[w]
        start = w << 5
        if held == -1:
            continue
        stop = min(width - start, 32)
        for k in range(stop):
            if (held >> k) & 1 == 0:
                logits[start + k] = infinity
    for token in range(count << 5, width):
        logits[token] = infinity


@inner
def _forbid_one(address, size, infinity):
    if size == 2:
        u16(address)[0] = np.uint16(infinity)
    elif size == 4:
        i32(address)[0] = np.int32(infinity)
    else:
        i64(address)[0] = infinity


@entry("void(int64)")
def forbid(call):
    """Write -inf where a bit is 0, and beyond the bits; a negative number leaves a row alone."""
    f = i64(call)
    size, infinity, width = f[F_SIZE], f[F_INFINITY], f[F_WIDTH]
    count = min(f[F_WORDS], (width + 31) >> 5)
    for row in range(f[F_COUNT]):
        number = row
        if f[F_NUMBERS] != 0:
            number = np.int64(i32(f[F_NUMBERS])[row])
            if number < 0:
                continue
        words = i32(f[F_BITS] + number * f[F_BITS_ROW])
        logits = f[F_LOGITS] + row * f[F_ROW]
        if f[F_TOKEN] != size:
            for token in range(width):
                known = token < f[F_WORDS] * 32
                if not known or (words[token >> 5] >> (token & 31)) & 1 == 0:
                    _forbid_one(logits + token * f[F_TOKEN], size, infinity)
        elif size == 2:
            _forbid_dense(u16(logits), np.uint16(infinity), words, count, width)
        elif size == 4:
            _forbid_dense(i32(logits), np.int32(infinity), words, count, width)
        else:
            _forbid_dense(i64(logits), infinity, words, count, width)
