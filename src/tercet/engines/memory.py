"""The growing arrays of one compiled grammar, behind one context array of addresses.

Kernels can't allocate: when something doesn't fit they trap, Python doubles the arrays of that
counter here, and the call is repeated. Everything starts in one small zeroed block, because a
grammar that is used for a few tokens should cost microseconds, not megabytes.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tercet.errors import TercetError
from tercet.kernels import layout as at
from tercet.kernels.growth import (
    rehash_lists,
    rehash_memories,
    rehash_nodes,
    rehash_states,
    rehash_texts,
    rehash_unions,
)
from tercet.kernels.memories import prepare_memories
from tercet.kernels.pointers import address_of

_LIMIT_BYTES = 2 << 30


class _Array(NamedTuple):
    slot: int
    counter: int
    width: int  # entries per counted thing
    kind: str = "i4"
    is_table: bool = False


_START = {
    at.N_NODES: 2048,
    at.N_LISTS: 16,
    at.N_LIST_POOL: 64,
    at.N_CLOSURE: 4096,
    at.N_STATES: 1024,
    at.N_THREADS: 8192,
    at.N_DENSE: 8,
    at.N_SPARSE: 16 * at.SPARSE_LIMIT,
    at.N_VISITED: 256,
    at.N_SCRATCH: 512,
    at.N_STACK: 512,
    at.N_MERGE: 256,
    at.N_UNIONS: 16,
    at.N_MEMORIES: 16,
    at.N_TEXTS: 16,
    at.N_PAIRS: 64,
    at.N_ALIVE: 1024,
    at.N_CLAMPING: 64,
}

_REHASH = {
    at.N_NODES: rehash_nodes,
    at.N_LISTS: rehash_lists,
    at.N_STATES: rehash_states,
    at.N_UNIONS: rehash_unions,
    at.N_MEMORIES: rehash_memories,
    at.N_TEXTS: rehash_texts,
}


_NODE_FIELDS = (
    at.K_PC,
    at.K_LOW,
    at.K_HIGH,
    at.K_PARENTS,
    at.K_MEMORY,
    at.K_CLOSURE,
    at.K_LENGTH,
    at.K_CLAMPED,
    at.K_STATE,
)
_STATE_FIELDS = (
    at.S_OFFSET,
    at.S_LENGTH,
    at.S_CLAMPED,
    at.S_ROW,
    at.S_ROW_START,
    at.S_ROW_COUNT,
)


@cache
def _arrays(words: int) -> tuple[_Array, ...]:
    return (
        _Array(at.S_LIVE, at.N_STATES, 4, "u8"),
        *(_Array(slot, at.N_NODES, 1) for slot in _NODE_FIELDS),
        _Array(at.K_TABLE, at.N_NODES, 2, is_table=True),
        _Array(at.L_OFFSET, at.N_LISTS, 1),
        _Array(at.L_LENGTH, at.N_LISTS, 1),
        _Array(at.L_TABLE, at.N_LISTS, 2, is_table=True),
        _Array(at.L_POOL, at.N_LIST_POOL, 1),
        _Array(at.C_POOL, at.N_CLOSURE, 4),
        *(_Array(slot, at.N_STATES, 1) for slot in _STATE_FIELDS),
        _Array(at.S_NEXT, at.N_STATES, 256),
        _Array(at.S_TABLE, at.N_STATES, 2, is_table=True),
        _Array(at.S_POOL, at.N_THREADS, 4),
        _Array(at.M_DENSE, at.N_DENSE, words),
        _Array(at.M_SPARSE, at.N_SPARSE, 1),
        _Array(at.W_THREADS, at.N_SCRATCH, 4),
        _Array(at.W_STACK, at.N_STACK, 5),
        _Array(at.W_VISITED, at.N_VISITED, 6, is_table=True),
        _Array(at.W_MERGE, at.N_MERGE, 1),
        _Array(at.W_PAIRS, at.N_PAIRS, 2),
        _Array(at.W_ALIVE, at.N_ALIVE, 4),
        _Array(at.W_CLAMPING, at.N_CLAMPING, 1),
        *(_Array(slot, at.N_UNIONS, 1) for slot in (at.U_FIRST, at.U_SECOND, at.U_RESULT)),
        *(_Array(slot, at.N_MEMORIES, 1) for slot in (at.R_SEEN, at.R_TEXT)),
        _Array(at.R_TABLE, at.N_MEMORIES, 2, is_table=True),
        *(_Array(slot, at.N_TEXTS, 1) for slot in (at.T_PARENT, at.T_BYTE)),
        _Array(at.T_TABLE, at.N_TEXTS, 2, is_table=True),
        _Array(at.U_TABLE, at.N_UNIONS, 2, is_table=True),
        _Array(at.S_FLAGS, at.N_STATES, 1, "u1"),
    )


@cache
def _plan(words: int, longest: int) -> tuple[np.ndarray[Any, Any], int]:
    """Byte offsets of all arrays in the first block, by slot, and the size of the block."""
    offsets = np.full(at.G_SLOTS, -1, np.int64)
    size = 0
    for array in _arrays(words):
        offsets[array.slot] = size
        size += _START[array.counter] * array.width * np.dtype(array.kind).itemsize
    for slot, entries in ((at.W_LEVEL, longest + 2), (at.W_TOKENS, at.SPARSE_LIMIT + 2)):
        size = (size + 7) // 8 * 8
        offsets[slot] = size
        size += entries * 4
    return offsets, size


class GrammarMemory:
    """Owns the arrays; `address` is what kernels take."""

    def __init__(self, vocabulary_address: int, words: int, longest: int) -> None:
        offsets, size = _plan(words, longest)
        block = np.zeros(size, np.uint8)
        self.context = offsets + address_of(block)
        self.counts = np.zeros(at.COUNTERS, np.int64)
        self._capacities = np.zeros(at.COUNTERS, np.int64)
        for counter, capacity in _START.items():
            self._capacities[counter] = capacity
        self.context[at.G_VOCABULARY] = vocabulary_address
        self.context[at.G_COUNT] = address_of(self.counts)
        self.context[at.G_CAPACITY] = address_of(self._capacities)
        self.address = address_of(self.context)
        prepare_memories(self.address)
        self._words = words
        self._block = block
        self._offsets = offsets
        self._grown: dict[int, np.ndarray[Any, Any]] = {}
        self.size = size

    def array(self, slot: int) -> np.ndarray[Any, Any]:
        """A view of one array as it is now; growing makes another."""
        found = self._grown.get(slot)
        if found is not None:
            return found
        array = next(a for a in _arrays(self._words) if a.slot == slot)
        start, entries = int(self._offsets[slot]), _START[array.counter] * array.width
        kind = np.dtype(array.kind)
        return self._block[start : start + entries * kind.itemsize].view(kind)

    def grow(self, counter: int) -> None:
        """Double every array of a counter.

        Raises:
            TercetError: the grammar needs more memory than is allowed.
        """
        capacity = 2 * int(self._capacities[counter])
        for array in _arrays(self._words):
            if array.counter != counter:
                continue
            old = self.array(array.slot)
            self.size += 2 * old.nbytes
            if self.size > _LIMIT_BYTES:
                raise TercetError(
                    "the grammar needs too much memory while it is being matched",
                    why=f"its states would take more than {_LIMIT_BYTES >> 30} GiB",
                    hint="simplify its most ambiguous or most counted part",
                )
            new = np.zeros(capacity * array.width, old.dtype)
            if not array.is_table:
                new[: len(old)] = old
            self._grown[array.slot] = new
            self.context[array.slot] = address_of(new)
        self._capacities[counter] = capacity
        if counter == at.N_VISITED:
            self.counts[at.N_VISITED] = 0
        if counter in _REHASH:
            _REHASH[counter](self.address)
