"""Rows of packed mask bits, as engines hand them over: checked once, then written by address."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.errors import TercetError
from tercet.kernels.pointers import address_of

if TYPE_CHECKING:
    from tercet.engines.select import Recognizer


class RowWriter:
    """Writes masks into rows of an array; remembers the last array, so checking it is free."""

    __slots__ = ("_address", "_fill_at", "_out", "_recognizer", "_rows", "_spare", "_words")

    def __init__(self, recognizer: Recognizer, size: int) -> None:
        self._recognizer = recognizer
        self._words = (size + 31) // 32
        # The fast engine writes to an address: making an array of a row costs more than a mask.
        self._fill_at = getattr(recognizer, "fill_at", None)
        self._out: Any = None
        self._address = self._rows = self._spare = 0

    def write(self, state: Any, out: Any, row: int) -> None:
        """Write the mask of a state into out[row]."""
        address = self._row_address(out, row)
        if self._fill_at is not None:
            self._fill_at(state, address)
        else:
            self._recognizer.fill(state, _view(address, self._words))
        if self._spare:
            _view(address + 4 * self._words, self._spare)[:] = 0

    def write_tokens(self, tokens: Iterable[int], out: Any, row: int) -> None:
        """Write a mask of just these tokens into out[row]."""
        words = _view(self._row_address(out, row), self._words + self._spare).view(np.uint32)
        words[:] = 0
        for token in tokens:
            words[token >> 5] |= np.uint32(1 << (token & 31))

    def _row_address(self, out: Any, row: int) -> int:
        if out is not self._out:
            self._adopt(out)
        if not 0 <= row < self._rows:
            raise TercetError(f"there is no row {row}", why=f"the bitmask has {self._rows} rows")
        return self._address + 4 * row * (self._words + self._spare)

    def _adopt(self, out: Any) -> None:
        """Check an array or tensor, and remember where its rows lie."""
        array = out
        if not isinstance(out, np.ndarray) and hasattr(out, "data_ptr"):
            if out.device.type != "cpu":
                raise TercetError(
                    f"the bitmask lies on {out.device}",
                    hint="fill a bitmask on the CPU, and copy it to the device",
                )
            array = out.detach().numpy()
        if not isinstance(array, np.ndarray) or array.dtype != np.int32 or array.ndim not in (1, 2):
            raise TercetError(
                "a bitmask is an int32 array of one or two dimensions",
                why=f"this is {_described(out)}",
                hint=f"np.zeros((rows, {self._words}), np.int32)",
            )
        if array.shape[-1] < self._words:
            raise TercetError(
                f"the bitmask has {array.shape[-1]} words a row, {self._words} are needed",
                why="it is narrower than the vocabulary",
            )
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise TercetError("the bitmask must be writable and C-contiguous")
        self._rows = 1 if array.ndim == 1 else array.shape[0]
        self._spare = array.shape[-1] - self._words
        self._address = address_of(array)
        self._out = out


def _view(address: int, words: int) -> np.ndarray[Any, Any]:
    return np.ctypeslib.as_array((ctypes.c_int32 * words).from_address(address))


def _described(out: Any) -> str:
    shape, kind = getattr(out, "shape", None), getattr(out, "dtype", None)
    return type(out).__name__ if shape is None else f"{type(out).__name__} {tuple(shape)} {kind}"
