"""Deterministic automata over characters, always in canonical form, and their algebra.

Canonical means minimal, trimmed (every state can accept), with the coarsest character classes in
the order of their least character, and states numbered breadth first. Equal languages are
therefore equal values: `==` decides language equality, and automata key tables. Bytes: `bytedfa`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from weakref import WeakKeyDictionary

import numpy as np

from tercet.automata import enumeration
from tercet.automata.automaton import Automaton
from tercet.automata.automaton import Table as StepTable
from tercet.automata.canonical import canonical_form, joined
from tercet.automata.charset import CharSet, partition
from tercet.automata.glushkov import (
    Fragment,
    RawDFA,
    determinize,
    fragment,
    fragment_of,
    over_budget,
)
from tercet.automata.lengths import UNBOUNDED, greatest, least
from tercet.automata.regex import ANY_CHAR, NEVER, And, Not, Regex, postorder, repeat
from tercet.automata.tables import DEAD, Table, padded, product
from tercet.errors import GrammarError

BUDGET = 20_000


@dataclass(frozen=True, eq=False)
class CharDFA:
    """A regular language over characters; build with `compile_regex` and the operators.

    `array[state, class_number]` is the next state or -1; the start is state 0. Only the empty
    language has a state that can't accept, its only one.

    >>> from tercet.automata.regex import chars, repeat, text, union
    >>> compile_regex(repeat(union(text("a"), text("b")))) == compile_regex(repeat(chars("ab")))
    True
    """

    classes: tuple[CharSet, ...]
    array: Table
    accept: tuple[bool, ...]
    start = 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CharDFA):
            return NotImplemented
        return self is other or self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _key(self) -> tuple[tuple[CharSet, ...], bytes, tuple[bool, ...]]:
        return self.classes, self.array.tobytes(), self.accept

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The array as tuples."""
        return tuple(map(tuple, self.array.tolist()))

    @cached_property
    def _lookup(self) -> tuple[list[int], list[int]]:
        """The first code point of each range, ascending, and the class from there on."""
        ranges = sorted(
            (low, high, number)
            for number, charset in enumerate(self.classes)
            for low, high in charset.ranges
        )
        starts, numbers = [0], [DEAD]
        for low, high, number in ranges:
            starts += low, high + 1
            numbers += number, DEAD
        return starts, numbers

    @cached_property
    def table(self) -> tuple[tuple[tuple[CharSet, int], ...], ...]:
        """For each state the characters to each target, targets in the order of least character."""
        return tuple(self._merged(row) for row in self.rows)

    def _merged(self, row: tuple[int, ...]) -> tuple[tuple[CharSet, int], ...]:
        targets: dict[int, int] = {}
        groups = [t if t == DEAD else targets.setdefault(t, len(targets)) for t in row]
        return tuple(zip(joined(self.classes, tuple(groups)), targets, strict=True))

    @property
    def is_empty(self) -> bool:
        """Whether no string is accepted."""
        return not any(self.accept)

    def class_of(self, code_point: int) -> int:
        """The number of the class with this character, or -1."""
        starts, numbers = self._lookup
        return numbers[bisect_right(starts, code_point) - 1]

    def step(self, state: int, code_point: int) -> int:
        """The state after one more character, or -1."""
        number = self.class_of(code_point)
        return DEAD if number == DEAD else self.rows[state][number]

    def accepts(self, text: str) -> bool:
        """Whether the string is in the language."""
        state = 0
        for char in text:
            state = self.step(state, ord(char))
            if state == DEAD:
                return False
        return self.accept[state]

    def includes(self, other: CharDFA) -> bool:
        """Whether every string of `other` is in this language too."""
        return (other - self).is_empty

    @cached_property
    def _lengths(self) -> tuple[int, int | None]:
        cost = [True] * len(self.rows)
        shortest = least(self.rows, self.accept, cost)[0]
        longest = greatest(self.rows, self.accept, cost)[0]
        return shortest, None if longest >= UNBOUNDED else longest

    def lengths(self) -> tuple[int, int | None]:
        """The least and the greatest number of characters (None: without bound).

        Raises:
            GrammarError: the language is empty.
        """
        if self.is_empty:
            raise GrammarError("an empty language has no lengths", why="no string is accepted")
        return self._lengths

    @property
    def is_finite(self) -> bool:
        """Whether the language has finitely many strings."""
        return self.is_empty or self._lengths[1] is not None

    def words(self, limit: int) -> list[str]:
        """The first `limit` strings, shorter ones first and then by code point.

        >>> from tercet.automata.regex import chars, repeat
        >>> compile_regex(repeat(chars("ab"))).words(4)
        ['', 'a', 'b', 'aa']
        """
        return [] if self.is_empty else enumeration.words(self, self._lengths, limit)

    def sample(self, rng: Random, max_len: int) -> str:
        """A random string of at most `max_len` characters; every such string has a chance.

        Raises:
            GrammarError: every string is longer.
        """
        return enumeration.sample(self, rng, max_len)

    def __and__(self, other: CharDFA) -> CharDFA:
        return _product(self, other, BUDGET)

    def __or__(self, other: CharDFA) -> CharDFA:
        return _product(self, other, BUDGET, is_union=True)

    def __sub__(self, other: CharDFA) -> CharDFA:
        return self & ~other

    def __invert__(self) -> CharDFA:
        return self._complement

    @cached_property
    def _complement(self) -> CharDFA:
        rest = ~CharSet([span for charset in self.classes for span in charset.ranges])
        table = self.padded  # its last row is where everything goes that was dead, to be accepted
        table = np.where(table == DEAD, len(self.accept), table)
        accept = [*(not accepting for accepting in self.accept), True]
        if rest:
            return canonical(RawDFA((*self.classes, rest), table, accept))
        return canonical(RawDFA(self.classes, table[:, :-1], accept))

    @cached_property
    def padded(self) -> Table:
        """The array with a state and a column more, both of them dead ends."""
        return padded(self.array)


