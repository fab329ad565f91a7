"""A deterministic automaton as a regular expression node.

Some languages are small as automata and enormous as expressions: the multiples of 7, the numbers
below 1e308. `explore` writes an automaton from a step function, and the `Automaton` node lets the
result stand wherever a `Regex` may. `numbers` is its user. Nothing is minimised here; `chardfa`
does that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from tercet.automata.charset import CharSet
from tercet.automata.regex import NEVER, Regex
from tercet.errors import GrammarError
from tercet.interning import Interned

Row = tuple[tuple[CharSet, int], ...]
State = TypeVar("State", bound=Hashable)

STATE_BUDGET = 20_000


class Table(Interned):
    """The moves of every state, disjoint within a row, and which states accept.

    From every state an accepting one can be reached.
    """

    __slots__ = ("rows", "accept")
    rows: tuple[Row, ...]
    accept: tuple[bool, ...]


class Automaton(Regex):
    """The strings that lead a table from `state` to an accepting state."""

    __slots__ = ("table", "state")
    table: Table
    state: int

    def _is_nullable(self) -> bool:
        return self.table.accept[self.state]

    def row(self) -> Row:
        """The moves of this state."""
        return self.table.rows[self.state]

    def after(self, code_point: int) -> Regex:
        """What may follow this character: the derivative."""
        for charset, target in self.row():
            if code_point in charset:
                return Automaton(self.table, target)
        return NEVER


def explore(
    start: State,
    step: Callable[[State, str], State | None],
    accepts: Callable[[State], bool],
    alphabet: str,
) -> Regex:
    """The automaton whose states are those that `step` reaches from `start`.

    `step` answers None where no text goes on.

    >>> even = explore(0, lambda ones, bit: (ones + int(bit)) % 2, lambda ones: ones == 0, "01")
    >>> even.nullable, even.after(ord("1")).nullable
    (True, False)

    Raises:
        GrammarError: there are more than `STATE_BUDGET` states.
    """
    numbers: dict[State, int] = {start: 0}
    queue = [start]
    moves: list[dict[int, str]] = []
    for state in queue:  # grows while it is read
        row: dict[int, str] = {}
        for char in alphabet:
            target = step(state, char)
            if target is not None:
                number = numbers.setdefault(target, len(queue))
                if number == len(queue):
                    queue.append(target)
                row[number] = row.get(number, "") + char
        moves.append(row)
        if len(queue) > STATE_BUDGET:
            raise GrammarError(
                "an automaton grew too large", why=f"it has more than {STATE_BUDGET} states"
            )
    return _trimmed(moves, [accepts(state) for state in queue])


def _trimmed(moves: list[dict[int, str]], accept: list[bool]) -> Regex:
    """The automaton without the states that lead nowhere."""
    alive = _co_reachable(moves, accept)
    if not alive[0]:
        return NEVER
    kept = [state for state, lives in enumerate(alive) if lives]
    renumbered = {state: number for number, state in enumerate(kept)}
    rows = tuple(
        tuple(
            (CharSet.of(letters), renumbered[target])
            for target, letters in moves[state].items()
            if alive[target]
        )
        for state in kept
    )
    return Automaton(Table(rows, tuple(accept[state] for state in kept)), 0)


def _co_reachable(moves: list[dict[int, str]], accept: list[bool]) -> list[bool]:
    sources: list[list[int]] = [[] for _ in moves]
    for state, row in enumerate(moves):
        for target in row:
            sources[target].append(state)
    alive = list(accept)
    queue = [state for state, accepting in enumerate(accept) if accepting]
    for state in queue:  # grows while it is read
        for source in sources[state]:
            if not alive[source]:
                alive[source] = True
                queue.append(source)
    return alive
