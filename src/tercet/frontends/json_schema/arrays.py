"""The canonical form of arrays: the first items one by one, the rest, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from tercet.frontends.json_schema.schema import ANY_VALUE, Value


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

    def needed(self) -> list[Value]:
        """What must have an instance for such an array to exist."""
        needed = list(self.prefix[: self.low])
        return [*needed, self.rest] if self.low > len(self.prefix) else needed


ANY_ARRAY = Arrays()
