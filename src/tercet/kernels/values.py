"""The value of a text that is being read: equal numbers have one canonical text.

A number is brought to its digits without zeros at either end and a power of ten; strings stand for
themselves, for they have one spelling.
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    KIND_NUMBER,
    N_MERGE,
    NOTED_NUMBER,
    T_BYTE,
    T_PARENT,
    TRAPPED,
    W_MERGE,
)
from tercet.kernels.pairs import intern_text
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import has_room

_MARK, _MINUS, _DOT = 0xFF, 0x2D, 0x2E  # _MARK begins the canonical texts of numbers


@inner
def spell_out(cp, text):
    """Write the bytes of a text into W_MERGE, last byte first; returns their count, kind * 2^32.

    The kind is the root at which the text begins.
    """
    g = i64(cp)
    parent, byte = i32(g[T_PARENT]), i32(g[T_BYTE])
    length, here = np.int64(0), np.int64(text)
    while parent[here] >= 0:
        if not has_room(cp, N_MERGE, length + 1):
            return np.int64(TRAPPED)
        i32(g[W_MERGE])[length] = byte[here]
        length += 1
        here = np.int64(parent[here])
    return length + (here << 32)


@inner
def canonical(cp, text):
    """The text that stands for all spellings of the same value."""
    spelled = spell_out(cp, text)
    if spelled < 0:
        return spelled
    if spelled >> 32 != KIND_NUMBER and spelled >> 32 != NOTED_NUMBER:
        return np.int64(text)
    merge, length = i32(i64(cp)[W_MERGE]), spelled & 0xFFFFFFFF
    # digits without leading and trailing zeros, and the power of ten that they are to be taken by
    exponent, end = np.int64(0), np.int64(0)
    for j in range(length):
        if merge[j] == ord("e") or merge[j] == ord("E"):
            end = np.int64(j + 1)
            for k in range(j - 1, -1, -1):
                if ord("0") <= merge[k] <= ord("9"):
                    exponent = min(exponent * 10 + merge[k] - ord("0"), 1 << 40)
            if merge[j - 1] == _MINUS:
                exponent = -exponent
            break
    for j in range(end, length):
        if merge[j] == _DOT:
            exponent -= j - end
            break
    return intern_number(cp, end, length, exponent)


@inner
def intern_number(cp, end, length, exponent):
    """The canonical text of a number whose mantissa is W_MERGE[end:length], last byte first."""
    merge = i32(i64(cp)[W_MERGE])
    first, last = np.int64(-1), np.int64(-1)
    for j in range(end, length):
        if ord("1") <= merge[j] <= ord("9"):
            last = j if last < 0 else last
            first = j
        elif merge[j] == ord("0") and last < 0:
            exponent += 1
    text = intern_text(cp, KIND_NUMBER, _MARK)
    if last < 0 or text < 0:
        return text  # zero, with any sign
    if merge[length - 1] == _MINUS:
        text = intern_text(cp, text, _MINUS)
    for j in range(first, last - 1, -1):
        if merge[j] != _DOT and text >= 0:
            text = intern_text(cp, text, np.int64(merge[j]))
    # the exponent is one more "byte": texts are trees over any integers
    return text if text < 0 else intern_text(cp, text, 256 + (exponent + (1 << 20)))


@inner
def root_of(cp, text):
    """The kind of a text."""
    parent = i32(i64(cp)[T_PARENT])
    while parent[text] >= 0:
        text = np.int64(parent[text])
    return np.int64(text)
