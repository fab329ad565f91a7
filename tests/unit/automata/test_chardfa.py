"""Canonical automata against `re`, and their algebra against sets of strings."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from tercet import GrammarError
from tercet.automata.chardfa import CharDFA, compile_regex, with_length
from tercet.automata.parse import parse
from tercet.automata.regex import (
    ANY_CHAR,
    ANY_TEXT,
    EMPTY,
    NEVER,
    both,
    chars,
    concat,
    negate,
    repeat,
    text,
    union,
)
from tests.unit.automata.patterns import ALPHABET, ATOMS, TEXTS, pattern
from tests.unit.automata.rounds import equivalence, useful

SHORT = [text for text in TEXTS if len(text) < 3]


def random_dfa(rng: Random) -> CharDFA:
    return compile_regex(parse(pattern(rng, 3, ATOMS)))


def language(dfa: CharDFA) -> set[str]:
    return {text for text in TEXTS if dfa.accepts(text)}


@pytest.mark.parametrize("seed", range(60))
def test_canonical(seed: int) -> None:
    """Minimal, trimmed, reachable, numbered breadth first, classes coarsest and in order."""
    dfa = random_dfa(Random(seed))
    if dfa.is_empty:
        assert dfa == compile_regex(NEVER)
        return
    assert len(set(equivalence(dfa.rows, dfa.accept))) == len(dfa.rows)
    assert all(useful(dfa.rows, dfa.accept))
    seen = list(dict.fromkeys([0, *(t for row in dfa.rows for t in row if t >= 0)]))
    assert seen == list(range(len(dfa.rows)))
    columns = list(zip(*dfa.rows, strict=True))
    assert len(set(columns)) == len(columns)
    assert [c.ranges for c in dfa.classes] == sorted(c.ranges for c in dfa.classes)


@pytest.mark.parametrize("seed", range(60))
def test_algebra(seed: int) -> None:
    rng = Random(seed)
    a, b = random_dfa(rng), random_dfa(rng)
    assert language(a & b) == language(a) & language(b)
    assert language(a | b) == language(a) | language(b)
    assert language(a - b) == language(a) - language(b)
    assert language(~a) == set(TEXTS) - language(a)
    assert ~~a == a
    assert all((~a).classes)
    assert hash(a | b) == hash(b | a)
    assert (a | b).includes(a)
    assert a.includes(b) == ((a | b) == a)


@pytest.mark.parametrize("seed", range(40))
def test_intersections_and_complements_inside(seed: int) -> None:
    rng = Random(seed)
    p, q = (parse(pattern(rng, 2, ATOMS)) for _ in range(2))
    inside = compile_regex(concat(text("a"), both(p, negate(q)), repeat(text("b"))))
    expected = compile_regex(p) - compile_regex(q)
    for word in SHORT:
        parts = (word[:end] for end in range(len(word) + 1) if not word[end:].strip("b"))
        assert inside.accepts("a" + word) == any(expected.accepts(part) for part in parts)


def test_equal_languages_are_equal_values() -> None:
    assert compile_regex(parse("(a|b)*")) == compile_regex(parse("(a*b*)*"))
    assert compile_regex(union(text("a"), EMPTY)) == compile_regex(parse("a?"))
    assert compile_regex(parse("a")) != compile_regex(parse("b"))
    assert compile_regex(both(text("a"), text("b"))) == compile_regex(NEVER)


def test_table_has_one_entry_for_each_target() -> None:
    dfa = compile_regex(parse("[a-z]*(0|9)"))
    assert [[(len(c), t) for c, t in moves] for moves in dfa.table] == [[(2, 1), (26, 0)], []]
    assert dfa.step(0, ord("q")) == 0
    assert dfa.step(0, ord("!")) == -1


@pytest.mark.parametrize(
    ("source", "lengths"),
    [("", (0, 0)), ("a{2,5}b?", (2, 6)), ("a+", (1, None)), ("a|bcd", (1, 3)), ("é*x", (1, None))],
)
def test_lengths(source: str, lengths: tuple[int, int | None]) -> None:
    dfa = compile_regex(parse(source))
    assert dfa.lengths() == lengths
    assert dfa.is_finite == (lengths[1] is not None)


def test_empty_language() -> None:
    dfa = compile_regex(NEVER)
    assert dfa.is_empty
    assert dfa.is_finite
    assert dfa.words(3) == []
    with pytest.raises(GrammarError, match="no lengths"):
        dfa.lengths()
    with pytest.raises(GrammarError, match="no string"):
        dfa.sample(Random(0), 5)


@pytest.mark.parametrize("source", ["[ab]{1,3}", "a*", "(ab|c)*", "b?a", "a{5}|b", "(aa)*"])
def test_words_in_order(source: str) -> None:
    expected = [
        "".join(chars)
        for length in range(6)
        for chars in product("abc", repeat=length)
        if re.fullmatch(source, "".join(chars))
    ]
    assert compile_regex(parse(source)).words(len(expected)) == expected
    assert compile_regex(parse(source)).words(2) == expected[:2]


def test_words_of_a_huge_language() -> None:
    dfa = compile_regex(repeat(ANY_CHAR, 300, 300))
    assert [word[-1] for word in dfa.words(3)] == ["\0", "\x01", "\x02"]


@pytest.mark.parametrize("seed", range(30))
def test_samples(seed: int) -> None:
    rng = Random(seed)
    dfa = random_dfa(rng)
    if not dfa.is_empty and dfa.lengths()[0] <= 4:
        for _ in range(20):
            sample = dfa.sample(rng, 4)
            assert dfa.accepts(sample)
            assert len(sample) <= 4


@pytest.mark.parametrize(("low", "high"), [(0, 2), (1, None), (2, 3), (3, 3)])
def test_with_length(low: int, high: int | None) -> None:
    dfa = compile_regex(parse("(ab|a|é)*"))
    expected = {t for t in language(dfa) if low <= len(t) and (high is None or len(t) <= high)}
    assert language(with_length(dfa, low, high)) == expected


def test_budgets() -> None:
    with pytest.raises(GrammarError, match="more than 100 positions"):
        compile_regex(repeat(chars("ab"), 101, 101), budget=100)
    with pytest.raises(GrammarError, match="more than 100 states"):
        compile_regex(concat(ANY_TEXT, text("a"), repeat(ANY_CHAR, 9, 9)), budget=100)
    with pytest.raises(GrammarError, match="more than 50 states"):
        with_length(compile_regex(parse("(ab|c)*")), 0, 40, budget=50)


def test_alphabet_of_these_tests_has_a_character_of_each_kind() -> None:
    assert [len(char.encode()) for char in ALPHABET] == [1, 1, 1, 1, 1, 2]
