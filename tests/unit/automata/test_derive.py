"""Derivatives agree with the automata, which are made another way."""

from __future__ import annotations

from random import Random

import pytest

from tercet import GrammarError
from tercet.automata.automaton import explore
from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.derive import classes, derive, is_empty, nullable
from tercet.automata.parse import parse
from tercet.automata.regex import (
    ANY_CHAR,
    ANY_TEXT,
    NEVER,
    Regex,
    both,
    chars,
    concat,
    negate,
    repeat,
    text,
    union,
)
from tests.unit.automata.patterns import ATOMS, pattern, some_texts

EVEN = explore(0, lambda ones, bit: (ones + int(bit)) % 2, lambda ones: ones == 0, "01")


def accepts(regex: Regex, string: str) -> bool:
    for char in string:
        regex = derive(regex, ord(char))
    return nullable(regex)


def random_regex(rng: Random) -> Regex:
    p, q, r = (parse(pattern(rng, 2, ATOMS)) for _ in range(3))
    return rng.choice(
        [
            p,
            both(p, q),
            both(p, negate(q)),
            concat(negate(p), q),
            union(both(p, q), r),
            repeat(EVEN),
        ]
    )


@pytest.mark.parametrize("seed", range(80))
def test_agrees_with_the_automaton(seed: int) -> None:
    rng = Random(seed)
    regex = random_regex(rng)
    dfa = compile_regex(regex)
    assert is_empty(regex) == dfa.is_empty
    for string in some_texts(rng)[::2]:
        assert accepts(regex, string) == dfa.accepts(string), (regex, string)


@pytest.mark.parametrize("seed", range(40))
def test_one_derivative_for_each_class(seed: int) -> None:
    regex = random_regex(Random(seed))
    found = classes(regex)
    assert CharSet(span for charset in found for span in charset.ranges) is CharSet.ANY
    assert sum(map(len, found)) == len(CharSet.ANY)
    for charset in found:
        first, last = charset.ranges[0][0], charset.ranges[-1][1]
        assert derive(regex, first) is derive(regex, last)


def test_counts_are_not_unrolled() -> None:
    regex = repeat(repeat(text("a"), 1000, 1000), 1000, 1000)
    after = derive(regex, ord("a"))
    assert derive(after, ord("b")) is NEVER
    assert not is_empty(after)


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        (NEVER, True),
        (ANY_TEXT, False),
        (both(text("a"), text("b")), True),
        (both(repeat(chars("a-z"), 3), negate(repeat(ANY_CHAR, 2))), True),
        (negate(ANY_TEXT), True),
        (concat(text("a"), both(text("b"), text("c"))), True),
        (union(both(text("b"), text("c")), text("d")), False),
        (both(EVEN, text("101")), False),
        (both(EVEN, text("100")), True),
    ],
)
def test_emptiness(regex: Regex, expected: bool) -> None:
    assert is_empty(regex) == expected


def test_emptiness_is_bounded() -> None:
    tail = concat(text("a"), repeat(ANY_CHAR, 14, 14))
    undecided = both(concat(ANY_TEXT, tail), concat(ANY_TEXT, text("b"), repeat(ANY_CHAR, 14, 14)))
    with pytest.raises(GrammarError, match="cannot tell"):
        is_empty(undecided)
