"""Transition tables as arrays: what the kernels that do algebra of automata are given.

A table is int32[states, columns] of targets or -1. What a column stands for, `chardfa` and
`bytedfa` know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.kernels import products, refinement
from tercet.kernels import subsets as kernel
from tercet.kernels.pointers import address_of

Table = NDArray[np.int32]
Bits = NDArray[np.uint64]

DEAD = -1


def padded(table: Table) -> Table:
    """With one more state and one more column from where nothing goes on, as index -1 finds."""
    states, width = table.shape
    wider = np.full((states + 1, width + 1), DEAD, np.int32)
    wider[:states, :width] = table
    return wider


def product(left: Table, right: Table, budget: int, *, is_union: bool) -> tuple[Table, Table]:
    """The pairs of states that two tables reach together, and the table of the pairs.

    Both have the same columns, and one more state at the end from where nothing goes on. A pair
    lives while both of its states do, or with `is_union` while one does; the other is then -1.
    Over the budget the table is empty.
    """
    width = left.shape[1]
    capacity = min(len(left) * len(right), budget)
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
    rows = np.empty((capacity + width, width), np.int32)
    pairs = np.empty((2, capacity + width), np.int32)
    lookup = np.zeros(1 << (2 * capacity + 2 * width).bit_length(), np.int32)
    context = np.empty(products.X_SLOTS, np.int64)
    context[:] = (
        address_of(left), len(left) - 1, address_of(right), len(right) - 1, width, is_union,
        capacity, address_of(rows), address_of(pairs[0]), address_of(pairs[1]),
        address_of(lookup), len(lookup) - 1,
    )  # fmt: skip
    count = max(products.product(address_of(context)), 0)
    return pairs[:, :count], rows[:count]


def subsets(
    sets: Bits,
    symbol: Sequence[int],
    members: Sequence[Sequence[int]],
    *,
    budget: int,
    work: int,
) -> tuple[Table, list[bool]]:
    """The table of the sets of positions that are reached from one, and which of them may stop.

    `sets` holds the set to start from and what may follow each position, as `kernels.subsets` reads
    bits; `symbol` the set of characters of each position, `members` the columns of each of those
    sets. Over the budget of states or of work (positions looked at) both are empty.
    """
    words, width = sets.shape[1], 1 + max(map(max, filter(None, members)), default=-1)
    budget = min(budget, 1 << min(len(sets), 62))  # there are no more sets than that
    states = np.empty((budget + width, words), np.uint64)
    states[0] = sets[0]
    rows = np.empty((budget + width, width), np.int32)
    arrays: list[NDArray[Any]] = [
        sets[1:],
        np.array(symbol, np.int32),
        np.cumsum([0, *map(len, members)], dtype=np.int32),
        np.array([column for columns in members for column in columns], np.int32),
        states,
        rows,
        np.zeros(1 << (2 * (budget + width)).bit_length(), np.int32),
        np.zeros((len(members) + width, words), np.uint64),
        np.zeros(len(members) + width, np.int32),
    ]
    follow, symbols, offset, columns, found, table, lookup, behind, met = map(address_of, arrays)
    context = np.empty(kernel.D_SLOTS, np.int64)
    context[:] = (
        follow, words, symbols, len(members), offset, columns, width, budget, found, table, lookup,
        len(arrays[6]) - 1, behind, met, work,
    )  # fmt: skip
    count = max(kernel.subsets(address_of(context)), 0)
    return rows[:count], (states[:count, 0] & np.uint64(1)).astype(np.bool_).tolist()


def minimal(
    table: Table, colours: Sequence[int] | NDArray[np.int32], start: int = 0
) -> tuple[Table, list[int]]:
    """The table of the minimal automaton from a state on, and for each state one that became it.

    States of different colours stay apart, those of odd ones accept. States that can't accept are
    gone, others are numbered breadth first. Both are empty if nothing is accepted.

    >>> table, order = minimal(np.array([[1, 2], [1, -1], [2, -1]], np.int32), [0, 1, 1])
    >>> table.tolist(), order
    ([[1, 1], [1, -1]], [0, 1])
    """
    states, width = table.shape
    table, colour = np.ascontiguousarray(table), np.array(colours, np.int32)
    count = int(colour.max()) + 1
    size = int(np.count_nonzero(table >= 0)) + states + width + count + 1
    scratch = np.empty(refinement.SCRATCH * size, np.int32)
    result, order = np.empty((states, width), np.int32), np.empty(states, np.int32)
    context = np.empty(refinement.Y_SLOTS, np.int64)
    context[:] = (
        address_of(table), states, width, start, address_of(colour), count, address_of(scratch),
        size, address_of(result), address_of(order),
    )  # fmt: skip
    kept = refinement.minimise(address_of(context))
    return result[:kept], order[:kept].tolist()


def distinct_columns(table: Table) -> tuple[list[int], list[int]]:
    """The first of each set of equal columns, and for each column the number of its set."""
    names: dict[bytes, int] = {}
    first: list[int] = []
    numbers = []
    for column, content in enumerate(np.ascontiguousarray(table.T)):
        number = names.setdefault(content.tobytes(), len(names))
        if number == len(first):
            first.append(column)
        numbers.append(number)
    return first, numbers
