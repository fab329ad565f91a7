"""Sets of numbers as regular expressions over their decimal spellings, exact by value.

The plain spelling of an integer is ``-?(0|[1-9][0-9]*)``; numbers also have the forms in which
``json.dumps`` writes floats: ``1.5``, ``-0.0``, ``1e-05``, ``1.5e+16``. Values compare as decimals:
0.1 is a tenth, whatever a double makes of it. How digits are read is in `numerals`; which numbers a
schema means is for the frontends.

So that no text goes on for ever, digits are bounded:

* integers: 20 digits, or as many as a bound needs; among numbers only the bound nearer to 0 counts,
  because greater numbers have an exponent;
* with a point: 20 digits before it and 20 after it;
* with an exponent: one digit, up to 16 more after a point, and an exponent below -4 or above 15
  within the range of doubles. Between those, ``json.dumps`` writes no exponent, and nor do we.

With `spelling="any"` a set has every spelling of RFC 8259 instead, ``2.0`` and ``20e-1`` for the
integer 2: at most 20 digits before and 20 after the point; before an exponent, 18 digits with a
point behind the first or with none, or 6 with a point anywhere; exponents from -400 to 400.
Multiples of other numbers than powers of ten have fewer digits before it (`mantissas.Shape`).

Programs read a number with a point or an exponent as a double. Therefore a plain one is only in
the set if the double nearest to it is within the bounds as well: below 5 there is 4.999, but not
4.99999999999999999, which a double takes for 5. ``json.dumps`` never writes one of those. Multiples
are decided on decimals alone: 0.07 is a multiple of 0.01, though not in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from tercet.automata.automaton import explore
from tercet.automata.decimals import Number, Span, decimal_of, number_spellings
from tercet.automata.divisors import Divisor
from tercet.automata.listed import Listed
from tercet.automata.mantissas import Shape
from tercet.automata.regex import Regex, text, union
from tercet.automata.sides import ALPHABET, Decimals, Every, Integers, Kind, signed, spelled
from tercet.errors import GrammarError

_GREATEST_PART = 2000  # of a divisor: its remainders are states, once for every digit
_EASY_PART = 100  # with any bounds of at most 15 digits there are few enough states
_LISTED = 1000

Spelling = Literal["plain", "any"]


@lru_cache(maxsize=1024)
def integer_between(
    lo: int | None = None, hi: int | None = None, *, spelling: Spelling = "plain"
) -> Regex:
    """The spellings of the integers from `lo` to `hi`; None is no bound.

    Without bounds there are up to 20 digits. ``-0`` goes where 0 does.

    >>> from tercet.automata.chardfa import compile_regex
    >>> compile_regex(integer_between(-1, 2)).words(9)
    ['0', '1', '2', '-0', '-1']

    Raises:
        GrammarError: a bound has more than 1,000 digits.
    """
    return _integers(lo, hi, Divisor(), spelling)


@lru_cache(maxsize=1024)
def integer_multiple_of(
    divisor: Number,
    lo: int | None = None,
    hi: int | None = None,
    *,
    spelling: Spelling = "plain",
) -> Regex:
    """The spellings of the multiples of a positive number that are integers.

    The integers among the multiples of 2.5 are those of 5.

    >>> from tercet.automata.chardfa import compile_regex
    >>> compile_regex(integer_multiple_of(2.5, 1, 20)).words(9)
    ['5', '10', '15', '20']

    Raises:
        GrammarError: the divisor isn't positive, or it is above about 1,000 (not counting zeros at
            its end) with more than 1,000 multiples within the bounds.
    """
    return _integers(lo, hi, _divisor_of(divisor).of_wholes(), spelling)


def _integers(lo: int | None, hi: int | None, divisor: Divisor, spelling: Spelling) -> Regex:
    span = Span.of(lo, hi)
    if spelling == "any":
        return _every(span, divisor.of_wholes())
    return _spelled(span, Integers(), divisor)


@lru_cache(maxsize=1024)
def number_between(
    lo: Number | None = None,
    hi: Number | None = None,
    lo_open: bool = False,  # noqa: FBT001, FBT002 - two flags in the order of the bounds
    hi_open: bool = False,  # noqa: FBT001, FBT002
    *,
    spelling: Spelling = "plain",
) -> Regex:
    """The spellings of the numbers between two bounds, each of them part of the set unless open.

    >>> from tercet.automata.chardfa import compile_regex
    >>> accepts = compile_regex(number_between(0, 1, lo_open=True)).accepts
    >>> [text for text in ("0", "1e-05", "0.25", "1.0", "1.5", "1.0e+00") if accepts(text)]
    ['1e-05', '0.25', '1.0']

    Raises:
        GrammarError: a bound is no JSON number, or has more than 1,000 digits.
    """
    return _numbers(Span.of(lo, hi, low_open=lo_open, high_open=hi_open), Divisor(), spelling)


@lru_cache(maxsize=1024)
def number_multiple_of(
    divisor: Number,
    lo: Number | None = None,
    hi: Number | None = None,
    *,
    lo_open: bool = False,
    hi_open: bool = False,
    spelling: Spelling = "plain",
) -> Regex:
    """The spellings of the multiples of a positive number between two bounds.

    Fractions are as long as the divisor's, so that 7.5 and 7.50 are spellings of a multiple of
    0.01 and 7.500 is not; the fraction of an integer is ``.0``. There are exponents for divisors
    below 0.0001 and those of at most 100, zeros at the end and the point not counted.

    Raises:
        GrammarError: the divisor isn't positive, or its digits, taken as an integer without zeros
            at the end, are above about 600 with more than 1,000 multiples within the bounds.
    """
    span = Span.of(lo, hi, low_open=lo_open, high_open=hi_open)
    return _numbers(span, _divisor_of(divisor), spelling)


@lru_cache(maxsize=4096)
def number_regex(value: Number, spelling: Spelling = "plain") -> Regex:
    """The spellings of one number; the plain ones are `number_spellings`.

    >>> from tercet.automata.chardfa import compile_regex
    >>> accepts = compile_regex(number_regex(20, "any")).accepts
    >>> [text for text in ("20", "20.0", "2e1", "200E-01", "2.5e1") if accepts(text)]
    ['20', '20.0', '2e1', '200E-01']

    Raises:
        GrammarError: NaN, an infinity, or more than 1,000 digits.
    """
    if spelling == "any":
        return _every(Span.of(value, value), Divisor())
    return union(*(text(spelled.decode()) for spelled in number_spellings(value)))


@lru_cache(maxsize=64)
def all_spellings(divisor: Number | None = None, *, whole: bool = False) -> Regex:
    """Every text in which ``spelling="any"`` looks for multiples of a divisor.

    Longer texts are in no set. So a complement of a set is only right within this one: what isn't
    a multiple of 7 is ``both(all_spellings(7), negate(number_multiple_of(7, spelling="any")))``.
    """
    found = Divisor() if divisor is None else _divisor_of(divisor)
    shape = Shape.of((found.of_wholes() if whole else found).part)
    return _every(Span.of(), Divisor(), shape)


def is_easy(divisor: Number) -> bool:
    """Whether its multiples have an automaton whatever the bounds, if these have few digits."""
    return _divisor_of(divisor).part <= _EASY_PART


def _every(span: Span, divisor: Divisor, shape: Shape | None = None) -> Regex:
    return _spelled(span, Every(shape or Shape.of(divisor.part)), divisor)


def _numbers(span: Span, divisor: Divisor, spelling: Spelling) -> Regex:
    if spelling == "any":
        return _every(span, divisor)
    return _spelled(span, Decimals.of(divisor), divisor)


def _divisor_of(value: Number) -> Divisor:
    exact = decimal_of(value)
    if exact <= 0:
        raise GrammarError(
            f"there are no multiples of {value}",
            why="a divisor is greater than 0",
            hint="give a positive number",
        )
    return Divisor.of(exact)


def _spelled(span: Span, kind: Kind, divisor: Divisor) -> Regex:
    """Both signs of a span: from digits, or listed where their states are too many."""
    if divisor.part <= _GREATEST_PART:
        with suppress(GrammarError):  # more states than is reasonable
            return spelled(span, kind, divisor)
    texts = {text for value in _multiples(span, divisor) for text in _candidates(value)}
    listed = Listed(tuple(sorted(filter(signed(span, kind, divisor).matches, texts))))
    return explore(listed.start, listed.step, listed.accepts, ALPHABET)


def _multiples(span: Span, divisor: Divisor) -> Iterator[Decimal]:
    """All multiples in a span, where a remainder can't be kept because it has too many values."""
    unit = Fraction(divisor.unit)
    first = -math.inf if span.low is None else math.ceil(Fraction(span.low) / unit)
    last = math.inf if span.high is None else math.floor(Fraction(span.high) / unit)
    if last - first >= _LISTED:
        raise GrammarError(
            f"the multiples of {divisor.unit:f} cannot be told apart from other numbers",
            why=f"reading digits, a remainder by {divisor.part} has to be kept, which takes too "
            f"many states, and the bounds leave more than {_LISTED} multiples to list",
            hint="give closer bounds, or a divisor with fewer digits that aren't zeros at its end",
        )
    for factor in range(int(first), int(last) + 1):
        yield divisor.times(factor)


def _candidates(value: Decimal) -> set[str]:
    """The usual spellings of a value, whatever its kind."""
    found = set(number_spellings(value))
    if value == int(value):
        found |= {*number_spellings(int(value)), b"-0"}
    return {text.decode() for text in found}
