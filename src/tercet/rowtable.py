"""Mask rows that lie on a device once, so that a step sends their numbers and not the rows.

A row of 128,000 tokens is 16 KB; most steps meet rows that came before. Filling rows is the
matchers' work, and putting them onto logits that of `apply_bitmask`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.kernels.pointers import address_of
from tercet.kernels.rowset import (
    C_BUCKETS,
    C_CALLS,
    C_CAPACITY,
    C_HASHES,
    C_HEADS,
    C_NEXT,
    C_ROWS,
    C_SPARED,
    C_WORDS,
    CONTEXT_SIZE,
    number_rows,
)


class RowTable:
    """Rows by number on a device; `put` gives the numbers, `bits` are the rows.

    Rows are told apart by their content. When `capacity` rows are there, those that haven't been
    put for a while give way. Not for several threads at a time.

    >>> table = RowTable(size=40, device="cpu", capacity=8)
    >>> table.put(np.array([[1, 0], [2, 0], [1, 0]], np.int32)).tolist()
    [0, 1, 0]
    >>> table.bits[1].tolist(), table.uploads
    ([2, 0], 2)
    """

    def __init__(self, size: int, *, device: Any, capacity: int = 1024) -> None:
        import torch

        if size < 1 or capacity < 1:
            raise TercetError(f"no table of {capacity} rows for {size} tokens")
        self.words = (size + 31) // 32
        self.uploads = 0
        """How many rows have gone to the device."""
        self.bits = torch.zeros((capacity, self.words), dtype=torch.int32, device=device)
        """The rows, on the device: int32 [capacity, words]."""
        self._rows = np.zeros((capacity, self.words), np.int32)
        buckets = 1 << (2 * capacity - 1).bit_length()
        parts: dict[int, NDArray[Any]] = {
            C_ROWS: self._rows,
            C_HASHES: np.zeros(capacity, np.uint64),
            C_NEXT: np.full(capacity, -1, np.int32),
            C_HEADS: np.full(buckets, -1, np.int32),
            C_CALLS: np.zeros(capacity, np.int64),
            C_SPARED: np.zeros(capacity, np.int64),
        }
        self._parts = parts  # the context holds only addresses
        self._context = np.zeros(CONTEXT_SIZE, np.int64)
        for place, array in parts.items():
            self._context[place] = address_of(array)
        self._context[C_CAPACITY], self._context[C_WORDS] = capacity, self.words
        self._context[C_BUCKETS] = buckets

    def put(self, bits: Any, /) -> Any:
        """Return the numbers of these rows, int32 on the device; what is new there is sent.

        `bits` is what matchers filled: int32 [rows, words], a numpy array or a CPU tensor. The
        numbers hold until the next call, which may give a place to another row.

        Raises:
            TercetError: another type or width, or more rows than the table has places.
        """
        import torch

        rows = self._checked(bits)
        numbers, fresh = np.empty(len(rows), np.int32), np.empty(len(rows), np.int32)
        made = number_rows(
            address_of(self._context),
            address_of(rows),
            len(rows),
            address_of(numbers),
            address_of(fresh),
        )
        if made:
            places = torch.from_numpy(fresh[:made].astype(np.int64))
            sent = torch.from_numpy(self._rows[fresh[:made]]).to(self.bits.device)
            self.bits.index_copy_(0, places.to(self.bits.device), sent)
            self.uploads += made
        return torch.from_numpy(numbers).to(self.bits.device)

    def _checked(self, bits: Any) -> NDArray[np.int32]:
        if hasattr(bits, "data_ptr"):
            if bits.device.type != "cpu":
                raise TercetError(f"the rows lie on {bits.device}", hint="fill them on the CPU")
            bits = bits.numpy()
        if not isinstance(bits, np.ndarray) or bits.dtype != np.int32:
            kind = getattr(bits, "dtype", type(bits).__name__)
            raise TercetError("the rows must be int32", why=f"they are {kind}")
        if bits.ndim != 2 or bits.shape[1] != self.words:
            raise TercetError(
                f"the table has rows of {self.words} words", why=f"the shape is {bits.shape}"
            )
        if len(bits) > len(self._rows):
            raise TercetError(
                f"{len(bits)} rows for a table of {len(self._rows)}",
                hint="make a table with a larger capacity",
            )
        return np.ascontiguousarray(bits)
