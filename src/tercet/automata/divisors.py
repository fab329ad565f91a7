"""Divisibility of decimals, decided digit by digit from the left.

A `Divisor` knows how a running remainder changes with each digit read; `numerals` keeps one in its
states. Remainders by powers of ten are kept apart from the rest, as counts of zeros at the end, so
that 10,000 needs five of them and not ten thousand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import gcd


@dataclass(frozen=True)
class Divisor:
    """The multiples of `part` times ten to the power `zeros` minus `places`.

    Not both `zeros` and `places` are positive. The default divides everything a machine spells.
    """

    part: int = 1
    zeros: int = 0
    places: int = 1000

    @classmethod
    def of(cls, value: Decimal) -> Divisor:
        """The divisor that is this positive decimal."""
        _, digits, exponent = value.as_tuple()
        part = int("".join(map(str, digits)))
        assert isinstance(exponent, int)
        while part % 10 == 0:
            part, exponent = part // 10, exponent + 1
        return cls(part, max(exponent, 0), max(-exponent, 0))

    @property
    def unit(self) -> Decimal:
        """The divisor as a number."""
        return self.times(1)

    def times(self, factor: int) -> Decimal:
        """A multiple, exactly."""
        return Decimal(f"{factor * self.part}E{self.zeros - self.places}")

    def of_wholes(self) -> Divisor:
        """The divisor of the integers among the multiples."""
        return Divisor(self.part // gcd(self.part, 10**self.places), self.zeros, 0)

    def parted(self) -> tuple[Divisor, int]:
        """The divisor of the twos and fives, and what else has to divide the digits.

        >>> Divisor(12, 0, 2).parted()
        (Divisor(part=4, zeros=0, places=2), 3)
        """
        rest = self.part
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        return replace(self, part=self.part // rest), rest

    # A running remainder is (zeros at the end so far, at most `zeros`; remainder of the digits
    # before them by `part`). Zero counts as having any number of zeros at the end.

    @property
    def start(self) -> tuple[int, int]:
        """The remainder of 0."""
        return self.zeros, 0

    def step(self, remainder: tuple[int, int], digit: str) -> tuple[int, int]:
        """The remainder after one more digit."""
        zeros, rest = remainder
        if digit != "0":
            return 0, (rest * 10 ** (zeros + 1) + int(digit)) % self.part
        return (zeros + 1, rest) if zeros < self.zeros else (zeros, rest * 10 % self.part)

    def divides(self, remainder: tuple[int, int], fraction_digits: int = 0) -> bool:
        """Whether the digits so far, the last few of them after the point, are a multiple."""
        zeros, rest = remainder
        padding = pow(10, self.places - fraction_digits, self.part)
        return zeros == self.zeros and rest * padding % self.part == 0
