"""Lexemes, their ends and guards, against a lexer that is written down in the plainest way."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.lexing import Guard, Lexicon
from tercet.automata.parse import parse

LETTERS = "ab1"
PATTERNS = [
    "a",
    "b",
    "ab",
    "a+",
    "[ab]+",
    "1",
    "1+",
    "aba",
    "b1",
    "a?b1*",
    "(ab)+1",
    "a[ab]*1",
    "abab",
]


def next_lexeme(ranks: list[list[str]], text: str) -> tuple[int, int] | None:
    """The number of the terminal that a lexer reads at the beginning of a text, and its length."""
    first = 0
    for rank in ranks:
        found = [
            (length, -number)
            for number, pattern in enumerate(rank, first)
            for length in range(1, len(text) + 1)
            if re.fullmatch(pattern, text[:length])
        ]
        if found:
            length, number = max(found)
            return -number, length
        first += len(rank)
    return None


def lexed(ranks: list[list[str]], text: str) -> list[tuple[int, int]] | None:
    """All lexemes of a text, or None if the lexer stops before its end."""
    found, at = [], 0
    while at < len(text):
        lexeme = next_lexeme(ranks, text[at:])
        if lexeme is None:
            return None
        found.append((lexeme[0], at + lexeme[1]))
        at += lexeme[1]
    return found


def ways(lexicon: Lexicon, count: int, text: str) -> list[list[tuple[int, int]]]:
    """Every way of cutting a text into lexemes that the guards allow."""
    found = []
    stack: list[tuple[int, Guard | None, list[tuple[int, int]]]] = [(0, None, [])]
    while stack:
        at, guard, lexemes = stack.pop()
        if at == len(text):
            found.append(lexemes)
            continue
        for terminal in range(count):
            lexeme = lexicon.lexeme(terminal, guard)
            state = 0
            for end in range(at, len(text) if lexeme else 0):
                assert lexeme is not None
                state = lexeme.automaton.step(state, ord(text[end]))
                if state < 0:
                    break
                if lexeme.automaton.accept[state]:
                    after = lexeme.after[state]
                    stack.append((end + 1, after, [*lexemes, (terminal, end + 1)]))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_one_way_and_that_of_the_lexer(seed: int) -> None:
    rng = random.Random(seed)
    patterns = rng.sample(PATTERNS, rng.randint(2, 5))
    cut = rng.randint(0, len(patterns))
    ranks = [rank for rank in (patterns[:cut], patterns[cut:]) if rank]
    lexicon = Lexicon([[compile_regex(parse(pattern)) for pattern in rank] for rank in ranks])
    for length in range(7):
        for letters in itertools.product(LETTERS, repeat=length):
            text = "".join(letters)
            wanted = lexed(ranks, text)
            assert ways(lexicon, len(patterns), text) == ([] if wanted is None else [wanted]), text


def test_possible_names_each_terminal_and_what_it_leaves() -> None:
    number, real = (compile_regex(parse(pattern)) for pattern in (r"\d+", r"\d+\.\d+"))
    lexicon = Lexicon([[number, real]])
    found = lexicon.possible(None)
    assert set(found) == {0, 1}
    (after_number,) = found[0]
    assert isinstance(after_number, CharDFA)
    assert [after_number.accepts(text) for text in ("5", ".5", ".", "x")] == [
        True,
        True,
        False,
        False,
    ]


def test_behind_a_guard_some_terminals_are_impossible() -> None:
    lexicon = Lexicon([[compile_regex(parse("a+"))]])
    (guard,) = lexicon.possible(None)[0]
    assert lexicon.lexeme(0, guard) is None
    assert lexicon.possible(guard) == {}
