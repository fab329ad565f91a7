"""Arrays without equal items: `uniqueItems`.

Where the items are few, a state is the set of those that are left. Else the engine remembers them
(`remembered`).
"""

from __future__ import annotations

from typing import Any

from tercet.frontends.json_schema.arrays import Arrays, Productive
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.counting import Counting
from tercet.frontends.json_schema.finite import (
    TooMany,
    listed,
)
from tercet.frontends.json_schema.instances import identity
from tercet.frontends.json_schema.remembered import Remembered
from tercet.frontends.json_schema.schema import Undecided, Value, conjunction

FEW = 24
"""Items whose sets are states."""


class Few:
    """The states of an array whose items are few: which have come, as bits."""

    remembers = False
    start = 0

    def __init__(self, arrays: Arrays, canonical: Canonical, productive: Productive) -> None:
        self._arrays = arrays
        self._productive = productive
        self._canonical = canonical
        self._numbers: dict[Any, int] = {}
        self._positions = [self._listed(value) for value in (*arrays.prefix, arrays.rest)]

    def _listed(self, value: Value) -> dict[int, Value]:
        """The items that a position allows, by number."""
        found: dict[int, Value] = {}
        if not self._productive(value):
            return found
        for item in listed(value, self._canonical, FEW):
            number = self._numbers.setdefault(identity(item), len(self._numbers))
            found[number] = conjunction((value, self._canonical.constant(item)))
        return found

    def can_exist(self) -> bool:
        """Whether there is such an array."""
        return self._can_finish(self.start)

    def may_end(self, state: int) -> bool:
        """Whether the array may end here."""
        return state.bit_count() >= self._arrays.low

    def options(self, state: int) -> list[tuple[Value, int]]:
        """What the next item may be, and the state after it."""
        index, high = state.bit_count(), self._arrays.high
        if high is not None and index >= high:
            return []
        return [
            (item, state | 1 << number)
            for number, item in self._position(index).items()
            if not state >> number & 1 and self._can_finish(state | 1 << number)
        ]

    def left(self, _: int) -> None:
        """Never is only the number of items open."""

    def _position(self, index: int) -> dict[int, Value]:
        return self._positions[min(index, len(self._positions) - 1)]

    def _can_finish(self, state: int) -> bool:
        """Whether each position up to the least length can have an item of its own."""
        owners: dict[int, int] = {}
        index, low = state.bit_count(), self._arrays.low
        if low - index > len(self._numbers):
            return False
        return all(self._place(position, state, owners, set()) for position in range(index, low))

    def _place(self, position: int, state: int, owners: dict[int, int], tried: set[int]) -> bool:
        for number in self._position(position):
            if state >> number & 1 or number in tried:
                continue
            tried.add(number)
            owner = owners.get(number)
            if owner is None or self._place(owner, state, owners, tried):
                owners[number] = position
                return True
        return False


def plan_of(
    arrays: Arrays, canonical: Canonical, productive: Productive
) -> Counting | Few | Remembered:
    """The states of an array.

    Raises:
        Undecided: its items can't be told from each other.
    """
    if not arrays.distinct:
        return Counting(arrays, productive)
    if arrays.shares:
        raise Undecided("items are counted as well as compared", "uniqueItems")
    try:
        return Few(arrays, canonical, productive)
    except TooMany:
        return Remembered(arrays, canonical, productive)
