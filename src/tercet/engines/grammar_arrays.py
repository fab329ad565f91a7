"""The arrays of a compiled grammar: which there are, what counts their entries, how wide they are.

A table that kernels know by number; where the arrays lie and how they grow is `memory`'s.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tercet.kernels import layout as at


class GrammarArray(NamedTuple):
    """One array; a table is a hash table, which is made anew when it grows."""

    slot: int
    counter: int
    width: int  # entries per counted thing
    kind: str = "i4"
    is_table: bool = False


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
def arrays_of(words: int) -> tuple[GrammarArray, ...]:
    """All arrays of a grammar over a vocabulary of so many words of mask bits."""
    return (
        GrammarArray(at.S_LIVE, at.N_STATES, 4, "u8"),
        *(GrammarArray(slot, at.N_NODES, 1) for slot in _NODE_FIELDS),
        GrammarArray(at.K_TABLE, at.N_NODES, 2, is_table=True),
        GrammarArray(at.L_OFFSET, at.N_LISTS, 1),
        GrammarArray(at.L_LENGTH, at.N_LISTS, 1),
        GrammarArray(at.L_TABLE, at.N_LISTS, 2, is_table=True),
        GrammarArray(at.L_POOL, at.N_LIST_POOL, 1),
        GrammarArray(at.C_POOL, at.N_CLOSURE, 4),
        *(GrammarArray(slot, at.N_STATES, 1) for slot in _STATE_FIELDS),
        GrammarArray(at.S_NEXT, at.N_STATES, 256),
        GrammarArray(at.S_TABLE, at.N_STATES, 2, is_table=True),
        GrammarArray(at.S_POOL, at.N_THREADS, 4),
        GrammarArray(at.M_DENSE, at.N_DENSE, words),
        GrammarArray(at.M_SPARSE, at.N_SPARSE, 1),
        GrammarArray(at.W_THREADS, at.N_SCRATCH, 4),
        GrammarArray(at.W_STACK, at.N_STACK, 5),
        GrammarArray(at.W_VISITED, at.N_VISITED, 6, is_table=True),
        GrammarArray(at.W_MERGE, at.N_MERGE, 1),
        GrammarArray(at.W_PAIRS, at.N_PAIRS, 2),
        GrammarArray(at.W_ALIVE, at.N_ALIVE, 4),
        GrammarArray(at.W_CLAMPING, at.N_CLAMPING, 1),
        *(GrammarArray(slot, at.N_UNIONS, 1) for slot in (at.U_FIRST, at.U_SECOND, at.U_RESULT)),
        *(GrammarArray(slot, at.N_MEMORIES, 1) for slot in (at.R_SEEN, at.R_TEXT)),
        GrammarArray(at.R_TABLE, at.N_MEMORIES, 2, is_table=True),
        *(GrammarArray(slot, at.N_TEXTS, 1) for slot in (at.T_PARENT, at.T_BYTE)),
        GrammarArray(at.T_TABLE, at.N_TEXTS, 2, is_table=True),
        GrammarArray(at.U_TABLE, at.N_UNIONS, 2, is_table=True),
        GrammarArray(at.S_FLAGS, at.N_STATES, 1, "u1"),
    )


def bytes_of(array: GrammarArray, count: int) -> int:
    """How many bytes an array takes for so many things."""
    return count * array.width * np.dtype(array.kind).itemsize


class Spans(NamedTuple):
    """Of each array, as columns: where it starts, bytes per thing and in all, what counts it."""

    start: np.ndarray[Any, Any]
    width: np.ndarray[Any, Any]
    room: np.ndarray[Any, Any]
    counter: np.ndarray[Any, Any]
    is_table: np.ndarray[Any, Any]
    is_cleaned: np.ndarray[Any, Any]


def spans_of(
    arrays: tuple[GrammarArray, ...], offsets: np.ndarray[Any, Any], room: dict[int, int]
) -> Spans:
    """The spans of arrays that start at `offsets` and have `room` for so many things."""
    return Spans(
        np.array([offsets[array.slot] for array in arrays]),
        np.array([bytes_of(array, 1) for array in arrays]),
        np.array([bytes_of(array, room[array.counter]) for array in arrays]),
        np.array([array.counter for array in arrays]),
        np.array([array.is_table for array in arrays]),
        np.array([array.slot != at.M_DENSE for array in arrays]),  # written before they are read
    )
