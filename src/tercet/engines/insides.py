"""IN of a DFA state, by the kernels that find it: by sets of characters, or else by a walk."""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet.kernels import layout as at
from tercet.kernels.closed import find_inside
from tercet.kernels.pointers import address_of
from tercet.kernels.terminals import walk_inside


class Insides:
    """The request record of the kernels that find IN, and what they have found."""

    def __init__(self, context: np.ndarray[Any, Any]) -> None:
        self._vocabulary = address_of(context)
        size, longest = int(context[at.V_SIZE]), int(context[at.V_LONGEST])
        words = int(context[at.V_WORDS])
        self._record = np.zeros(at.I_SLOTS, np.int64)
        self._address = address_of(self._record)
        listed = max(size, at.TRIED_LIMIT)
        sizes = {at.I_ROW: words, at.I_BASE: words, at.I_TOKENS: listed, at.I_COSTS: listed}
        sizes |= dict.fromkeys((at.I_LEVEL, at.I_LEVEL_CHARS), longest + 1)
        sizes |= dict.fromkeys((at.I_STATES, at.I_DEPTHS), at.CLOSED_LIMIT)
        self._arrays = {slot: np.zeros(count, np.int32) for slot, count in sizes.items()}
        self._arrays[at.I_VIA] = np.zeros(at.CLOSED_LIMIT, np.uint64)
        for slot, array in self._arrays.items():
            self._record[slot] = address_of(array)

    def run(self, q: int) -> int:
        """Find IN of a DFA state; what the tokens of `base` cost beside their characters, or -1."""
        if find_inside(self._vocabulary, q, self._address):
            return int(self._record[at.I_LEAST])
        self.walk(q)
        return -1

    def walk(self, q: int) -> None:
        """Find IN of a DFA state and list all of it."""
        walk_inside(self._vocabulary, q, self._address)

    @property
    def count(self) -> int:
        """How many tokens there are: in a dense set, somewhat more."""
        return int(self._record[at.I_COUNT])

    def row(self) -> np.ndarray[Any, Any]:
        """All tokens found."""
        return self._arrays[at.I_ROW].copy()

    def base(self) -> np.ndarray[Any, Any]:
        """Tokens that aren't in the list, or are in it too."""
        return self._arrays[at.I_BASE].copy()

    def listed(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The tokens of the list, and the least count that allows each."""
        count = int(self._record[at.I_CANDIDATES])
        return self._arrays[at.I_TOKENS][:count].copy(), self._arrays[at.I_COSTS][:count].copy()
