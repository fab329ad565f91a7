"""The canonical form of arrays: the first items one by one, the rest, and how many there are.

Shares say of how many items something more is true; `contains` is one, and so is "some item does
not match", which is what the complement of `items` comes to. Whether there is such an array, and
which item may come next, is `counting`'s to work out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from tercet.frontends.json_schema.schema import (
    ANY_VALUE,
    NO_VALUE,
    Undecided,
    Value,
    conjunction,
    negation,
)

MOST_SHARES = 6
"""Shares that are counted at once: their combinations are the kinds of items."""

MOST_COUNTS = 5000
"""Combinations of counts, where there are several shares."""

FARTHEST = 100
"""Items ahead that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Share:
    """Of the items from index `start` on, `low` to `high` match `value`."""

    value: Value
    low: int = 1
    high: int | None = None
    start: int = 0


@dataclass(frozen=True, slots=True)
class Arrays:
    """Arrays of `low` to `high` items: `prefix` for the first ones, `rest` for those after.

    No two items of `distinct` arrays are equal.
    """

    prefix: tuple[Value, ...] = ()
    rest: Value = ANY_VALUE
    low: int = 0
    high: int | None = None
    shares: tuple[Share, ...] = ()
    distinct: bool = False

    def item(self, number: int) -> Value:
        """What the item at an index must match, shares aside."""
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
            tuple(dict.fromkeys(self.shares + other.shares)),
            self.distinct or other.distinct,
        ).checked()

    def checked(self) -> Arrays:
        """The same arrays.

        Raises:
            Undecided: too much would have to be counted.
        """
        shares = self.shares
        start = max((len(self.prefix), *(share.start for share in shares)))
        if shares and start > FARTHEST:
            raise Undecided(f"items are told apart up to an index beyond {FARTHEST}", "contains")
        if len(shares) > MOST_SHARES or (
            len(shares) > 1
            and (self.low > FARTHEST or prod(share.low + 1 for share in shares) > MOST_COUNTS)
        ):
            raise Undecided("too many kinds of items would have to be counted at once", "contains")
        return self

    def why_empty(self) -> str:
        """Why no array has these counts, or "" if one may; items are not looked at."""
        if self.high is not None and self.low > self.high:
            return f"minItems {self.low} is more than maxItems {self.high}"
        for share in self.shares:
            if share.high is not None and share.low > share.high:
                return f"minContains {share.low} is more than maxContains {share.high}"
            if self.high is not None and share.low > max(self.high - share.start, 0):
                return f"minContains {share.low} is more than maxItems {self.high}"
        return ""

    def complement(self) -> tuple[Arrays, ...]:
        """All other arrays, as alternatives.

        Raises:
            Undecided: equal items would be asked for.
        """
        if self.distinct:
            raise Undecided("two equal items would have to be asked for", "uniqueItems")
        return tuple(other for other in self._others() if not other.why_empty())

    def _others(self) -> Iterator[Arrays]:
        if self.low:
            yield Arrays(high=self.low - 1)
        if self.high is not None:
            yield Arrays(low=self.high + 1)
        for number, value in enumerate(self.prefix):
            if value:
                yield Arrays((*[ANY_VALUE] * number, negation(value)), low=number + 1)
        length = len(self.prefix)
        if self.rest == NO_VALUE:
            yield Arrays(low=length + 1)
        elif self.rest:
            yield Arrays(low=length + 1, shares=(Share(negation(self.rest), start=length),))
        for share in self.shares:
            if share.low:
                yield Arrays(shares=(Share(share.value, 0, share.low - 1, share.start),))
            if share.high is not None:
                yield Arrays(shares=(Share(share.value, share.high + 1, None, share.start),))

    def inside(self) -> list[Value]:
        """Every value that an item may be asked to match."""
        found = dict.fromkeys((*self.prefix, self.rest))
        for share in self.shares:
            without = ANY_VALUE if share.high is None else negation(share.value)
            parts = share.value, without
            found = dict.fromkeys(conjunction((a, b)) for a in found for b in parts) | found
        return list(found)

    def needed(self) -> list[Value]:
        """What must have an instance for such an array to exist, shares aside."""
        needed = list(self.prefix[: self.low])
        return [*needed, self.rest] if self.low > len(self.prefix) else needed


ANY_ARRAY = Arrays()

Productive = Callable[[Value], bool]