def canonical(raw: RawDFA, start: int = 0) -> CharDFA:
    """The canonical automaton of what is accepted from a state on."""
    return CharDFA(*canonical_form(raw, start))


def with_length(dfa: CharDFA, min: int, max: int | None, budget: int = BUDGET) -> CharDFA:
    """The strings of at least `min` and at most `max` characters (None: without bound).

    The count becomes part of the states, so this is for the few languages whose lengths have gaps
    (`ByteDFA.lengths_are_intervals`) and for small bounds; others keep the count in a register.
    """
    counter = compile_regex(repeat(ANY_CHAR, min, max), budget=budget)
    return _product(dfa, counter, budget)


def _product(left: CharDFA, right: CharDFA, budget: int, *, is_union: bool = False) -> CharDFA:
    """Run both at once, for the intersection or the union."""
    classes, left_class, right_class = _joint(left.classes, right.classes)
    pairs, table = product(
        left.padded[:, left_class], right.padded[:, right_class], budget, is_union=is_union
    )
    if not len(table):
        raise over_budget("states", budget)
    one, other = (
        np.array((*dfa.accept, False))[states]
        for dfa, states in zip((left, right), pairs, strict=True)
    )
    return canonical(RawDFA(classes, table, (one | other if is_union else one & other).tolist()))


@lru_cache(maxsize=4096)
def _joint(
    left: tuple[CharSet, ...], right: tuple[CharSet, ...]
) -> tuple[tuple[CharSet, ...], list[int], list[int]]:
    """The classes that both tell apart, and which of the left and of the right each is part of."""
    classes, members = partition(left + right)
    owners = [DEAD] * len(classes), [DEAD] * len(classes)
    for number, parts in enumerate(members):
        is_right = number >= len(left)
        for part in parts:
            owners[is_right][part] = number - len(left) * is_right
    return classes, *owners


@lru_cache(maxsize=2048)
def compile_regex(regex: Regex, *, budget: int = BUDGET) -> CharDFA:
    """The canonical automaton of a regular expression; results are remembered.

    Raises:
        GrammarError: more than `budget` positions or states are needed.
    """
    done: dict[Regex, Fragment | CharDFA] = {}
    for node in postorder(regex):
        parts = [done[child] for child in node.children]
        if isinstance(node, Automaton):
            done[node] = _canonical_at(node.table, node.state)
        elif isinstance(node, Not):
            done[node] = ~_automaton(parts[0], budget)
        elif isinstance(node, And):
            done[node] = _intersection(node, parts, budget)
        else:
            done[node] = fragment(node, [_positions(part, budget) for part in parts], budget)
    return _automaton(done[regex], budget)


def as_regex(dfa: CharDFA) -> Regex:
    """An automaton as a node of expressions; compiling it gives the same one."""
    if dfa.is_empty:
        return NEVER
    table = StepTable(dfa.classes, dfa.rows, dfa.accept)
    _OF_TABLES[table] = dfa
    return Automaton(table, 0)


_OF_TABLES: WeakKeyDictionary[StepTable, CharDFA] = WeakKeyDictionary()


@lru_cache(maxsize=1024)
def _canonical_at(table: StepTable, state: int) -> CharDFA:
    """The canonical automaton of a table from one of its states."""
    if state == 0 and table in _OF_TABLES:
        return _OF_TABLES[table]
    return canonical(RawDFA(table.classes, table.rows, table.accept), state)


def _intersection(node: And, parts: list[Fragment | CharDFA], budget: int) -> CharDFA:
    """All parts but the last are looked up: who cuts again and again pays for one cut each time."""
    if len(parts) > 2:
        before = compile_regex(And(node.parts[:-1]), budget=budget)
    else:
        before = _automaton(parts[0], budget)
    return before & _automaton(parts[-1], budget)


def _automaton(value: Fragment | CharDFA, budget: int) -> CharDFA:
    return value if isinstance(value, CharDFA) else canonical(determinize(value, budget))


def _positions(value: Fragment | CharDFA, budget: int) -> Fragment:
    if isinstance(value, Fragment):
        return value
    return fragment_of(value.table, value.accept, budget)
