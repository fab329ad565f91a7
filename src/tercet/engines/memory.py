"""The growing arrays of one compiled grammar, behind one context array of addresses.

Kernels can't allocate: when something doesn't fit they trap, Python doubles the arrays of that
counter here, and the call is repeated. All arrays lie in one arena whose address space has room
for most grammars, so that doubling copies nothing; beyond it an array gets a place of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np

from tercet.engines.arenas import Arenas
from tercet.engines.grammar_arrays import GrammarArray, Spans, arrays_of, bytes_of, spans_of
from tercet.errors import TercetError
from tercet.kernels import layout as at
from tercet.kernels.closures import make_closure
from tercet.kernels.growth import (
    rehash_lists,
    rehash_memories,
    rehash_nodes,
    rehash_states,
    rehash_texts,
    rehash_unions,
)
from tercet.kernels.masks import make_row
from tercet.kernels.memories import prepare_memories
from tercet.kernels.pointers import address_of
from tercet.kernels.states import state_of_threads
from tercet.kernels.steps import make_step

_LIMIT_BYTES = 2 << 30

_SHARED = {
    at.G_MAKE_CLOSURE: make_closure,
    at.G_INTERN_STATE: state_of_threads,
    at.G_MAKE_STEP: make_step,
    at.G_MAKE_ROW: make_row,
}


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

# address space, of which only what is written to takes memory
_RESERVED = {
    **_START,
    at.N_NODES: 1 << 18,
    at.N_LISTS: 1 << 16,
    at.N_LIST_POOL: 1 << 20,
    at.N_CLOSURE: 1 << 20,
    at.N_STATES: 1 << 17,
    at.N_THREADS: 1 << 21,
    at.N_DENSE: at.DENSE_LIMIT,
    at.N_SPARSE: 1 << 22,
    at.N_UNIONS: 1 << 16,
    at.N_MEMORIES: 1 << 16,
    at.N_TEXTS: 1 << 16,
}

_REHASH = {
    at.N_NODES: rehash_nodes,
    at.N_LISTS: rehash_lists,
    at.N_STATES: rehash_states,
    at.N_UNIONS: rehash_unions,
    at.N_MEMORIES: rehash_memories,
    at.N_TEXTS: rehash_texts,
}


class _Plan(NamedTuple):
    """Where everything lies in an arena; `spans` says the same by array, to clean it quickly."""

    arrays: tuple[GrammarArray, ...]
    offsets: np.ndarray[Any, Any]  # by slot
    room: dict[int, int]  # by counter
    capacities: np.ndarray[Any, Any]  # by counter, at first
    size: int  # bytes that count as used at first
    spans: Spans
    arenas: Arenas


@cache
def _plan(words: int, longest: int, *, roomy: bool) -> _Plan:
    """The plan for a vocabulary; not `roomy` where the system promises no more than is used."""
    room = _RESERVED if roomy else _START
    arrays = arrays_of(words)
    offsets, size = np.full(at.G_SLOTS, -1, np.int64), 0
    for array in arrays:
        offsets[array.slot] = size
        size += _aligned(room[array.counter] * array.width * np.dtype(array.kind).itemsize)
    for slot, entries in ((at.W_LEVEL, longest + 2), (at.W_TOKENS, at.SPARSE_LIMIT + 2)):
        offsets[slot] = size
        size += _aligned(entries * 4)
    capacities = np.zeros(at.COUNTERS, np.int64)
    for counter, capacity in _START.items():
        capacities[counter] = capacity
    used = sum(bytes_of(array, _START[array.counter]) for array in arrays)
    spans = spans_of(arrays, offsets, room)
    return _Plan(arrays, offsets, room, capacities, used, spans, Arenas(size))


def _aligned(size: int) -> int:
    return (size + 63) // 64 * 64


class GrammarMemory:
    """Owns the arrays; `address` is what kernels take."""

    def __init__(self, vocabulary_address: int, words: int, longest: int) -> None:
        self._plan, arena = _taken(words, longest)
        self.context = self._plan.offsets + address_of(arena)
        self.counts = np.zeros(at.COUNTERS, np.int64)
        self._capacities = self._plan.capacities.copy()
        self.context[at.G_VOCABULARY] = vocabulary_address
        self.context[at.G_COUNT] = address_of(self.counts)
        self.context[at.G_CAPACITY] = address_of(self._capacities)
        for slot, code in _SHARED.items():
            self.context[slot] = code.address
        self.address = address_of(self.context)
        self._arena = arena
        self._grown: dict[int, np.ndarray[Any, Any]] = {}
        self.size = self._plan.size
        finalize(self, _recycle, self._plan, arena, self.counts, self._capacities).atexit = False
        prepare_memories(self.address)

    def array(self, slot: int) -> np.ndarray[Any, Any]:
        """A view of all there is room for; growing beyond it makes another."""
        found = self._grown.get(slot)
        if found is not None:
            return found
        array = next(a for a in self._plan.arrays if a.slot == slot)
        start = int(self._plan.offsets[slot])
        end = start + bytes_of(array, self._plan.room[array.counter])
        return self._arena[start:end].view(array.kind)

    def grow(self, counter: int) -> None:
        """Double every array of a counter.

        Raises:
            TercetError: the grammar needs more memory than is allowed.
        """
        old = int(self._capacities[counter])
        changed = [array for array in self._plan.arrays if array.counter == counter]
        self.size += sum(bytes_of(array, old) for array in changed)
        if self.size > _LIMIT_BYTES:
            raise TercetError(
                "the grammar needs too much memory while it is being matched",
                why=f"its states would take more than {_LIMIT_BYTES >> 30} GiB",
                hint="simplify its most ambiguous or most counted part",
            )
        for array in changed:
            if 2 * old > self._plan.room[counter]:
                self._move(array, old)
            elif array.is_table:
                self.array(array.slot)[: old * array.width] = 0
        self._capacities[counter] = 2 * old
        if counter == at.N_VISITED:
            self.counts[at.N_VISITED] = 0
        if counter in _REHASH:
            _REHASH[counter](self.address)

    def _move(self, array: GrammarArray, old: int) -> None:
        """Give an array that has `old` things a place of its own with room for twice as many."""
        new = np.zeros(2 * old * array.width, array.kind)
        if not array.is_table:
            new[: old * array.width] = self.array(array.slot)[: old * array.width]
        self._grown[array.slot] = new
        self.context[array.slot] = address_of(new)


def _taken(words: int, longest: int) -> tuple[_Plan, np.ndarray[Any, Any]]:
    plan = _plan(words, longest, roomy=True)
    try:
        return plan, plan.arenas.take()
    except OSError:
        plan = _plan(words, longest, roomy=False)
        return plan, plan.arenas.take()


def _recycle(
    plan: _Plan,
    arena: np.ndarray[Any, Any],
    counts: np.ndarray[Any, Any],
    capacities: np.ndarray[Any, Any],
) -> None:
    """Give an arena back with all that was used of it."""
    spans = plan.spans
    things = np.where(spans.is_table, capacities[spans.counter], counts[spans.counter])
    used = np.minimum(things * spans.width, spans.room)
    is_cleaned = spans.is_cleaned & (used > 0)
    starts = spans.start[is_cleaned]
    cleaned = zip(starts.tolist(), (starts + used[is_cleaned]).tolist(), strict=True)
    plan.arenas.give_back(arena, cleaned, int(used.sum()))
