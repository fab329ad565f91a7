"""The canonical form of numbers: an interval, a grid, or finitely many values.

Everything is compared by exact decimal value. How numbers are spelled is decided in `scalars`;
the one thing about spelling that is known here is `whole`: written without fraction or exponent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm

_FEW = 1000  # numbers of a grid that are looked at one by one


_AWAY = 12  # multiples on either side that are looked at for a short one


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers in an interval that are multiples of `step`; or of `values`, those that are.

    An `int` among the values is spelled as an integer only, a `Fraction` in every usual way. What
    is a multiple of a step in `off`, or among the values in `without`, is taken out. With
    `digits_only` integers are never spelled otherwise, as in draft 4, where 2.0 isn't one.
    """

    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False
    step: Fraction | None = None
    whole: bool = False
    values: tuple[int | Fraction, ...] | None = None
    off: frozenset[Fraction] = frozenset()
    without: frozenset[Fraction] = frozenset()
    digits_only: bool = False

    @property
    def grid(self) -> Fraction | None:
        """The step, where being whole is a step of 1."""
        return common_step(self.step, Fraction(1)) if self.whole else self.step

    def has(self, value: int | Fraction) -> bool:
        """Whether a value is within the bounds and on the grid."""
        grid = self.grid
        return (
            (self.low is None or value > self.low or (value == self.low and not self.low_open))
            and (
                self.high is None
                or value < self.high
                or (value == self.high and not self.high_open)
            )
            and (grid is None or _is_multiple(value, grid))
            and value not in self.without
            and not any(_is_multiple(value, step) for step in self.off)
        )

    def meet(self, other: Numbers) -> Numbers:
        """The numbers of both, which may be none."""
        if self.values is not None or other.values is not None:
            few, rest = (self, other) if self.values is not None else (other, self)
            known = None if rest.values is None else frozenset(rest.values)
            values = (v for v in few.values or () if (rest.has(v) if known is None else v in known))
            return Numbers(
                values=tuple(values),
                whole=self.whole or other.whole,
                digits_only=self.digits_only or other.digits_only,
            )
        low, low_open = max(self._floor(), other._floor(), key=_tightness)
        high, high_open = min(self._ceiling(), other._ceiling(), key=_tightness_above)
        return Numbers(
            low,
            low_open,
            high,
            high_open,
            common_step(self.step, other.step),
            self.whole or other.whole,
            off=self.off | other.off,
            without=self.without | other.without,
            digits_only=self.digits_only or other.digits_only,
        )

    def complement(self) -> tuple[Numbers, ...]:
        """All other numbers, as alternatives."""
        if self.values is not None:
            return (Numbers(without=frozenset(map(Fraction, self.values))),)
        others = [Numbers(step=step) for step in self.off]
        if self.low is not None:
            others.append(Numbers(high=self.low, high_open=not self.low_open))
        if self.high is not None:
            others.append(Numbers(low=self.high, low_open=not self.high_open))
        if self.grid is not None:
            others.append(Numbers(off=frozenset({self.grid})))
        if self.without:
            others.append(Numbers(values=tuple(sorted(self.without))))
        return tuple(others)

    def _floor(self) -> tuple[Fraction | None, bool]:
        return self.low, self.low_open

    def _ceiling(self) -> tuple[Fraction | None, bool]:
        return self.high, self.high_open

    def why_empty(self) -> str:
        """Why there is no such number, or "" if there is one."""
        if self.values is not None:
            return "" if self.values else "no value of the enum is within the bounds"
        grid = self.grid
        if grid is not None and any(_is_multiple(grid, step) for step in self.off):
            return f"no multiple of {plain(grid)} is left"
        if self.low is None or self.high is None:
            return ""
        low = _bound("minimum", self.low, is_open=self.low_open)
        high = _bound("maximum", self.high, is_open=self.high_open)
        if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
            return f"no number has {low} and {high}"
        if grid is None:
            is_point = self.low == self.high and not self.has(self.low)
            return f"no number has {low} and {high}" if is_point else ""
        first, last = ceil(self.low / grid), floor(self.high / grid)
        first += self.low_open and first * grid == self.low
        last -= self.high_open and last * grid == self.high
        kind = "integer" if self.step is None else f"multiple of {plain(grid)}"
        is_empty = first > last or (
            last - first < _FEW and not any(self.has(n * grid) for n in range(first, last + 1))
        )
        return f"no {kind} has {low} and {high}" if is_empty else ""


ANY_NUMBER = Numbers()
ANY_DIGITS = Numbers(digits_only=True)


def _is_multiple(value: int | Fraction, step: Fraction) -> bool:
    return (Fraction(value) / step).denominator == 1


def as_whole(numbers: Numbers) -> Numbers:
    """The integers among these numbers."""
    if numbers.values is not None:
        values = tuple(value for value in numbers.values if value.denominator == 1)
        return Numbers(values=values, whole=True, digits_only=numbers.digits_only)
    return replace(numbers, whole=True)


def common_step(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    """The step of what is a multiple of both.

    >>> common_step(Fraction(1, 4), Fraction(1, 10))
    Fraction(1, 2)
    """
    if one is None or other is None:
        return other if one is None else one
    # in lowest terms: the lcm of the upper parts by the gcd of the lower
    return Fraction(lcm(one.numerator, other.numerator), gcd(one.denominator, other.denominator))


def has_short(numbers: Numbers) -> bool:
    """Whether one of the numbers nearest to 0 has so few digits that every style can write it.

    Up to 15 digits, it is what a double of it is written as; so must the bounds be, because a
    double near a longer one may lie on its other side.

    >>> has_short(Numbers(low=Fraction(3), high=Fraction(4), low_open=True, high_open=True))
    True
    >>> has_short(Numbers(low=Fraction(10**16)))
    False
    """
    bounds = [bound for bound in (numbers.low, numbers.high) if bound is not None]
    if not all(map(_is_short, bounds)):
        return False
    nearest = min(max(numbers.low or Fraction(0), Fraction(0)), *bounds[-1:], Fraction(10**15))
    units = [numbers.grid] if numbers.grid else [Fraction(1, 10**places) for places in range(4)]
    return any(
        _is_short(value) and numbers.has(value)
        for unit in units
        for value in (unit * (round(nearest / unit) + away) for away in range(-_AWAY, _AWAY + 1))
    )


def _is_short(value: Fraction) -> bool:
    scaled = value * 10**4
    return scaled.denominator == 1 and abs(scaled) < 10**15


def plain(value: Fraction) -> str:
    """A decimal value without exponent, for messages.

    >>> plain(Fraction(5, 4)), plain(Fraction(-3))
    ('1.25', '-3')
    """
    if value.denominator == 1:
        return str(value.numerator)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs((value * 10**places).numerator)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _bound(name: str, value: Fraction, *, is_open: bool) -> str:
    return f"{f'exclusive{name.capitalize()}' if is_open else name} {plain(value)}"


def _tightness(bound: tuple[Fraction | None, bool]) -> tuple[bool, Fraction, bool]:
    return bound[0] is not None, bound[0] or Fraction(0), bound[1]


def _tightness_above(bound: tuple[Fraction | None, bool]) -> tuple[bool, Fraction, bool]:
    return bound[0] is None, bound[0] or Fraction(0), not bound[1]
