"""Numbers in every spelling of RFC 8259, compared by their exact value.

``2``, ``2.0``, ``20e-1`` and ``0.02E+2`` are one number. `EverySpelling` reads digits and keeps
what it takes to know, once the exponent is there, whether the value is within bounds and a multiple
of a divisor: the order against each bound, the power of ten of the first digit, the zeros at the
end, and a remainder. Without an exponent there are up to 20 digits before and after the point.

With one there are fewer (`Shape`), because whatever is kept is kept for each count of digits; the
shape depends on the divisor only, so complements have to be taken within `Shape.of` a divisor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tercet.automata import exponents
from tercet.automata.decimals import WHOLE_DIGITS, Span
from tercet.automata.divisors import Divisor
from tercet.automata.exponents import Power
from tercet.automata.mantissas import Bound, Mantissa, Shape, Zero, least_power, order
from tercet.automata.numerals import FRACTION_DIGITS, alike

_DIGITS = "0123456789"


@dataclass(frozen=True)
class EverySpelling:
    """A machine as in `numerals`, for the part of a span from 0 upwards."""

    span: Span
    divisor: Divisor
    shape: Shape

    @cached_property
    def _low(self) -> Bound | None:
        return Bound.of(self.span.low, is_open=self.span.low_open)

    @cached_property
    def _high(self) -> Bound | None:
        return Bound.of(self.span.high, is_open=self.span.high_open)

    @cached_property
    def _is_free(self) -> bool:
        return self.divisor == Divisor()

    @cached_property
    def alike(self) -> dict[str, str]:
        """See `Machine`."""
        bounds = [bound.digits for bound in (self._low, self._high) if bound]
        return alike("".join(bounds), self.divisor.part)

    @cached_property
    def _known(self) -> dict[tuple[Mantissa, str], Mantissa | None]:
        return {}

    @cached_property
    def _has_zero(self) -> bool:
        low, high, low_open, high_open = self.span
        return not (low or low_open) and not (high is not None and high <= 0 and high_open)

    @cached_property
    def _has_more(self) -> bool:
        return self.span.high is None or self.span.high > 0

    @property
    def start(self) -> str:
        """Nothing read."""
        return ""

    def step(self, state: Any, char: str) -> Any:
        """The state after one more character, or None."""
        if isinstance(state, Zero):
            return self._after_zero(state, char)
        if isinstance(state, Mantissa):
            return self._after_digit(state, char)
        if state != "":
            return state.step(char)
        if char == "0":
            return Zero(-1)
        return self._first(char, 0, -1) if char in _DIGITS else None

    def accepts(self, state: Any) -> bool:
        """Whether a number may end here."""
        if state == "":
            return False
        if isinstance(state, Zero):
            return self._has_zero and state.fraction != 0
        if isinstance(state, Mantissa):
            return state.fraction != 0 and self._is_inside(state)
        return bool(state.accepts())

    def _after_zero(self, state: Zero, char: str) -> Any:
        fraction = state.fraction
        if char in "eE":
            may = self._has_zero and fraction and self.shape.allows(1, fraction)
            return Power.between(-exponents.GREATEST, exponents.GREATEST) if may else None
        if char == ".":
            return Zero(0) if fraction < 0 else None
        if char not in _DIGITS or not 0 <= fraction < FRACTION_DIGITS:
            return None
        fraction += 1
        return Zero(fraction) if char == "0" else self._first(char, -fraction, fraction)

    def _first(self, char: str, lead: int, fraction: int) -> Mantissa | None:
        if not self._has_more:
            return None
        state = Mantissa(
            lead, fraction, int(not self._low), -int(not self._high), 0, 0, scientific=True
        )
        return self._settled(self._with_digit(state, char))

    def _after_digit(self, state: Mantissa, char: str) -> Any:
        if char in "eE":
            if not state.scientific or state.fraction == 0:
                return None
            return Power.between(*self._powers(state))
        if char == ".":
            return self._settled(state._replace(fraction=0)) if state.fraction < 0 else None
        if char not in _DIGITS:
            return None
        key = state, self.alike[char]
        if key not in self._known:
            self._known[key] = self._grown(*key)
        return self._known[key]

    def _grown(self, state: Mantissa, char: str) -> Mantissa | None:
        if state.fraction < 0:
            grown = state._replace(lead=state.lead + 1)
            return self._read(grown, char) if grown.lead < WHOLE_DIGITS else None
        grown = state._replace(fraction=state.fraction + 1)
        return self._read(grown, char) if grown.fraction <= FRACTION_DIGITS else None

    def _read(self, state: Mantissa, char: str) -> Mantissa | None:
        if not state.scientific and state.fraction > self.divisor.places:
            return self._settled(state) if char == "0" else None  # zeros behind what divides
        return self._settled(self._with_digit(state, char))

    def _with_digit(self, state: Mantissa, char: str) -> Mantissa:
        index = state.lead + state.after_point
        low = order(state.low, char, self._low, index)
        high = order(state.high, char, self._high, index)
        zeros, rest = state.zeros + 1, state.rest
        if char != "0":
            zeros, rest = 0, (rest * 10**zeros + int(char)) % self.divisor.part
        return state._replace(low=low, high=high, zeros=zeros, rest=rest)

    def _settled(self, state: Mantissa) -> Mantissa | None:
        """Without what can't matter any more, or None if no number goes on from here."""
        whole = state.lead + 1 if state.lead >= 0 else 1
        if state.scientific and self.shape.allows(whole, state.fraction):
            least, most = self._bounds(state, best=True)
            if max(least, self._last(state)) > most:
                return None
            return state._replace(zeros=0, rest=0) if self._is_free else state
        if state.fraction >= 0:
            state = self._placed(state) if state.scientific or not state.fraction else state
            if state.low < 0 or state.high > 0:
                return None
            state = state._replace(lead=0) if state.low and state.high else state
        elif self._high and state.lead > self._high[1]:
            return None
        if self._is_free:
            return state._replace(scientific=False, zeros=0, rest=0)
        return self._folded(state)

    def _placed(self, state: Mantissa) -> Mantissa:
        """With orders of the value itself, once it is known that there is no exponent."""
        low, high = state.low, state.high
        if self._low and state.lead != self._low[1]:
            low = 1 if state.lead > self._low[1] else -1
        if self._high and state.lead != self._high[1]:
            high = 1 if state.lead > self._high[1] else -1
        return state._replace(low=low, high=high)

    def _folded(self, state: Mantissa) -> Mantissa | None:
        """With only the zeros that the divisor asks for, once there is no exponent."""
        zeros, rest = state.zeros, state.rest
        if state.scientific:  # until now
            beyond = max(state.after_point - self.divisor.places, 0)
            if zeros < beyond:
                return None
            zeros -= beyond
        while zeros > self.divisor.zeros:
            zeros, rest = zeros - 1, rest * 10 % self.divisor.part
        return state._replace(scientific=False, zeros=zeros, rest=rest)

    def _bounds(self, state: Mantissa, *, best: bool) -> tuple[int, int]:
        """The exponents with which the digits are between the bounds.

        With `best`, the digits to come may still turn an order.
        """
        least, most = -(1 << 30), 1 << 30
        count = state.lead + 1 + state.after_point
        if self._low:
            digits, power, is_open = self._low
            found = state.low or (-1 if count < len(digits) else 0)
            fits = found > 0 or (found == 0 and not is_open) or (best and not state.low)
            least = power - state.lead + (not fits)
        if self._high:
            digits, power, is_open = self._high
            found = state.high or (-1 if count < len(digits) else 0)
            fits = found < 0 or (found == 0 and not is_open) or (best and not state.high)
            most = power - state.lead - (not fits)
        return least, most

    def _powers(self, state: Mantissa) -> tuple[int, int]:
        """The exponents with which the digits are in the set."""
        least, most = self._bounds(state, best=False)
        if self._is_free:
            return least, most
        power = least_power(state.rest, self.divisor.part)
        if power is None:
            return 1, 0
        return max(least, self._last(state) + power), most

    def _last(self, state: Mantissa) -> int:
        """The least exponent with which the last digit that isn't 0 is one of the divisor's."""
        shift = self.divisor.zeros - self.divisor.places
        return state.after_point + shift - state.zeros

    def _is_inside(self, state: Mantissa) -> bool:
        if state.scientific or state.fraction < 0:
            least, most = self._powers(state)
            return least <= 0 <= most
        if not self._in_order(state):
            return False
        if self._is_free:
            return True
        power = least_power(state.rest, self.divisor.part)
        places = self.divisor.places - min(state.fraction, self.divisor.places)
        return power is not None and power + self.divisor.zeros - state.zeros <= places

    def _in_order(self, state: Mantissa) -> bool:
        least, most = self._bounds(state, best=False)
        return (state.low > 0 or least <= 0) and (state.high < 0 or most >= 0)
