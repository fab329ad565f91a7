"""Arrays whose items the engine remembers, so that none comes twice: `Unseen` and `Composite`.

A state only counts how many items are left of each kind. Apart from `distinct`, which says when
this is the way to do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any, NamedTuple

from tercet.frontends.json_schema.arrays import Arrays, Productive
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.comparing import (
    Composed,
    is_endless_array,
    is_endless_object,
)
from tercet.frontends.json_schema.counting import Counting
from tercet.frontends.json_schema.finite import (
    TooMany,
    number_count,
    number_values,
    strings_count,
)
from tercet.frontends.json_schema.members import Members
from tercet.frontends.json_schema.numbers import Numbers
from tercet.frontends.json_schema.schema import Undecided, Value
from tercet.frontends.json_schema.spelling import new_number_node, new_string_node
from tercet.grammar.nodes import Node, lit

CONSTANTS = frozenset({"null", "true", "false"})

MOST = 10_000
"""Numbers that are listed to find out how many there are."""


class Kind(NamedTuple):
    """The items of one kind at a position: what they are written as, and how many there are."""

    name: str
    item: Node | Composed
    most: float


class Remembered:
    """The states of such an array: an index, and how many of each kind have come."""

    remembers = True

    def __init__(self, arrays: Arrays, canonical: Canonical, productive: Productive) -> None:
        if not productive(arrays.rest):
            highs = (high for high in (arrays.high, len(arrays.prefix)) if high is not None)
            arrays = replace(arrays, high=min(highs))
        self._arrays = arrays
        values = [*arrays.prefix, *([arrays.rest] if productive(arrays.rest) else [])]
        self._kinds = [list(_kinds(value, canonical, productive)) for value in values]
        self.start: tuple[int, frozenset[tuple[str, int]]] = (0, frozenset())
        if arrays.prefix:
            self._kinds = list(map(_told_apart, self._kinds))

    @property
    def compared(self) -> list[Value]:
        """The items among which there are arrays and objects."""
        items = (kind.item for kinds in self._kinds for kind in kinds)
        return [item.value for item in items if isinstance(item, Composed)]

    def can_exist(self) -> bool:
        """Whether there is such an array."""
        return self._can_finish(self.start)

    def may_end(self, state: Any) -> bool:
        """Whether the array may end here."""
        return bool(state[0] >= self._arrays.low)

    def options(self, state: Any) -> list[tuple[Node | Composed, Any]]:
        """What the next item may be, and the state after it."""
        (index, used), high = state, self._arrays.high
        if high is not None and index >= high:
            return []
        counts = dict(used)
        found = []
        for name, item, count in self._kinds_at(index):
            come = counts.get(name, 0)
            if come < count:
                more = used if count == inf else frozenset({**counts, name: come + 1}.items())
                after = (self._index(index + 1), more)
                if self._can_finish(after):
                    found.append((item, after))
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
        if self._arrays.prefix:
            return self._can_fill(range(index, self._arrays.low), {name for name, _ in used})
        all_counts = sum(kind.most for kind in self._kinds[-1])
        come = sum(count for _, count in used)
        missing = self._arrays.low - index
        return missing <= 0 or missing <= all_counts - come

    def _can_fill(self, indices: range, taken: set[str]) -> bool:
        """Whether each of some positions can have an item, where constants can't come twice."""
        alike = len(self._arrays.prefix) + len(CONSTANTS)  # more from there on make no difference
        kinds = map(self._kinds_at, indices[: max(alike + 1 - indices.start, 0)])
        few = [kinds for kinds in kinds if all(kind.most == 1 for kind in kinds)]
        if len(few) > len(CONSTANTS):
            return False
        names = ([kind.name for kind in kinds] for kinds in few)
        return any(
            len(taken.union(chosen)) == len(taken) + len(chosen) for chosen in product(*names)
        )


def _told_apart(kinds: list[Kind]) -> list[Kind]:
    """The kinds of one of several positions: constants, those without end, and none that is few.

    Of scalars that are few where another kind has no end, none is counted on.
    """
    if all(kind.most == 1 and kind.name in CONSTANTS for kind in kinds):
        return kinds
    if all(kind.most < inf for kind in kinds):
        raise Undecided("its first items are taken from the same few values", "uniqueItems")
    return [kind if kind.name in CONSTANTS else kind._replace(most=inf) for kind in kinds]


def _kinds(value: Value, canonical: Canonical, productive: Productive) -> Iterator[Kind]:
    """The kinds of items that match a value."""
    form, style = canonical.form(value), canonical.style
    for constant in form.constants:
        name = "null" if constant is None else str(constant).lower()
        yield Kind(name, lit(name), 1)
    if form.strings:
        yield Kind("string", new_string_node(form.strings), _most(strings_count(form.strings)))
    if form.numbers:
        yield Kind(
            "number", new_number_node(form.numbers, style), _most(_number_count(form.numbers))
        )
    arrays = [item for item in form.arrays if Counting(item, productive).can_exist()]
    objects = [(item, Members(item, canonical.keys, productive)) for item in form.objects]
    objects = [(item, members) for item, members in objects if members.start is not None]
    if not all(is_endless_array(item, productive) for item in arrays):
        raise Undecided("arrays among its items may have no room to differ", "uniqueItems")
    if not all(is_endless_object(*item) for item in objects):
        raise Undecided("objects among its items may have no room to differ", "uniqueItems")
    if arrays:
        yield Kind("array", Composed(value, "array"), inf)
    if objects:
        yield Kind("object", Composed(value, "object"), inf)


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
