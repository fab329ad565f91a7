"""Writes the automata that are kept as data: ``python -m tests.unit.automata.storing``."""

from __future__ import annotations

from tercet.automata import stored
from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.decimals import Span
from tercet.automata.divisors import Divisor
from tercet.automata.formats import BUILDERS
from tercet.automata.sides import Decimals, explored

_OF_UNICODE = {"idn-email", "idn-hostname"}  # they differ from one Python to the next


def built() -> dict[str, CharDFA]:
    """Each automaton, from what its language is made of."""
    formats = {
        f"format {name}": compile_regex(build())
        for name, build in BUILDERS.items()
        if name not in _OF_UNICODE
    }
    every_number = explored(Span.of(), Decimals(has_exponents=True), Divisor())
    return {**formats, "number": compile_regex(every_number)}


if __name__ == "__main__":
    with stored.PATH.open("wb") as file:
        stored.write(built(), file)
