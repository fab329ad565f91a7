"""Step machines that read the digits of a number without its sign.

Each machine is one spelling: `Whole` (12), `Pointed` (0.25), `Scientific` (1.5e+16). They compare
what they read with two bounds, digit by digit, and keep a remainder, so that a state is a handful
of small integers. `sides` decides which machines a set of numbers needs and with which bounds.
Digits only: nothing here rounds.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Protocol

from tercet.automata.divisors import Divisor
from tercet.automata.listed import DIGITS, Texts

LEAST_DOUBLE = Decimal("5e-324")
FRACTION_DIGITS = 20  # json.dumps(0.00012345678901234567) has as many
MANTISSA_DIGITS = 17
EXPONENTS: tuple[int, ...] = (
    *range(-324, -4),
    *range(16, 309),
)  # where json.dumps writes a float with an exponent


class Machine(Protocol):
    """A spelling as a deterministic automaton; states are opaque."""

    @property
    def start(self) -> Hashable:
        """The state before the first digit."""

    def step(self, state: Any, char: str) -> Hashable | None:
        """The state after one more character, or None."""

    def accepts(self, state: Any) -> bool:
        """Whether a number may end here."""

    @property
    def alike(self) -> dict[str, str]:
        """For each digit the least one that is as good, before an exponent."""


def _compare(order: int, digit: str, expected: str) -> int:
    """The order of what was read against a bound after one more digit: -1, 0 or 1."""
    return order or (digit > expected) - (digit < expected)


def alike(bounds: str, part: int) -> dict[str, str]:
    """For each digit the least one that no digit of a bound and no remainder tells from it.

    >>> "".join(alike("5", 1).values())
    '0111156666'
    """
    found: dict[str, str] = {}
    same: dict[tuple[object, ...], str] = {}
    for char in DIGITS:
        orders = tuple([(char > digit) - (char < digit) for digit in sorted({*bounds, "0"})])
        found[char] = same.setdefault((orders, int(char) % part), char)
    return found


def _at(digits: str, index: int) -> str:
    return digits[index] if index < len(digits) else "0"


def _significand(value: Decimal) -> str:
    """The digits without zeros at the end: "125" for 12.50."""
    return "".join(map(str, value.as_tuple().digits)).rstrip("0")


@dataclass(frozen=True)
class Whole:
    """Integers from `low` to `high` without zeros in front; both bounds are plain digits."""

    low: str
    high: str
    divisor: Divisor

    # state: (digits read, order against low, order against high, remainder)

    @cached_property
    def alike(self) -> dict[str, str]:
        """See `Machine`."""
        return alike(self.low + self.high, self.divisor.part)

    @property
    def start(self) -> Hashable:
        """Nothing read."""
        return 0, 0, 0, self.divisor.start

    def step(self, state: Any, char: str) -> Hashable | None:
        """See `Machine`."""
        count, low, high, remainder = state
        if char not in DIGITS or count == len(self.high) or (count == 1 and remainder is None):
            return None
        low = _compare(low, char, self.low[count]) if count < len(self.low) else 1
        high = _compare(high, char, self.high[count])
        if count == 0 and char == "0":
            return 1, low, high, None  # nothing goes on after a 0
        return count + 1, low, high, self.divisor.step(remainder, char)

    def accepts(self, state: Any) -> bool:
        """See `Machine`."""
        count, low, high, remainder = state
        return (
            (count > len(self.low) or (count == len(self.low) and low >= 0))
            and (count < len(self.high) or (count == len(self.high) and high <= 0))
            and count > 0
            and (remainder is None or self.divisor.divides(remainder))
        )


@dataclass(frozen=True)
class Pointed:
    """Digits, a point and more digits, with a value from `low` to `high`."""

    low: Decimal
    high: Decimal
    divisor: Divisor
    whole_digits: int

    # state: (digits before the point, digits after it or -1 before it, the two orders, remainder)

    @cached_property
    def _low(self) -> tuple[str, str]:
        return _split(self.low)

    @cached_property
    def _high(self) -> tuple[str, str]:
        return _split(self.high)

    @cached_property
    def alike(self) -> dict[str, str]:
        """See `Machine`."""
        return alike("".join(self._low + self._high), self.divisor.part)

    @property
    def start(self) -> Hashable:
        """Nothing read."""
        return 0, -1, 0, 0, self.divisor.start

    def step(self, state: Any, char: str) -> Hashable | None:
        """See `Machine`."""
        count, fraction, *_ = state
        if char == ".":
            return self._point(state) if count and fraction < 0 else None
        if char not in DIGITS:
            return None
        return self._whole(state, char) if fraction < 0 else self._fraction(state, char)

    def _whole(self, state: Any, char: str) -> Hashable | None:
        count, fraction, low, high, remainder = state
        if count in (self.whole_digits, -1):
            return None
        low = _compare(low, char, self._low[0][count]) if count < len(self._low[0]) else 1
        high = _compare(high, char, self._high[0][count]) if count < len(self._high[0]) else 1
        after = -1 if count == 0 and char == "0" else count + 1  # -1: after a 0 only the point
        return after, fraction, low, high, self.divisor.step(remainder, char)

    def _point(self, state: Any) -> Hashable | None:
        count, _, low, high, remainder = state
        count = abs(count)
        low = low if count == len(self._low[0]) else (count > len(self._low[0])) * 2 - 1
        high = high if count == len(self._high[0]) else (count > len(self._high[0])) * 2 - 1
        if low < 0 or high > 0 or not (self.divisor.places or self.divisor.divides(remainder)):
            return None
        # from here on the number of digits before the point no longer matters
        return 0, 0, low, high, remainder if self.divisor.places else self.divisor.start

    def _fraction(self, state: Any, char: str) -> Hashable | None:
        count, fraction, low, high, remainder = state
        places = self.divisor.places
        if fraction == min(max(places, 1), FRACTION_DIGITS) or (fraction >= places and char != "0"):
            return None
        low = _compare(low, char, _at(self._low[1], fraction))
        high = _compare(high, char, _at(self._high[1], fraction))
        if low < 0 or high > 0:
            return None
        remainder = self.divisor.step(remainder, char) if fraction < places else remainder
        return count, fraction + 1, low, high, remainder

    def accepts(self, state: Any) -> bool:
        """See `Machine`."""
        _, fraction, low, _, remainder = state
        read = min(fraction, self.divisor.places)
        missing = low == 0 and fraction < len(self._low[1])  # a digit of the lower bound, not 0
        return fraction > 0 and not missing and self.divisor.divides(remainder, read)


def _split(value: Decimal) -> tuple[str, str]:
    """The digits before the point and after it, without zeros at the end."""
    whole, _, fraction = format(value.copy_abs(), "f").partition(".")
    return whole, fraction.rstrip("0")


@dataclass(frozen=True)
class Scientific:
    """A mantissa from 1 to 9.99 and an exponent, as Python's `repr` writes very large and small."""

    low: Decimal
    high: Decimal
    divisor: Divisor

    # state: (digits read, whether a point was read, the two orders, remainder by the divisor's
    # part), and after the "e" the exponents that may follow, as `Texts`

    @cached_property
    def _low(self) -> str:
        return _significand(self.low)

    @cached_property
    def _high(self) -> str:
        return _significand(self.high)

    @cached_property
    def alike(self) -> dict[str, str]:
        """See `Machine`."""
        return alike(self._low + self._high, self.divisor.part)

    @property
    def start(self) -> Hashable:
        """Nothing read."""
        return 0, False, 0, 0, 0

    def step(self, state: Any, char: str) -> Hashable | None:
        """See `Machine`."""
        if isinstance(state, Texts):
            return state.following.get(char)
        count, pointed, low, high, remainder = state
        if char == "e":
            return self._exponents(state) if count > pointed else None
        if char == "." and count == 1 and not pointed:
            return count, True, low, high, remainder
        if char not in DIGITS or (not pointed and (count or char == "0")):
            return None
        if count == MANTISSA_DIGITS:
            return None
        low = _compare(low, char, _at(self._low, count))
        high = _compare(high, char, _at(self._high, count))
        return count + 1, pointed, low, high, (remainder * 10 + int(char)) % self.divisor.part

    def _exponents(self, state: Any) -> Texts | None:
        count, _, low, high, remainder = state
        below = low < 0 or (low == 0 and count < len(self._low))
        least = self._least_exponent(count - 1, remainder)
        most: int = self.high.adjusted() - (high > 0)
        least = max(self.low.adjusted() + below, least)
        return _exponents_between(least, most)

    def _least_exponent(self, fraction_digits: int, remainder: int) -> int:
        """The least one with which these digits are a multiple; a greater one is as good."""
        for power in range(self.divisor.part.bit_length() + 1):
            if not remainder:
                return self.divisor.zeros + power + fraction_digits - self.divisor.places
            remainder = remainder * 10 % self.divisor.part
        return EXPONENTS[-1] + 1  # no power of ten helps

    def accepts(self, state: Any) -> bool:
        """See `Machine`."""
        return isinstance(state, Texts) and state.is_end


@lru_cache(maxsize=4096)
def _exponents_between(least: int, most: int) -> Texts | None:
    found = tuple([f"{power:+03d}" for power in EXPONENTS if least <= power <= most])
    return Texts(found) if found else None
