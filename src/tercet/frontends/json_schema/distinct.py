"""Arrays without equal items: `uniqueItems`.

Where the items are few, a state is the set of those that are left. Where they are strings or
numbers, the engine remembers them (`Unseen`), and a state only counts how many are left of each
kind. Other arrays and objects are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from tercet.frontends.json_schema.arrays import Arrays, Productive
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.counting import Counting
from tercet.frontends.json_schema.finite import (
    TooMany,
    listed,
    number_count,
    number_values,
    strings_count,
)
from tercet.frontends.json_schema.forms import Form
from tercet.frontends.json_schema.instances import identity
from tercet.frontends.json_schema.numbers import Numbers
from tercet.frontends.json_schema.schema import Undecided, Value, conjunction
from tercet.frontends.json_schema.spelling import new_number_node, new_string_node
from tercet.frontends.json_schema.style import Style
from tercet.grammar.nodes import Node, lit

FEW = 24
"""Items whose sets are states."""

MOST = 10_000
"""Numbers that are listed to find out how many there are."""


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


class Kind(NamedTuple):
    """The items of one kind at a position: what they are written as, and how many there are."""

    name: str
    node: Node
    most: float


class Remembered:
    """The states of an array of scalars: an index, and how many of each kind have come."""

    remembers = True

    def __init__(self, arrays: Arrays, canonical: Canonical, productive: Productive) -> None:
        if not productive(arrays.rest):
            highs = (high for high in (arrays.high, len(arrays.prefix)) if high is not None)
            arrays = replace(arrays, high=min(highs))
        self._arrays = arrays
        values = [*arrays.prefix, *([arrays.rest] if productive(arrays.rest) else [])]
        self._kinds = [
            list(_kinds(canonical.form(value), productive, canonical.style)) for value in values
        ]
        self.start: tuple[int, frozenset[tuple[str, int]]] = (0, frozenset())
        if arrays.prefix and not all(
            any(kind.most == inf for kind in kinds) and all(kind.most in {1, inf} for kind in kinds)
            for kinds in self._kinds
        ):
            raise Undecided("its first items are taken from the same few values", "uniqueItems")

    def can_exist(self) -> bool:
        """Whether there is such an array."""
        return self._can_finish(self.start)

    def may_end(self, state: Any) -> bool:
        """Whether the array may end here."""
        return bool(state[0] >= self._arrays.low)

    def options(self, state: Any) -> list[tuple[Node, Any]]:
        """What the next item may be, and the state after it."""
        (index, used), high = state, self._arrays.high
        if high is not None and index >= high:
            return []
        counts = dict(used)
        found = []
        for name, node, count in self._kinds_at(index):
            come = counts.get(name, 0)
            if come < count:
                more = used if count == inf else frozenset({**counts, name: come + 1}.items())
                after = (self._index(index + 1), more)
                if self._can_finish(after):
                    found.append((node, after))
        return found

    def left(self, state: Any) -> tuple[int, int | None] | None:
        """How many more items there must and may be, where there is no end of any kind."""
        index, high = state[0], self._arrays.high
        if index < len(self._arrays.prefix) or any(k.most != inf for k in self._kinds_at(index)):
            return None
        return max(self._arrays.low - index, 0), None if high is None else high - index

    def _kinds_at(self, index: int) -> list[Kind]:
        return self._kinds[min(index, len(self._kinds) - 1)]

    def _index(self, index: int) -> int:
        if self._arrays.high is not None:
            return index
        return min(index, max(len(self._arrays.prefix), self._arrays.low))

    def _can_finish(self, state: tuple[int, frozenset[tuple[str, int]]]) -> bool:
        index, used = state[0], state[1]
        all_counts = sum(kind.most for kind in self._kinds[-1])
        come = sum(count for _, count in used)
        missing = self._arrays.low - index
        return missing <= 0 or missing <= all_counts - come


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


def _kinds(form: Form, productive: Productive, style: Style) -> Iterator[Kind]:
    """The kinds of scalars of a form; there must be nothing else."""
    for constant in form.constants:
        name = "null" if constant is None else str(constant).lower()
        yield Kind(name, lit(name), 1)
    if form.strings:
        yield Kind("string", new_string_node(form.strings), _most(strings_count(form.strings)))
    if form.numbers:
        yield Kind(
            "number", new_number_node(form.numbers, style), _most(_number_count(form.numbers))
        )
    if any(Counting(arrays, productive).can_exist() for arrays in form.arrays) or form.objects:
        raise Undecided(
            "arrays and objects among its items would have to be compared", "uniqueItems"
        )


def _most(count: int | None) -> float:
    return inf if count is None else count


def _number_count(alternatives: Sequence[Numbers]) -> int | None:
    counts = [number_count(numbers) for numbers in alternatives]
    if None in counts or len(counts) == 1:
        return None if None in counts else counts[0]
    try:
        return len({value for item in alternatives for value in number_values(item, MOST)})
    except TooMany as error:
        why = "it can't be said how many different numbers there are"
        raise Undecided(why, "uniqueItems") from error
