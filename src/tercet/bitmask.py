"""Rows of packed mask bits, as engines hand them over: checked once, then known by address."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.kernels.pointers import address_of


class Bitmask:
    """Where the rows of an array lie; remembers the last array, so checking it is free."""

    __slots__ = ("_address", "_out", "_rows", "_spare", "stride", "words")

    def __init__(self, size: int) -> None:
        self.words = (size + 31) // 32
        self.stride = 4 * self.words
        self._out: Any = None
        self._address = self._rows = self._spare = 0

    def row(self, out: Any, row: int) -> int:
        """The address of out[row].

        Raises:
            TercetError: `out` has another type or shape, or `row` is not in it.
        """
        if out is not self._out:
            self._adopt(out)
        if not 0 <= row < self._rows:
            raise TercetError(f"there is no row {row}", why=f"the bitmask has {self._rows} rows")
        if self._spare:
            self._every_word()[row, self.words :] = 0
        return self._address + row * self.stride

    def rows(self, out: Any, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The addresses of several rows.

        Raises:
            TercetError: `out` has another type or shape, a number is not in it or comes twice.
        """
        if out is not self._out:
            self._adopt(out)
        if not len(numbers):
            return numbers
        if not 0 <= numbers.min() <= numbers.max() < self._rows:
            wrong = numbers[(numbers < 0) | (numbers >= self._rows)][0]
            raise TercetError(f"there is no row {wrong}", why=f"the bitmask has {self._rows} rows")
        if np.bincount(numbers).max() > 1:
            raise TercetError(f"row {np.bincount(numbers).argmax()} is to be written twice")
        if self._spare:
            self._every_word()[numbers, self.words :] = 0
        return self._address + numbers * self.stride

    def _every_word(self) -> NDArray[np.int32]:
        memory = (ctypes.c_int32 * (self._rows * self.stride // 4)).from_address(self._address)
        return np.ctypeslib.as_array(memory).reshape(self._rows, -1)

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
                hint=f"np.zeros((rows, {self.words}), np.int32)",
            )
        if array.shape[-1] < self.words:
            raise TercetError(
                f"the bitmask has {array.shape[-1]} words a row, {self.words} are needed",
                why="it is narrower than the vocabulary",
            )
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise TercetError("the bitmask must be writable and C-contiguous")
        self._rows = 1 if array.ndim == 1 else array.shape[0]
        self._spare = array.shape[-1] - self.words
        self.stride = 4 * array.shape[-1]
        self._address = address_of(array)
        self._out = out


def _described(out: Any) -> str:
    shape, kind = getattr(out, "shape", None), getattr(out, "dtype", None)
    return type(out).__name__ if shape is None else f"{type(out).__name__} {tuple(shape)} {kind}"
