"""The terminals of one vocabulary: their automata side by side, and their IN and EXIT tables.

A terminal is compiled once per vocabulary and shared by every grammar that uses it; its tables are
built when a mask first needs them. What IN and EXIT are is said in `kernels/terminals.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tercet.automata.bytedfa import ByteDFA
from tercet.automata.lengths import predecessors
from tercet.automata.lexing import Guard
from tercet.engines.arenas import reserved
from tercet.engines.exclusive import BUSY_ADDRESS
from tercet.engines.insides import Insides
from tercet.engines.tokensets import TokenSets
from tercet.kernels import layout as at
from tercet.kernels.pointers import address_of
from tercet.kernels.terminals import find_exits
from tercet.vocabulary.vocabulary import Vocabulary

_DENSE_FROM = 4096  # tokens in IN: to walk fewer is cheaper than to keep a table
_LIST_BELOW = 512  # a scatter of so many costs about as much as OR-ing a row of 16 KB
_ROOM = 128 << 20  # bytes of tables, from which on new grammars begin with new ones
_START = 1 << 14  # states: address space, of which only what is written to takes memory

Afters = tuple[Guard | None, ...]

_KINDS: dict[int, tuple[str, int]] = {
    at.Q_DELTA: ("i4", 256),
    at.Q_ACCEPT: ("u1", 1),
    at.Q_BOUNDARY: ("u1", 1),
    at.Q_MORE: ("i4", 1),
    at.Q_LIVE: ("u8", 4),
    at.Q_SOFT: ("u8", 4),
    at.Q_LEAST: ("i4", 1),
    at.Q_MOST: ("i4", 1),
    at.Q_OPEN: ("u1", 1),
    at.Q_CLAMP: ("i4", 1),
    at.Q_STATUS: ("u1", 1),
    at.Q_TABLE: ("i8", 1),
    at.Q_TAIL: ("i4", 1),
    at.Q_DEAD: ("u8", 1),
    at.Q_ALIVE: ("u8", 1),
    at.Q_MARK: ("i4", 1),
    at.Q_AFTER: ("i4", 1),
    at.Q_LEAVES: ("i4", 1),
}


class TerminalTables:
    """All terminal automata of a vocabulary; `address` is the vocabulary context kernels take."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        trie = vocabulary.trie
        self.words = (vocabulary.size + 31) // 32
        self.longest = vocabulary.max_token_bytes
        self._sets = TokenSets(vocabulary, self.words)
        self._eos = np.array(sorted(vocabulary.eos), np.int32)
        self._context = np.zeros(at.V_SLOTS, np.int64)
        self.address = address_of(self._context)
        self._kept: list[Any] = [trie, vocabulary.offsets]
        self.size = 0  # bytes, of automata and tables
        pointers: dict[int, np.ndarray[Any, Any]] = {
            at.V_BYTE: trie.byte,
            at.V_SKIP: trie.skip,
            at.V_DEPTH: trie.depth,
            at.V_FIRST: trie.first,
            at.V_TOKEN: trie.token,
            at.V_ROOT: trie.root,
            at.V_DATA: vocabulary.data,
            at.V_OFFSETS: vocabulary.offsets,
            at.V_EOS: self._eos,
            **self._sets.slots,
        }
        for slot, array in pointers.items():
            self._context[slot] = address_of(array)
        self._context[at.V_NODES] = len(trie.byte)
        self._context[at.V_SIZE] = vocabulary.size
        self._context[at.V_WORDS] = self.words
        self._context[at.V_LONGEST] = self.longest
        self._context[at.V_EOS_COUNT] = len(self._eos)
        self._context[at.V_DENSE_FROM] = _DENSE_FROM
        self._context[at.V_BUSY] = BUSY_ADDRESS
        self._arrays: dict[int, np.ndarray[Any, Any]] = {}
        self._count = 0
        self._capacity = 0
        self._starts: dict[tuple[ByteDFA, Afters], int] = {}
        self._guards: dict[Guard | None, int] = {None: 0}
        self._records: dict[int, np.ndarray[Any, Any]] = {}
        self._insides = Insides(self._context)
        self._reserve(_START)

    def start_of(self, dfa: ByteDFA, after: Afters = ()) -> int:
        """The number of the automaton's first state here; added when it is new.

        `after` are the guards that the first states of a lexeme's automaton leave.
        """
        start = self._starts.get((dfa, after))
        if start is None:
            start = self._starts[dfa, after] = self._add(dfa)
            if any(after):
                self._add_guards(dfa, start, after)
        return start

    def array(self, slot: int) -> np.ndarray[Any, Any]:
        """What is known of all states of automata, by their numbers."""
        return self._arrays[slot]

    @property
    def guards(self) -> int:
        """How many guards there are; 0 is none."""
        return len(self._guards)

    def guard(self, number: int) -> Guard | None:
        """A guard by its number."""
        return list(self._guards)[number]

    def _add_guards(self, dfa: ByteDFA, start: int, after: Afters) -> None:
        """Write down what each end leaves; a state from which ends differ is walked."""
        numbers = [self._guards.setdefault(guard, len(self._guards)) for guard in after]
        numbers += [0] * (len(dfa.table) - len(numbers))
        leaves = uniform_ends(dfa.successors, dfa.accept.tolist(), numbers)
        place = slice(start, start + len(numbers))
        self._arrays[at.Q_AFTER][place] = numbers
        self._arrays[at.Q_LEAVES][place] = np.maximum(leaves, 0)
        self._arrays[at.Q_STATUS][place] = np.where(leaves < 0, at.WALKED, at.UNBUILT)

    def _reserve(self, count: int) -> None:
        if count <= self._capacity:
            return
        self._capacity = max(2 * self._capacity, count)
        for slot, (kind, width) in _KINDS.items():
            array = _zeros(self._capacity * width * np.dtype(kind).itemsize).view(kind)
            if self._count:
                array[: self._count * width] = self._arrays[slot][: self._count * width]
            self._arrays[slot] = array
            self._context[slot] = address_of(array)

    def _add(self, dfa: ByteDFA) -> int:
        count = len(dfa.table)
        self.size += 2 * dfa.weight()  # the automaton, and what is written here
        start = self._count
        self._reserve(start + count)
        more = np.ascontiguousarray(dfa.table >= 0)  # [states, 256]
        place = slice(start, start + count)
        put = self._arrays
        put[at.Q_DELTA].reshape(-1, 256)[place] = np.where(more, dfa.table + start, -1)
        put[at.Q_ACCEPT][place] = dfa.accept
        put[at.Q_BOUNDARY][place] = dfa.boundary
        needed = dfa.dmin + dfa.boundary  # characters that a transition into a state commits to
        going_on = np.where(more, needed[dfa.table], at.UNBOUNDED)
        put[at.Q_MORE][place] = going_on.min(axis=1)
        live = np.packbits(more, axis=1, bitorder="little").view("<u8")
        put[at.Q_LIVE].reshape(-1, 4)[place] = live
        soft = np.bitwise_or.reduce(live[dfa.accept], axis=0)
        put[at.Q_SOFT].reshape(-1, 4)[place] = soft
        put[at.Q_LEAST][place] = dfa.dmin
        put[at.Q_MOST][place] = dfa.dmax
        put[at.Q_OPEN][place] = (dfa.dmax >= at.UNBOUNDED).all()
        put[at.Q_CLAMP][place] = self.longest + 1 + int(dfa.dmin.max())
        self._count += count
        return start

    def build(self, q: int) -> None:
        """Find out which tokens stay inside DFA state q."""
        self._insides.run(q)
        record = self._records[q] = np.zeros(at.TABLE_SLOTS, np.int64)
        count = record[at.IN_COUNT] = self._insides.count
        if count < _LIST_BELOW:
            record[at.IN_TOKENS] = self._keep(self._insides.listed()[0])
        else:
            record[at.IN_DENSE] = self._keep(self._insides.row())
        self._arrays[at.Q_TABLE][q] = address_of(record)
        self._arrays[at.Q_STATUS][q] = at.TABLED

    def build_exits(self, q: int, byte: int) -> None:
        """Find out after which tokens' parts before `byte` the terminal of state q can end."""
        count = self._sets.count_endings(byte)
        chars = np.empty(max(count, 1), np.int32)
        if count > 0:
            find_exits(self.address, q, byte, address_of(chars))
        self._records[q][at.EXIT_CHARS + byte] = self._keep(chars)

    def build_costs(self, q: int) -> None:
        """Sort the IN tokens of DFA state q by the least count that allows them."""
        record, limit = self._records[q], int(self._arrays[at.Q_CLAMP][q])
        least = self._insides.run(q)
        if least < 0:
            self._insides.walk(q)
        else:
            record[at.COST_ROW] = self._keep(self._insides.base())
            record[at.COST_LEAST] = least
        tokens, costs = self._insides.listed()
        cost = np.minimum(costs, limit)
        start = np.zeros(limit + 2, np.int32)
        start[1:] = np.cumsum(np.bincount(cost, minlength=limit + 1))
        record[at.COST_TOKENS] = self._keep(tokens[np.argsort(cost, kind="stable")])
        record[at.COST_START], record[at.COST_COUNT] = self._keep(start), limit

    def _keep(self, array: np.ndarray[Any, Any]) -> int:
        self._kept.append(array)
        self.size += array.nbytes
        return address_of(array)


