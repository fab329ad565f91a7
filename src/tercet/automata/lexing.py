"""Maximal munch: which texts a lexer reads as which terminal, and what they forbid to follow.

A lexer reads the longest text that any of its terminals matches; among terminals that match the
same text the first one wins. Terminals stand in ranks: one of an earlier rank wins even over longer
texts of a later one; once it has matched, those are out. So a text is a *lexeme* of a terminal if
that terminal wins on it, and if what follows doesn't make a longer match: after `1`, in a lexer
that knows floats, there may come `.` but not `.5`. What must not follow is a regular language too,
the *guard*. It may outlive the next lexeme, so it is a part of where a lexeme begins:
`Lexicon.lexeme` gives the automaton of a terminal behind a guard, with the guard that each of its
ends leaves. An end before the last possible one is what lexers call falling back to the last
accept.

This is about characters only; which terminals a lexer knows in which place is the grammar's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from tercet.automata.canonical import joined, without_twins
from tercet.automata.chardfa import BUDGET, CharDFA, canonical
from tercet.automata.charset import CharSet, partition
from tercet.automata.glushkov import RawDFA, over_budget
from tercet.automata.lengths import predecessors
from tercet.automata.tables import DEAD, minimal

Key = TypeVar("Key", bound=Hashable)

Guard = CharDFA  # the shortest texts that must not follow; None forbids nothing


@dataclass(frozen=True)
class Lexeme:
    """The texts of a terminal in one place; `after[state]` is the guard left by ending there."""

    automaton: CharDFA
    after: tuple[Guard | None, ...]


class Lexicon:
    """The terminals that a lexer knows in one context, in ranks, and numbered in that order."""

    def __init__(self, ranks: Sequence[Sequence[CharDFA]]) -> None:
        self._terminals = [terminal for rank in ranks for terminal in rank]
        self._ranks = [number for number, rank in enumerate(ranks) for _ in rank]
        self._behind: dict[Guard | None, _Place] = {}

    def possible(self, guard: Guard | None) -> dict[int, frozenset[Guard | None]]:
        """The terminals that some text behind a guard is read as, and the guards they may leave."""
        return self._place(guard).possible()

    def lexeme(self, terminal: int, guard: Guard | None) -> Lexeme | None:
        """The texts behind a guard that are read as this terminal, or None if there are none."""
        return self._place(guard).lexeme(terminal)

    def _place(self, guard: Guard | None) -> _Place:
        if guard not in self._behind:
            self._behind[guard] = _Place(self._terminals, self._ranks, guard)
        return self._behind[guard]


class _Place:
    """All terminals of a context at once, behind a guard.

    A state is the terminals that are still alive, each with its own state, and the guard's.
    """

    def __init__(
        self, terminals: Sequence[CharDFA], ranks: Sequence[int], guard: Guard | None
    ) -> None:
        automata = [*terminals, *([] if guard is None else [guard])]
        self._guard = guard
        self._guard_number = DEAD if guard is None else len(terminals)
        self.classes, self._columns = _common_classes(automata)
        self._automata = automata
        self._ranks = ranks
        start = frozenset((number, 0) for number in range(len(automata)))
        self._alive, rows = _explore(start, self._targets)
        self._rows, self._winners = rows, [self._winner(alive) for alive in self._alive]
        self._sources = predecessors(rows)
        self._guards: dict[int, Guard | None] = {}

    def _targets(
        self, alive: frozenset[tuple[int, int]]
    ) -> list[frozenset[tuple[int, int]] | None]:
        targets: list[frozenset[tuple[int, int]] | None] = []
        for symbol in range(len(self.classes)):
            after, is_broken = [], False
            for number, state in alive:
                column = self._columns[number][symbol]
                target = DEAD if column == DEAD else self._automata[number].rows[state][column]
                if target == DEAD:
                    continue
                after.append((number, target))
                is_broken |= number == self._guard_number and self._automata[number].accept[target]
            reads = any(number != self._guard_number for number, _ in after)
            targets.append(self._leading(after) if reads and not is_broken else None)
        return targets

    def _leading(self, alive: list[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        """Without the terminals that one of an earlier rank has now beaten."""
        winner = self._winner(alive)
        if winner == DEAD:
            return frozenset(alive)
        last = self._ranks[winner]
        return frozenset(
            (number, state)
            for number, state in alive
            if number == self._guard_number or self._ranks[number] <= last
        )

    def _winner(self, alive: Iterable[tuple[int, int]]) -> int:
        """The terminal that a text is read as when it ends here, or -1."""
        matching = (
            number
            for number, state in alive
            if number != self._guard_number and self._automata[number].accept[state]
        )
        return min(matching, default=DEAD)

    def possible(self) -> dict[int, frozenset[Guard | None]]:
        """Which terminals win somewhere, and the guards left there."""
        found: dict[int, set[Guard | None]] = {}
        for state, winner in enumerate(self._winners):
            if winner != DEAD:
                found.setdefault(winner, set()).add(self._after(state))
        return {terminal: frozenset(guards) for terminal, guards in found.items()}

    def lexeme(self, terminal: int) -> Lexeme | None:
        """The part of the automaton that leads to where a terminal wins."""
        ends = [state for state, winner in enumerate(self._winners) if winner == terminal]
        if not ends:
            return None
        useful, stack = set(ends), ends
        while stack:
            for source in self._sources[stack.pop()]:
                if source not in useful:
                    useful.add(source)
                    stack.append(source)
        order, rows = _explore(
            0, lambda state: [t if t in useful else None for t in self._rows[state]]
        )
        accept = [self._winners[state] == terminal for state in order]
        after = [
            self._after(state) if end else None for state, end in zip(order, accept, strict=True)
        ]
        return _merged(RawDFA(self.classes, rows, accept), after)

    def _after(self, state: int) -> Guard | None:
        """The guard that a lexeme leaves by ending here."""
        if state not in self._guards:
            own = _shortest(self.classes, *self._going_on(state))
            held = [q for number, q in self._alive[state] if number == self._guard_number]
            if held and self._guard is not None:
                own = _joined(own, _from(self._guard, held[0]))
            self._guards[state] = own
        return self._guards[state]

    def _going_on(self, start: int) -> tuple[list[list[int]], list[bool]]:
        """The automaton of what makes a longer match, which ends where it has."""

        def targets(place: tuple[int, bool]) -> list[tuple[int, bool] | None]:
            state, is_start = place
            if not is_start and self._winners[state] != DEAD:
                return [None] * len(self.classes)
            return [None if t == DEAD else (t, False) for t in self._rows[state]]

        order, rows = _explore((start, True), targets)
        return rows, [not is_start and self._winners[q] != DEAD for q, is_start in order]


def _common_classes(
    automata: Sequence[CharDFA],
) -> tuple[tuple[CharSet, ...], list[list[int]]]:
    """Classes that no automaton cuts, and for each automaton its class of each, or -1."""
    sets = [charset for dfa in automata for charset in dfa.classes]
    classes, members = partition(tuple(sets))
    columns, at = [], 0
    for dfa in automata:
        column = [DEAD] * len(classes)
        for own in range(len(dfa.classes)):
            for part in members[at + own]:
                column[part] = own
        at += len(dfa.classes)
        columns.append(column)
    return classes, columns


def _explore(
    start: Key, targets: Callable[[Key], Iterable[Key | None]]
) -> tuple[list[Key], list[list[int]]]:
    """Number what can be reached from a start, in the order met; rows hold numbers or -1."""
    numbers, queue, rows = {start: 0}, [start], []
    for place in queue:
        if len(queue) > BUDGET:
            raise over_budget("states", BUDGET)
        row = []
        for target in targets(place):
            if target is not None and target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append(DEAD if target is None else numbers[target])
        rows.append(row)
    return queue, rows


def _shortest(
    classes: tuple[CharSet, ...], rows: list[list[int]], accept: Sequence[bool]
) -> Guard | None:
    """The texts of an automaton that begin with no other of them; None if there are none."""
    if not any(accept):
        return None
    nothing = [DEAD] * len(classes)
    cut = [nothing if end else row for row, end in zip(rows, accept, strict=True)]
    return canonical(RawDFA(classes, cut, accept))


def _from(guard: Guard, state: int) -> Guard:
    """What a guard in a state still forbids."""
    order, rows = _explore(state, lambda q: [None if t == DEAD else t for t in guard.rows[q]])
    return canonical(RawDFA(guard.classes, rows, [guard.accept[q] for q in order]))


def _joined(one: Guard | None, other: Guard) -> Guard:
    if one is None:
        return other
    both = one | other
    joined = _shortest(both.classes, [list(row) for row in both.rows], both.accept)
    return joined or other


def _merged(raw: RawDFA, after: list[Guard | None]) -> Lexeme:
    """States that mean the same become one, classes that no state tells apart too."""
    names: dict[Guard | None, int] = {}
    colours = [
        2 * names.setdefault(guard, len(names)) + accepts
        for guard, accepts in zip(after, raw.accept, strict=True)
    ]
    whole = np.asarray(raw.rows, np.int32).reshape(len(colours), len(raw.classes))
    table, states = minimal(whole, colours)
    table, groups = without_twins(table, list(range(len(raw.classes))))
    accept = tuple([bool(raw.accept[state]) for state in states])
    automaton = CharDFA(joined(raw.classes, groups), table, accept)
    return Lexeme(automaton, tuple([after[state] for state in states]))
