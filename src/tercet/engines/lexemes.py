"""The lexers of a program: contexts, carries and lexemes by number, and the tables kernels read.

Kernels ask three questions (`kernels/lexing.py`): what is carried in a context, what is carried
after a lexeme, and where a lexeme begins. Each is answered once, from the lexer's automata, and
written down. Carry 0 is nothing; entries are UNKNOWN until asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.automata.bytedfa import lower
from tercet.automata.charset import CharSet
from tercet.engines.spelling import spellable_chars
from tercet.engines.terminals import TerminalTables
from tercet.grammar.lexer import Carry, Lexer
from tercet.kernels import layout as at
from tercet.kernels.pointers import address_of


class Lexemes:
    """Answers for one program; `slots` are the addresses and widths that kernels read."""

    def __init__(self, tables: TerminalTables, forbidden: frozenset[int]) -> None:
        self._tables = tables
        # all but a byte that no text has: a comparison is cheaper than an automaton
        chars = spellable_chars("utf8", forbidden)
        self._spellable = CharSet.ANY if chars == CharSet.ANY else chars
        self._contexts: dict[tuple[Lexer, int], int] = {}
        self._terminals: dict[tuple[Lexer, str], int] = {}
        self._carries: dict[tuple[Lexer | None, Carry], int] = {(None, Carry(-1, None)): 0}
        self._enter = _unknown(1, 1)
        self._after = _unknown(1, 1)
        self._start = _unknown(1, 1)

    def context(self, lexer: Lexer, number: int) -> int:
        """The number of a context here."""
        return self._contexts.setdefault((lexer, number), len(self._contexts))

    def terminal(self, lexer: Lexer, name: str) -> int:
        """The number of a terminal here."""
        return self._terminals.setdefault((lexer, name), len(self._terminals))

    @property
    def slots(self) -> dict[int, int]:
        """What kernels find in the grammar context, after making room for all numbers."""
        contexts, terminals = len(self._contexts), len(self._terminals)
        carries, guards = len(self._carries), self._tables.guards
        self._enter = _grown(self._enter, contexts, carries)
        self._after = _grown(self._after, carries, guards)
        self._start = _grown(self._start, carries, terminals)
        return {
            at.Y_ENTER: address_of(self._enter),
            at.Y_AFTER: address_of(self._after),
            at.Y_START: address_of(self._start),
            at.Y_CARRIES: self._enter.shape[1],
            at.Y_GUARDS: self._after.shape[1],
            at.Y_TERMINALS: self._start.shape[1],
        }

    def answer(self, asked: int) -> None:
        """Write down the answer to what a kernel trapped for."""
        question, row, column = asked >> 48, asked >> 24 & 0xFFFFFF, asked & 0xFFFFFF
        if question == at.Y_ASK_ENTER:
            self._enter[row, column] = self._entered(row, column)
        elif question == at.Y_ASK_AFTER:
            self._after[row, column] = self._left(column)
        else:
            self._start[row, column] = self._started(row, column)

    def _entered(self, context: int, carry: int) -> int:
        lexer, number = list(self._contexts)[context]
        _, before = list(self._carries)[carry]
        return self._number(lexer, Carry(number, before.guard))

    def _left(self, guard: int) -> int:
        return self._number(None, Carry(-1, self._tables.guard(guard)))

    def _number(self, lexer: Lexer | None, carry: Carry) -> int:
        return self._carries.setdefault((lexer, carry), len(self._carries))

    def _started(self, carry: int, terminal: int) -> int:
        lexer, (context, guard) = list(self._carries)[carry]
        owner, name = list(self._terminals)[terminal]
        if lexer is not owner:
            return -1
        number = lexer.number(context, name)
        lexeme = number >= 0 and lexer.lexicon(context, self._spellable).lexeme(number, guard)
        if not lexeme:
            return -1
        return self._tables.start_of(lower(lexeme.automaton, "utf8"), lexeme.after)


def _unknown(rows: int, columns: int) -> NDArray[Any]:
    return np.full((rows, columns), at.UNKNOWN, np.int32)


def _grown(table: NDArray[Any], rows: int, columns: int) -> NDArray[Any]:
    """The table with room for as many rows and columns, doubled so that it seldom grows."""
    old_rows, old_columns = table.shape
    if rows <= old_rows and columns <= old_columns:
        return table
    larger = _unknown(
        max(rows, 2 * old_rows) if rows > old_rows else old_rows,
        max(columns, 2 * old_columns) if columns > old_columns else old_columns,
    )
    larger[:old_rows, :old_columns] = table
    return larger
