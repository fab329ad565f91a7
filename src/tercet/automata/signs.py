"""Numbers with a sign: machines for values from 0 upwards, for either sign.

Apart from `numerals`, whose machines know digits only, and from `numbers`, which chooses them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.exponents import Digits, Magnitude, Power
from tercet.automata.listed import DIGITS, EACH, Texts
from tercet.automata.numerals import Machine

_EXPONENTS = (Texts, Power, Magnitude, Digits)  # states in which every digit counts

SignedState = tuple[str, tuple[Hashable | None, ...]]


class Signed(NamedTuple):
    """The machines of a sign side by side; a state is the sign and the state of each."""

    plus: tuple[Machine, ...]
    minus: tuple[Machine, ...]

    @property
    def start(self) -> SignedState:
        """Nothing read."""
        return "", tuple(machine.start for machine in self.plus)

    def step(self, state: SignedState, char: str) -> SignedState | None:
        """The state after one more character, or None."""
        sign, inner = state
        if char == "-" and not sign:  # elsewhere it is an exponent's, which the machines read
            return char, tuple(machine.start for machine in self.minus)
        machines = self.minus if sign == "-" else self.plus
        after = tuple(
            [one if one is None else m.step(one, char) for m, one in zip(machines, inner)]  # noqa: B905
        )
        if after.count(None) == len(after):
            return None
        return sign or "-+"[self.plus != self.minus], after  # equal sides share their states

    def alike(self, state: SignedState) -> Mapping[str, str]:
        """For each digit the least one that leads to the same state."""
        sign, inner = state
        if any(isinstance(one, _EXPONENTS) for one in inner):
            return EACH
        return _alike(self.minus if sign == "-" else self.plus)

    def accepts(self, state: SignedState) -> bool:
        """Whether a number may end here."""
        sign, inner = state
        machines = self.minus if sign == "-" else self.plus
        return any(
            one is not None and machine.accepts(one)
            for machine, one in zip(machines, inner, strict=True)
        )

    def matches(self, text: str) -> bool:
        """Whether a whole text is in the set."""
        state: SignedState | None = self.start
        for char in text:
            state = self.step(state, char) if state else None
        return state is not None and self.accepts(state)


@lru_cache(maxsize=64)
def _alike(machines: tuple[Machine, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    same: dict[tuple[str, ...], str] = {}
    for digit in DIGITS:
        key = tuple([machine.alike[digit] for machine in machines])
        found[digit] = same.setdefault(key, digit)
    return found
