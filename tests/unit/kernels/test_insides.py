"""IN found by sets of characters is IN found by a walk; EXIT is what a DFA says of each token."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tercet.automata.bytedfa import ByteDFA
from tercet.automata.parse import parse
from tercet.engines.possible import terminal_automaton
from tercet.engines.terminals import TerminalTables
from tercet.grammar.nodes import Terminal
from tercet.kernels import layout as at
from tercet.vocabulary.vocabulary import Vocabulary
from tests.differential.vocabularies import NAMES, vocabulary

REGEXES = {
    "anything": ".*",
    "no quote": r'[^"\\\x00-\x1f]*',
    "letters": "[a-z]+",
    "identifier": r"[A-Za-z_][A-Za-z0-9_]*",
    "number": r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?",
    "short label": r"[a-z0-9]{1,63}(\.[a-z0-9]{1,63})*",
    "mixed": r"(ab|[^a])*c?",
    "script": "[α-ωа-я一-龥 ]+",
    "cut scripts": "[^é一😀]*",
    "length": "[a-zé]{3,20}",
    "space": r"[ \n\t]*",
}
CASES = [(regex, coding) for regex in REGEXES for coding in ("utf8", "json")]


class Terminals:
    """A terminal in the tables of a vocabulary."""

    def __init__(self, name: str, regex: str, encoding: str) -> None:
        self.vocabulary: Vocabulary = vocabulary(name)
        self.tables = TerminalTables(self.vocabulary)
        terminal = Terminal(parse(REGEXES[regex]), encoding, 0, None, ())
        self.dfa: ByteDFA = terminal_automaton(terminal, self.vocabulary.unspellable)[0]
        self.start = self.tables.start_of(self.dfa)

    def run(self, state: int, token: bytes) -> list[int]:
        """The states after each byte, until there is none."""
        found = []
        for byte in token:
            state = int(self.dfa.table[state, byte])
            if state < 0:
                break
            found.append(state)
        return found


@pytest.fixture(scope="module", params=[(name, *case) for name in NAMES for case in CASES], ids=str)
def terminals(request: pytest.FixtureRequest) -> Terminals:
    return Terminals(*request.param)


def _some_states(terminals: Terminals) -> range:
    count = len(terminals.dfa.table)
    return range(0, count, max(1, count // 12))


def test_inside(terminals: Terminals) -> None:
    """Rows agree, whether or not sets of characters were enough; and so does what each costs."""
    insides = terminals.tables._insides
    for q in _some_states(terminals):
        terminals.tables._context[at.V_DENSE_FROM] = 0
        least = insides.run(terminals.start + q)
        row, base, listed = insides.row(), insides.base(), insides.listed()
        insides.walk(terminals.start + q)
        assert np.array_equal(row, insides.row()), q
        costs = dict(zip(*(part.tolist() for part in insides.listed()), strict=True))
        for token, cost in zip(*(part.tolist() for part in listed), strict=True):
            assert costs[token] == cost
        if least >= 0:
            for token in np.flatnonzero(np.unpackbits(base.view("u1"), bitorder="little"))[::50]:
                text = terminals.vocabulary.bytes_of(int(token)).decode()
                assert costs[token] == len(text) + least


def test_exits(terminals: Terminals) -> None:
    """Each ending of a token has the characters before it, or -1."""
    tables, data = terminals.tables, terminals.vocabulary
    for q in list(_some_states(terminals))[:4]:
        tables.build(terminals.start + q)
        for byte in b'",} 1':
            tables.build_exits(terminals.start + q, byte)
            rest = tables._sets.record(byte)
            count = int(rest[at.REST_COUNT])
            tokens = _ints(rest[at.REST_TOKEN], count)[:: 1 + count // 100]
            before = _ints(rest[at.REST_BEFORE], count)[:: 1 + count // 100]
            record = tables._records[terminals.start + q]
            chars = _ints(record[at.EXIT_CHARS + byte], count)[:: 1 + count // 100]
            for token, length, found in zip(tokens, before, chars, strict=True):
                head = data.bytes_of(int(token))[:length]
                assert data.bytes_of(int(token))[length] == byte
                states = terminals.run(q, head)
                can_end = len(states) == length and terminals.dfa.accept[states[-1]]
                expected = sum(bool(terminals.dfa.boundary[state]) for state in states)
                assert found == (expected if can_end else -1)


def _ints(address: int, count: int) -> np.ndarray:
    if count <= 0:
        return np.zeros(0, np.int32)
    return np.ctypeslib.as_array((ctypes.c_int32 * count).from_address(int(address)))
