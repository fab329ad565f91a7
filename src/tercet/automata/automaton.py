"""A deterministic automaton as a regular expression node.

Some languages are small as automata and enormous as expressions: the multiples of 7, the numbers
below 1e308. `explore` writes an automaton from a step function, and the `Automaton` node lets the
result stand wherever a `Regex` may. `numbers` is its user. Nothing is minimised here; `chardfa`
does that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from tercet.automata.charset import CharSet
from tercet.automata.regex import NEVER, Regex
from tercet.errors import GrammarError
from tercet.interning import Interned

State = TypeVar("State", bound=Hashable)

STATE_BUDGET = 20_000
DEAD = -1


class Table(Interned):
    """`rows[state][class_number]` is the next state or -1; the classes are disjoint.

    From every state an accepting one can be reached.
    """

    __slots__ = ("classes", "rows", "accept")
    classes: tuple[CharSet, ...]
    rows: tuple[tuple[int, ...], ...]
    accept: tuple[bool, ...]


class Automaton(Regex):
    """The strings that lead a table from `state` to an accepting state."""

    __slots__ = ("table", "state")
    table: Table
    state: int

    def _is_nullable(self) -> bool:
        return self.table.accept[self.state]

    def after(self, code_point: int) -> Regex:
        """What may follow this character: the derivative."""
        for charset, target in zip(self.table.classes, self.table.rows[self.state], strict=True):
            if target != DEAD and code_point in charset:
                return Automaton(self.table, target)
        return NEVER

    def from_here(self) -> Table:
        """The part of the table that this state reaches, with this state as number 0."""
        return self.table if self.state == 0 else _renumbered(self.table, [self.state])


def explore(
    start: State,
    step: Callable[[State, str], State | None],
    accepts: Callable[[State], bool],
    alphabet: str,
    classes: tuple[CharSet, ...] = (),
    *,
    alike: Callable[[State], Mapping[str, str]] = lambda _: {},
) -> Regex:
    """The automaton whose states are those that `step` reaches from `start`.

    `step` answers None where no text goes on. Each character of the alphabet may stand for a class
    of them. `alike` may name earlier characters of it that lead where others lead.

    >>> even = explore(0, lambda ones, bit: (ones + int(bit)) % 2, lambda ones: ones == 0, "01")
    >>> even.nullable, even.after(ord("1")).nullable
    (True, False)

    Raises:
        GrammarError: there are more than `STATE_BUDGET` states.
    """
    numbers: dict[State, int] = {start: 0}
    queue = [start]
    rows: list[list[int]] = []
    for state in queue:  # grows while it is read
        row = []
        for target in _targets(state, step, alphabet, alike(state)):
            if target is not None and target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append(DEAD if target is None else numbers[target])
        rows.append(row)
        if len(queue) > STATE_BUDGET:
            raise GrammarError(
                "an automaton grew too large", why=f"it has more than {STATE_BUDGET} states"
            )
    classes = classes or tuple(CharSet.of(char) for char in alphabet)
    return _trimmed(classes, rows, [accepts(state) for state in queue])


def _targets(
    state: State,
    step: Callable[[State, str], State | None],
    alphabet: str,
    alike: Mapping[str, str],
) -> Iterable[State | None]:
    """What each character leads to, asked once where characters are alike."""
    found: dict[str, State | None] = {}
    for char in alphabet:
        first = alike.get(char, char)
        found[char] = found[first] if first in found else step(state, char)
    return found.values()


def _trimmed(classes: tuple[CharSet, ...], rows: list[list[int]], accept: list[bool]) -> Regex:
    """The automaton without the states that lead nowhere."""
    alive = _co_reachable(rows, accept)
    if not alive[0]:
        return NEVER
    kept = tuple(tuple(t if t >= 0 and alive[t] else DEAD for t in row) for row in rows)
    return Automaton(_renumbered(Table(classes, kept, tuple(accept)), [0]), 0)


def _co_reachable(rows: list[list[int]], accept: list[bool]) -> list[bool]:
    sources: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for target in row:
            if target != DEAD:
                sources[target].add(state)
    alive = list(accept)
    queue = [state for state, accepting in enumerate(accept) if accepting]
    for state in queue:  # grows while it is read
        for source in sources[state]:
            if not alive[source]:
                alive[source] = True
                queue.append(source)
    return alive


def _renumbered(table: Table, order: list[int]) -> Table:
    """The states that the first of `order` reaches, breadth first; `order` is filled with them."""
    numbers = {order[0]: 0, DEAD: DEAD}
    rows = []
    for state in order:  # grows while it is read
        for target in table.rows[state]:
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
        rows.append(tuple(numbers[target] for target in table.rows[state]))
    return Table(table.classes, tuple(rows), tuple(table.accept[state] for state in order))
