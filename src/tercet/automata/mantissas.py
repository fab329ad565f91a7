"""What has been read of a number that may still have an exponent, and what it is compared with.

The records of `everyspelling` and the arithmetic on single digits; which digits may follow which is
decided there.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple


class Shape(NamedTuple):
    """How many digits may stand before an exponent.

    Either `most` with a point behind the first or with none, or `few` with a point anywhere.
    """

    most: int
    few: int

    @classmethod
    def of(cls, part: int) -> Shape:
        """The shape for a divisor with this part."""
        if part == 1:
            return cls(18, 6)
        return cls(8, 4) if part <= 10 else cls(4, 3) if part <= 100 else cls(0, 0)

    def allows(self, whole: int, fraction: int) -> bool:
        """Whether an exponent may follow, now or after more digits."""
        count = whole + max(fraction, 0)
        return count <= (self.most if fraction < 0 or whole == 1 else self.few)


class Zero(NamedTuple):
    """Nothing but zeros read, with so many after the point, or -1 before it."""

    fraction: int


class Mantissa(NamedTuple):
    """Digits read."""

    lead: int  # the power of ten of the first digit that isn't 0
    fraction: int  # digits after the point, or -1 before it
    low: int  # the order of the digits against those of the lower bound: -1, 0 or 1
    high: int
    zeros: int  # at the end, and not part of the remainder
    rest: int  # the remainder of the digits before them
    scientific: bool  # whether an exponent may follow

    @property
    def after_point(self) -> int:
        """How many digits there are after the point."""
        return max(self.fraction, 0)


class Bound(NamedTuple):
    """The digits of a bound without zeros around them, and the power of ten of the first."""

    digits: str
    power: int
    is_open: bool

    @classmethod
    def of(cls, value: Decimal | None, *, is_open: bool) -> Bound | None:
        """A bound above 0; 0 bounds nothing that isn't 0."""
        if not value:
            return None
        digits = "".join(map(str, value.as_tuple().digits)).strip("0")
        return cls(digits, value.adjusted(), is_open)


def order(known: int, char: str, bound: Bound | None, index: int) -> int:
    """The order of digits against those of a bound after one more: -1, 0 or 1."""
    if known or bound is None:
        return known
    expected = bound.digits[index] if index < len(bound.digits) else "0"
    return (char > expected) - (char < expected)


@lru_cache(maxsize=4096)
def least_power(rest: int, part: int) -> int | None:
    """The least power of ten that makes a multiple of `part` of this remainder, if any does."""
    for power in range(part.bit_length() + 1):
        if not rest:
            return power
        rest = rest * 10 % part
    return None