def uniform_ends(
    successors: Sequence[Sequence[int]], accept: Sequence[bool], after: Sequence[int]
) -> NDArray[np.int32]:
    """For each state what all ends that it can reach leave, or -1 where they differ.

    >>> uniform_ends([(1, 2), (), ()], [False, True, True], [0, 7, 7]).tolist()
    [7, 7, 7]
    >>> uniform_ends([(1, 2), (), ()], [False, True, True], [0, 7, 8]).tolist()
    [-1, 7, 8]
    """
    unknown = -2
    found = [left if end else unknown for end, left in zip(accept, after, strict=True)]
    sources = predecessors(successors)
    stack = [state for state, end in enumerate(accept) if end]
    while stack:
        state = stack.pop()
        for source in sources[state]:
            joined = found[state] if found[source] in (unknown, found[state]) else -1
            if joined != found[source]:
                found[source] = joined
                stack.append(source)
    return np.array(found, np.int32)


def _zeros(size: int) -> np.ndarray[Any, Any]:
    try:
        return reserved(size)
    except OSError:
        return np.zeros(size, np.uint8)


_TABLES: WeakKeyDictionary[Vocabulary, TerminalTables] = WeakKeyDictionary()
_TABLES_LOCK = Lock()


def terminal_tables(vocabulary: Vocabulary) -> TerminalTables:
    """The tables of a vocabulary that grammars share.

    Nothing is ever taken out of tables, so when they have grown large the next grammar gets new
    ones. The old ones stay for as long as a grammar uses them.
    """
    with _TABLES_LOCK:
        tables = _TABLES.get(vocabulary)
        if tables is None or tables.size > _ROOM:
            tables = _TABLES[vocabulary] = TerminalTables(vocabulary)
        return tables
