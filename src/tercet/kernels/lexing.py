"""Grammars with a lexer: where a lexeme begins and what it leaves, looked up in tables of Python's.

Between two lexemes a text has a *carry*: the lexer's context and what must not follow. Carries are
numbered by Python, which knows lexers; a kernel looks up where one leads and traps once for each
new question. The carry of a thread is the memory of its stack node, negated, so that it is handed
on by what returns, as what has been seen is (`memories`).
"""

from __future__ import annotations

import numpy as np

from tercet.kernels.layout import (
    G_VOCABULARY,
    K_MEMORY,
    Q_AFTER,
    Q_LEAVES,
    TRAP_LEXER,
    UNKNOWN,
    Y_AFTER,
    Y_ASK_AFTER,
    Y_ASK_ENTER,
    Y_ASK_START,
    Y_CARRIES,
    Y_ENTER,
    Y_GUARDS,
    Y_START,
    Y_TERMINALS,
)
from tercet.kernels.memories import without_text
from tercet.kernels.pointers import i32, i64, inner
from tercet.kernels.stacks import set_trap, with_memory


@inner
def look_up(cp, table, width, question, row, column):
    """An entry of one of the lexer's tables; traps while it is unknown."""
    g = i64(cp)
    found = np.int64(i32(g[table])[row * g[width] + column])
    if found != UNKNOWN:
        return found
    return set_trap(cp, TRAP_LEXER, (np.int64(question) << 48) | (np.int64(row) << 24) | column)


@inner
def enter_context(cp, context, carry):
    """The carry in a context, coming with another; or TRAPPED."""
    return look_up(cp, Y_ENTER, Y_CARRIES, Y_ASK_ENTER, context, carry)


@inner
def lexeme_start(cp, memory, terminal):
    """The DFA state in which a lexeme begins, -1 if there can't be one, or TRAPPED."""
    return look_up(cp, Y_START, Y_TERMINALS, Y_ASK_START, -memory, terminal)


@inner
def leave(cp, node, guard):
    """The stack node after a lexeme that leaves a guard (0: none)."""
    memory = np.int64(i32(i64(cp)[K_MEMORY])[node])
    if guard == 0:
        return np.int64(node)
    carry = look_up(cp, Y_AFTER, Y_GUARDS, Y_ASK_AFTER, -memory, guard)
    return carry if carry < 0 else with_memory(cp, node, -carry)


@inner
def after_lexeme(cp, q, node):
    """The stack node after a terminal that ends in DFA state q; others than lexemes change none."""
    guard = np.int64(i32(i64(i64(cp)[G_VOCABULARY])[Q_AFTER])[q])
    return np.int64(node) if guard == 0 else leave(cp, node, guard)


@inner
def following(cp, q, node):
    """The stack node after a terminal now in DFA state q, wherever it ends.

    A text that is being read is not remembered. States with different ends have no table.
    """
    guard = np.int64(i32(i64(i64(cp)[G_VOCABULARY])[Q_LEAVES])[q])
    return without_text(cp, node) if guard == 0 else leave(cp, node, guard)
