"""Lexers, as the reference engine reads them: what a lexeme is, in derivatives.

A lexeme of a terminal is a text that the terminal wins and that the guard before it allows: an
intersection of expressions. While it is read, the expressions of everything that could make a
longer match are derived along, and so is the guard: what is left of both is the guard afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

from tercet.automata.derive import derive
from tercet.automata.regex import (
    ANY_TEXT,
    EMPTY,
    NEVER,
    Chars,
    Regex,
    both,
    concat,
    negate,
    repeat,
    union,
)
from tercet.engines.spelling import spellable_chars
from tercet.grammar.lexer import Lexer


class Lexing(NamedTuple):
    """Between lexemes: the lexer, its context, and the texts that must not follow."""

    lexer: Lexer
    context: int
    guard: Regex = NEVER


class Growing(NamedTuple):
    """Inside a lexeme: what would make a longer match, and what is left of the guard before."""

    longer: Regex
    guard: Regex

    def after(self, cp: int) -> Growing:
        """One character later."""
        return Growing(derive(self.longer, cp), derive(self.guard, cp))

    def left(self) -> Regex:
        """The guard, if the lexeme ends here."""
        return union(both(self.longer, negate(EMPTY)), self.guard)


def lexeme(place: Lexing, name: str, unspellable: frozenset[int]) -> tuple[Regex, Growing] | None:
    """The texts that are read as a terminal in this place, and what grows with them."""
    lexer, ranks = place.lexer, place.lexer.contexts[place.context]
    number = next((number for number, rank in enumerate(ranks) if name in rank), None)
    if number is None:
        return None
    chars = repeat(Chars(spellable_chars("utf8", unspellable)))
    texts = [[both(lexer.terminals[other], chars) for other in rank] for rank in ranks]
    sooner = [other for rank in texts[:number] for other in rank]
    equal, place_in_rank = texts[number], ranks[number].index(name)
    regex = both(
        equal[place_in_rank],
        negate(union(*equal[:place_in_rank])),
        negate(concat(union(*sooner, place.guard), ANY_TEXT)),
    )
    return regex, Growing(union(*sooner, *equal), place.guard)
