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
    lexer, names = place.lexer, place.lexer.contexts[place.context]
    if name not in names:
        return None
    priority = lexer.priorities.get(name, 0)
    chars = repeat(Chars(spellable_chars("utf8", unspellable)))
    own = {other: both(lexer.terminals[other], chars) for other in names}
    higher = [own[other] for other in names if lexer.priorities.get(other, 0) > priority]
    equal = [other for other in names if lexer.priorities.get(other, 0) == priority]
    earlier = [own[other] for other in equal[: equal.index(name)]]
    regex = both(
        own[name],
        negate(union(*earlier)),
        negate(concat(union(*higher, place.guard), ANY_TEXT)),
    )
    return regex, Growing(union(*higher, *(own[other] for other in equal)), place.guard)
