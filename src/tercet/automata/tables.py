"""Transition tables as arrays: what the kernels of `products` and `refinement` are given.

A table is int32[states, columns] of targets or -1. What a column stands for, `chardfa` and
`bytedfa` know.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tercet.kernels import products, refinement
from tercet.kernels.pointers import address_of

Table = NDArray[np.int32]

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
