"""Exponents between two bounds, digit by digit: the end of a number such as ``2.5e-07``.

A state after the ``e`` says which exponents may follow. Digits are told apart as little as that
needs, so that the many pairs of bounds of `everyspelling` share their states. An exponent has at
most three digits, after at most two zeros.
"""

from __future__ import annotations

from typing import NamedTuple

GREATEST = 400
_MOST_ZEROS = 2

_Span = tuple[int, int]  # empty if the first is above the second
_NONE: _Span = (1, 0)


class Power(NamedTuple):
    """Behind the ``e``: the exponent is one of `low` to `high`."""

    low: int
    high: int

    @classmethod
    def between(cls, low: int, high: int) -> Power | None:
        """The exponents of a span that are not too large; None if there is none."""
        found = cls(max(low, -GREATEST), min(high, GREATEST))
        return found if found.low <= found.high else None

    def step(self, char: str) -> Magnitude | Digits | None:
        """The state after a sign or a digit."""
        if char == "-":
            return _magnitude(-self.high, -self.low)
        unsigned = _magnitude(self.low, self.high)
        return unsigned if char == "+" or unsigned is None else unsigned.step(char)

    def accepts(self) -> bool:
        """Digits are still to come."""
        return False


class Magnitude(NamedTuple):
    """Behind the sign, and perhaps zeros."""

    low: int
    high: int
    zeros: int

    def step(self, char: str) -> Magnitude | Digits | None:
        """The state after a digit."""
        if not char.isdigit():
            return None
        if char == "0":
            return self._replace(zeros=self.zeros + 1) if self.zeros <= _MOST_ZEROS else None
        digit = int(char)
        return _digits(
            self.low <= digit <= self.high,
            _after(self.low, self.high, digit, 10),
            _after(self.low, self.high, digit, 100),
        )

    def accepts(self) -> bool:
        """Whether the exponent may be 0."""
        return self.zeros > 0 and self.low <= 0


class Digits(NamedTuple):
    """Behind a digit that isn't 0: whether it is enough, and what one or two more may add."""

    enough: bool
    one: _Span
    two: _Span

    def step(self, char: str) -> Digits | None:
        """The state after one more digit."""
        if not char.isdigit():
            return None
        digit = int(char)
        low, high = self.two
        return _digits(self.one[0] <= digit <= self.one[1], _after(low, high, digit, 10), _NONE)

    def accepts(self) -> bool:
        """Whether the exponent may end here."""
        return self.enough


def _magnitude(low: int, high: int) -> Magnitude | None:
    return Magnitude(max(low, 0), high, 0) if high >= 0 else None


def _after(low: int, high: int, digit: int, unit: int) -> _Span:
    """What the digits below a digit may be, where that one counts so many units."""
    span = max(low - digit * unit, 0), min(high - digit * unit, unit - 1)
    return span if span[0] <= span[1] else _NONE


def _digits(enough: bool, one: _Span, two: _Span) -> Digits | None:  # noqa: FBT001 - a field
    return Digits(enough, one, two) if enough or one != _NONE or two != _NONE else None


State = Power | Magnitude | Digits
