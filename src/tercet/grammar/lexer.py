"""A lexer as part of a grammar: which terminals it knows in which context.

A *context* is where a parser stands when it asks for the next terminal (for LALR, its state): only
the terminals that may come there are looked for (contextual lexing; Van Wyk and Schwerdfeger 2007).
What a lexeme is, once the terminals are given, is `automata.lexing`'s. Engines carry the context,
and the guard that the last lexeme left, along with a text: see `Carry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.lexing import Guard, Lexicon
from tercet.automata.regex import Chars, Regex, repeat


class Carry(NamedTuple):
    """What a lexer knows between two lexemes: where it stands, and what must not follow."""

    context: int
    guard: Guard | None


Rank = tuple[str, ...]  # names of terminals: the longest match wins, of equal ones the first


@dataclass(frozen=True, eq=False)
class Lexer:
    """Terminals by name, and those known in each context, in ranks.

    A match of an earlier rank wins over any of a later one, however long. Context 0 is where a
    text begins. Two lexers are the same only if they are one object.
    """

    terminals: Mapping[str, Regex]
    contexts: tuple[tuple[Rank, ...], ...]
    _lexicons: dict[tuple[tuple[Rank, ...], CharSet], Lexicon] = field(default_factory=dict)

    def names(self, context: int) -> list[str]:
        """The terminals of a context, by their numbers in its lexicon."""
        return [name for rank in self.contexts[context] for name in rank]

    def lexicon(self, context: int, spellable: CharSet = CharSet.ANY) -> Lexicon:
        """The lexer in a context, over characters that can be spelled."""
        key = self.contexts[context], spellable
        if key not in self._lexicons:
            self._lexicons[key] = Lexicon(
                [[self._automaton(name, spellable) for name in rank] for rank in key[0]]
            )
        return self._lexicons[key]

    def number(self, context: int, name: str) -> int:
        """The number of a terminal in the lexicon of a context, or -1."""
        names = self.names(context)
        return names.index(name) if name in names else -1

    def _automaton(self, name: str, spellable: CharSet) -> CharDFA:
        automaton = compile_regex(self.terminals[name])
        if spellable == CharSet.ANY:
            return automaton
        return automaton & compile_regex(repeat(Chars(spellable)))
