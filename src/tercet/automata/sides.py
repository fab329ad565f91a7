"""Which machines spell the numbers of a span: of integers, of all numbers, or in every spelling.

A divisor is taken apart. What its twos and fives ask for hangs on the point and the exponent, and
the machines know that; for the rest of it, all that counts is the remainder of the digits, whatever
the point and the exponent are. So `spelled` intersects what the machines say with a `_sieve`, which
takes a hundredth of the time of machines that keep that remainder too.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np

from tercet.automata.automaton import explore
from tercet.automata.chardfa import CharDFA, as_regex, canonical, compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.decimals import WHOLE_DIGITS, Span
from tercet.automata.divisors import Divisor
from tercet.automata.everyspelling import EverySpelling
from tercet.automata.glushkov import RawDFA
from tercet.automata.listed import DIGITS, Listed
from tercet.automata.mantissas import Shape
from tercet.automata.numerals import (
    LEAST_DOUBLE,
    Machine,
    Pointed,
    Scientific,
    Whole,
)
from tercet.automata.regex import Regex
from tercet.automata.signs import Signed
from tercet.automata.stored import stored
from tercet.automata.tables import DEAD

ALPHABET = "+-.0123456789e"
_ANY_CASE = (*map(CharSet.of, ALPHABET[:-1]), CharSet.of("eE"))
_SCIENTIFIC_PART = 100
_ANYWHERE = Span.of()


class Integers(NamedTuple):
    """Plain integers."""

    def machines(self, side: Span, divisor: Divisor) -> list[Machine]:
        """The machines for a span from 0 upwards."""
        least, most = side.wholes()
        return [_whole(least, _limit(least) if most is None else most, divisor)]


class Decimals(NamedTuple):
    """Plain integers, numbers with a point, and perhaps numbers with an exponent."""

    has_exponents: bool

    @classmethod
    def of(cls, divisor: Divisor) -> Decimals:
        """A mantissa's remainder is worth its many states only where values need an exponent."""
        return cls(divisor.part <= _SCIENTIFIC_PART or divisor.unit < Decimal("1e-4"))

    def machines(self, side: Span, divisor: Divisor) -> list[Machine]:
        """The machines for a span from 0 upwards."""
        least, most = side.wholes()
        limit = _limit(least)
        found = [_whole(least, limit if most is None else min(most, limit), divisor.of_wholes())]
        low, high = side.doubles()
        if low <= high:
            found.append(Pointed(low, high, divisor, WHOLE_DIGITS))
        if self.has_exponents and max(low, LEAST_DOUBLE) <= high:
            found.append(Scientific(max(low, LEAST_DOUBLE), high, divisor))
        return found


class Every(NamedTuple):
    """Every spelling of a shape."""

    shape: Shape

    def machines(self, side: Span, divisor: Divisor) -> list[Machine]:
        """The machine for a span from 0 upwards."""
        return [EverySpelling(side, divisor, self.shape)]


Kind = Integers | Decimals | Every


def _limit(least: int) -> int:
    """The greatest integer that is spelled where nothing else bounds it."""
    return cast(int, 10 ** max(WHOLE_DIGITS, len(str(least)) + 1)) - 1


def _whole(least: int, most: int, divisor: Divisor) -> Machine:
    return Whole(str(least), str(most), divisor) if least <= most else Listed(())


def signed(span: Span, kind: Kind, divisor: Divisor) -> Signed:
    """The machines of both signs."""
    plus, minus = (
        tuple(kind.machines(side.positive, divisor)) if side.high is None or side.high >= 0 else ()
        for side in (span, span.mirrored)
    )
    return Signed(plus, minus)


def spelled(span: Span, kind: Kind, divisor: Divisor) -> Regex:
    """The multiples of a divisor in a span, in the spellings of a kind.

    Raises:
        GrammarError: more states than is reasonable are needed.
    """
    tens, rest = divisor.parted()
    if span != _ANYWHERE and tens != Divisor() and _is_short(span):
        # bounds and steps are met again, each with others
        within, multiples = _machine(span, kind, Divisor()), _machine(_ANYWHERE, kind, tens)
        found = as_regex(compile_regex(within) & compile_regex(multiples))
    else:
        found = _machine(span, kind, tens)
    return found if rest == 1 else as_regex(compile_regex(found) & _sieve(rest))


def _is_short(span: Span) -> bool:
    """Whether the bounds have no more digits than what is spelled without bounds."""
    bounds = (bound for bound in (span.low, span.high) if bound is not None)
    return all(abs(bound.adjusted()) < WHOLE_DIGITS - 2 for bound in bounds)


def _machine(span: Span, kind: Kind, divisor: Divisor) -> Regex:
    if (span, kind, divisor) == (_ANYWHERE, Decimals(has_exponents=True), Divisor()):
        every_number = stored("number")
        assert every_number is not None
        return as_regex(every_number)
    return explored(span, kind, divisor)


@lru_cache(maxsize=1024)
def explored(span: Span, kind: Kind, divisor: Divisor) -> Regex:
    """What the machines say, step by step."""
    machine = signed(span, kind, divisor)
    classes = _ANY_CASE if isinstance(kind, Every) else ()
    start, step, accepts = machine.start, machine.step, machine.accepts
    return explore(start, step, accepts, ALPHABET, classes, alike=machine.alike)


@lru_cache(maxsize=256)
def _sieve(part: int) -> CharDFA:
    """What has digits, up to an exponent, that are a multiple of `part`; any other characters."""
    rest = np.arange(part + 1, dtype=np.int32)  # the last state is that behind an "e"
    exponent = np.where(rest == 0, part, DEAD)
    digits = [np.where(rest == part, part, (10 * rest + int(digit)) % part) for digit in DIGITS]
    table = np.stack([rest, exponent, *digits], axis=1)
    classes = CharSet.of("+-."), CharSet.of("eE"), *map(CharSet.of, DIGITS)
    return canonical(RawDFA(classes, table, [state in {0, part} for state in range(part + 1)]))
