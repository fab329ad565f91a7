"""Numbers by their exact decimal value: spans between bounds, and the spellings of one value.

A number in a JSON text is a decimal, and is compared as one here; where a program will read a
double, `Span.doubles` says which decimals are safe. `numbers` turns spans into regular expressions.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple, Self

from tercet.errors import GrammarError

Number = int | float | Decimal

WHOLE_DIGITS = 20
GREATEST_DOUBLE = Decimal("1.7976931348623157e+308")
_BOUND_DIGITS = 1000
_ZERO = Decimal(0)


def decimal_of(value: Number) -> Decimal:
    """The exact value of a number as JSON text spells it.

    >>> decimal_of(0.1)
    Decimal('0.1')

    Raises:
        GrammarError: NaN, an infinity, or more than 1,000 digits before or after the point.
    """
    if isinstance(value, int):
        if abs(value) >= 10**_BOUND_DIGITS:
            raise _too_long()
        return Decimal(value)
    exact = Decimal(repr(value)) if isinstance(value, float) else value
    if not exact.is_finite():
        raise GrammarError(f"{value} is not a number that JSON can spell")
    if max(len(exact.as_tuple().digits), abs(exact.adjusted()) + 1) > _BOUND_DIGITS:
        raise _too_long()
    return exact


def _too_long() -> GrammarError:
    return GrammarError(
        "a number is too long to be compared digit by digit",
        why=f"it has more than {_BOUND_DIGITS} digits before or after the point",
        hint="leave the bound out, or give it fewer digits",
    )


class Span(NamedTuple):
    """Everything between two ends; None is no end."""

    low: Decimal | None
    high: Decimal | None
    low_open: bool = False
    high_open: bool = False

    @classmethod
    def of(
        cls,
        low: Number | None = None,
        high: Number | None = None,
        *,
        low_open: bool = False,
        high_open: bool = False,
    ) -> Self:
        """The span between two numbers of any type."""
        low = None if low is None else decimal_of(low)
        return cls(low, None if high is None else decimal_of(high), low_open, high_open)

    @property
    def mirrored(self) -> Span:
        """The span of the negated values."""
        # unary minus would round to the precision of the context
        low = None if self.high is None else self.high.copy_negate()
        high = None if self.low is None else self.low.copy_negate()
        return Span(low, high, self.high_open, self.low_open)

    @property
    def positive(self) -> Span:
        """The part from 0 upwards."""
        if self.low is None or self.low < 0:
            return self._replace(low=_ZERO, low_open=False)
        return self

    def wholes(self) -> tuple[int, int | None]:
        """The least and the greatest integer inside."""
        low, high = self.low or _ZERO, self.high
        least = int(low) + (int(low) < low or (self.low_open and int(low) == low))
        if high is None:
            return least, None
        return least, math.floor(high) - (self.high_open and math.floor(high) == high)

    def doubles(self) -> tuple[Decimal, Decimal]:
        """The least and the greatest decimal that a double within the span is written as."""
        return _least_double(self.low or _ZERO, is_open=self.low_open), self._greatest_double()

    def _greatest_double(self) -> Decimal:
        if self.high is None or self.high > GREATEST_DOUBLE:
            return GREATEST_DOUBLE
        return _least_double(self.high.copy_negate(), is_open=self.high_open).copy_negate()


def _least_double(bound: Decimal, *, is_open: bool) -> Decimal:
    """The least decimal from a bound on which doubles agree is beyond it."""
    near = float(bound)
    if math.isinf(near):
        return bound
    if Decimal(repr(near)) == bound:
        return Decimal(repr(math.nextafter(near, math.inf))) if is_open else bound
    if Decimal(near) < bound or (is_open and Decimal(near) == bound):
        near = math.nextafter(near, math.inf)
    return max(bound, Decimal(repr(near)))


def number_spellings(value: Number) -> tuple[bytes, ...]:
    """The plain spellings of one number, as an enum or a const lists it.

    An integer is spelled in one way. A float or decimal is spelled as ``json.dumps`` would and, if
    it is whole, as an integer too; any number of digits is kept.

    >>> number_spellings(1), number_spellings(1.0), number_spellings(0.00001)
    ((b'1',), (b'1', b'1.0'), (b'1e-05',))
    >>> number_spellings(0.0)
    (b'0', b'0.0', b'-0.0')

    Raises:
        GrammarError: NaN, an infinity, or more than 1,000 digits.
    """
    exact = decimal_of(value)
    if isinstance(value, int):
        return (str(int(value)).encode(),)
    if not exact:
        return b"0", b"0.0", b"-0.0"
    texts = [_written(exact)]
    if exact == int(exact) and exact.adjusted() < WHOLE_DIGITS:
        texts.insert(0, str(int(exact)))
    return tuple(text.encode() for text in texts)


def _written(value: Decimal) -> str:
    """A decimal in the form that `repr` has for floats, with all of its digits."""
    sign = "-" if value < 0 else ""
    digits = "".join(map(str, value.as_tuple().digits)).rstrip("0")
    power = value.adjusted()
    if -5 < power < 16:
        whole, _, fraction = format(value.copy_abs(), "f").partition(".")
        return f"{sign}{whole}.{fraction.rstrip('0') or '0'}"
    mantissa = f"{digits[0]}.{digits[1:]}".rstrip(".")
    return f"{sign}{mantissa}e{power:+03d}"
