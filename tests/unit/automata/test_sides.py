"""Divisors taken apart, and met with bounds, against machines that keep everything at once."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tercet.automata.chardfa import compile_regex
from tercet.automata.decimals import Span
from tercet.automata.divisors import Divisor
from tercet.automata.mantissas import Shape
from tercet.automata.sides import Decimals, Every, Integers, Kind, explored, spelled

SPANS = [Span.of(), Span.of(1), Span.of(-7, 100), Span.of(Decimal("0.3"), 12, high_open=True)]
SPANS += [Span.of(None, -5, high_open=True), Span.of(0, 0), Span.of(10**19, 10**20)]
STEPS = ["3", "12", "0.01", "0.7", "2.5", "30", "1"]


def kinds(divisor: Divisor) -> list[Kind]:
    return [Integers(), Decimals.of(divisor), Every(Shape.of(divisor.part))]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("span", SPANS, ids=str)
def test_parts_are_the_whole(span: Span, step: str) -> None:
    divisor = Divisor.of(Decimal(step))
    for kind in kinds(divisor):
        exact = divisor.of_wholes() if isinstance(kind, Integers) else divisor
        assert compile_regex(spelled(span, kind, exact)) == compile_regex(
            explored(span, kind, exact)
        )
