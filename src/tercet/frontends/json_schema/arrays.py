"""The canonical form of arrays: the first items one by one, the rest, and how many there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tercet.frontends.json_schema.schema import ANY_VALUE, Undecided, Value


@dataclass(frozen=True, slots=True)
class Arrays:
    """Arrays of `low` to `high` items: `prefix` for the first ones, `rest` for those after."""

    prefix: tuple[Value, ...] = ()
    rest: Value = ANY_VALUE
    low: int = 0
    high: int | None = None

    def item(self, number: int) -> Value:
        """What the item at an index must match."""
        return self.prefix[number] if number < len(self.prefix) else self.rest

    def meet(self, other: Arrays) -> Arrays:
        """The arrays that are in both: intersections of items stay names until they are needed."""
        length = max(len(self.prefix), len(other.prefix))
        highs = [high for high in (self.high, other.high) if high is not None]
        return Arrays(
            tuple(self.item(number) | other.item(number) for number in range(length)),
            self.rest | other.rest,
            max(self.low, other.low),
            min(highs, default=None),
        )

    def why_empty(self) -> str:
        """Why no array has these counts, or "" if one may; items are not looked at."""
        if self.high is not None and self.low > self.high:
            return f"minItems {self.low} is more than maxItems {self.high}"
        return ""

    def complement(self) -> tuple[Arrays, ...]:
        """All other arrays, as alternatives.

        Raises:
            Undecided: an item that must not match would have to be kept in mind.
        """
        if self.rest or any(self.prefix):
            raise Undecided("the complement of arrays with items is not worked out yet")
        others = [Arrays(high=self.low - 1)] if self.low else []
        return (*others, *([] if self.high is None else [Arrays(low=self.high + 1)]))

    def can_exist(self, productive: Callable[[Value], bool]) -> bool:
        """Whether there is such an array, given which values have an instance."""
        return set(map(productive, self.needed())) <= {True}

    def needed(self) -> list[Value]:
        """What must have an instance for such an array to exist."""
        needed = list(self.prefix[: self.low])
        return [*needed, self.rest] if self.low > len(self.prefix) else needed


ANY_ARRAY = Arrays()
