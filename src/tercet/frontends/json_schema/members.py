"""Which members of an object can come when: the states of an object that is being written.

A state is what is still possible: the members left, those that must come, the objects that are
still to be violated, and how many members came. A state is only entered if a whole object can
still come of it (`completion` knows), so no text leads into a dead end. How states become rules is
`object_rules`'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.completion import Completion, option_of, set_bits
from tercet.frontends.json_schema.keys import Keys
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.roster import Roster
from tercet.frontends.json_schema.schema import NO_VALUE, Undecided, Value, conjunction, negation

MOST_CELLS = 64
"""Kinds of values of one member that make a difference to what is violated."""

_UNBOUNDED = 2**60


class State(NamedTuple):
    """Members left and members needed, as bits; what is to be violated, as bits; how many came.

    Keys of a class are only remembered while it matters that they differ: `has_seen` while they
    count, `has_kept` once one of them violated something, which a second one would undo. `others`
    is how many are remembered, where they are finitely many.
    """

    left: int
    needed: int
    wants: int
    came: int = 0
    has_seen: bool = False
    has_kept: bool = False
    others: int = 0


class Way(NamedTuple):
    """A way to go on: a value for a key, what is possible then, whether the key must be new."""

    value: Value
    state: State
    is_new: bool = False


class Members:
    """The members of one object; `start` is None if there is no such object.

    `placed` are those that have an order, as bits.
    """

    def __init__(
        self,
        objects: Objects,
        key_language: Callable[[Value], Regex],
        productive: Callable[[Value], bool],
    ) -> None:
        self._productive = productive
        self._roster = roster = Roster(objects, key_language, productive)
        self.entries, self.free = roster.entries, roster.free
        self.placed = (1 << roster.placed) - 1
        self._low, self._high, self._closure = roster.low, roster.high, roster.closure
        self._is_tracked = bool(
            roster.is_distinct or roster.high is not None or roster.closure is not None
        )
        has_both = self._low > 0 and self._high is not None
        self._room = _UNBOUNDED if roster.room is None else roster.room
        self._has_gaps = roster.wants > 0 or (has_both and _has_cycle(self._closure or ()))
        self._cells_of: dict[tuple[Value, ...], list[tuple[Value, int]]] = {}
        self.start = self._start()

    @property
    def has_memory(self) -> bool:
        """Whether keys have to be remembered at all."""
        return bool(self.free) and (self._low > 1 or self._roster.wants > 0)

    def values(self) -> Iterator[Value]:
        """All values that may be asked for."""
        everything = [entry.values for entry in self.entries] + [keys.values for keys in self.free]
        for values in everything:
            yield values[0]
            if self._roster.wants:
                yield from (value for value, _ in self._cells(values))

    def _start(self) -> State | None:
        needed, left = 0, (1 << len(self.entries)) - 1
        for name in self._roster.required:
            needed |= self._asked(self._roster.numbers[name])
        state = State(left, needed, (1 << self._roster.wants) - 1)
        if not self._is_tracked:
            required = (self.entries[number] for number in set_bits(needed))
            return state if all(self._productive(entry.values[0]) for entry in required) else None
        gone = sum(1 << n for n, e in enumerate(self.entries) if not self._productive(e.values[0]))
        state = self._without(state, gone)
        return state if self._is_feasible(state) else None

    def _asked(self, number: int) -> int:
        """What must come if a member does, itself included."""
        return 1 << number if self._closure is None else self._closure[number]

    def _without(self, state: State, gone: int) -> State:
        """The state in which some members can't come any more, nor those that ask for them."""
        left = state.left & ~gone
        if self._closure is not None and gone:
            left = sum(1 << n for n in set_bits(left) if not self._closure[n] & gone)
        return state._replace(left=left, wants=state.wants & ~self._missing(state.left & ~left))

    def _missing(self, gone: int) -> int:
        """What is violated when some members don't come."""
        if not self._roster.wants:
            return 0
        found = 0
        for number in set_bits(gone):
            found |= self.entries[number].missing
        return found

    # From state to state

    def can_end(self, state: State) -> bool:
        """Whether the object may be closed."""
        if state.needed or state.came < self._low:
            return False
        return not (state.wants and state.wants & ~self._missing(state.left))

    def ways(self, state: State, number: int) -> list[Way]:
        """The ways to write a member that is left, which may be none."""
        left = state.left & ~(1 << number)
        needed = (state.needed | self._asked(number)) & left
        state = state._replace(left=left, needed=needed)
        return [Way(*way) for way in self._ways(state, self.entries[number].values)]

    def free_ways(self, state: State, keys: Keys) -> list[Way]:
        """The ways to write a member with a key of a class."""
        missing = self._low - state.came
        counts = missing > 1 or (missing == 1 and state.has_seen)
        ways = []
        for value, after in self._ways(state, keys.values):
            has_kept = state.has_kept or after.wants != state.wants
            is_new, others = counts or has_kept, state.others
            if is_new and self._roster.room is not None:
                others += 1
            after = after._replace(has_kept=has_kept, has_seen=counts and missing > 1)
            after = after._replace(others=others)
            if others <= self._room and self._is_feasible(after):
                ways.append(Way(value, after, is_new))
        return ways

    def skip(self, state: State, number: int) -> State | None:
        """The state in which a member can't come any more."""
        if state.needed >> number & 1:
            return None
        after = self._without(state, 1 << number)
        return after if self._is_feasible(after) else None

    def _ways(self, state: State, values: tuple[Value, ...]) -> Iterator[tuple[Value, State]]:
        """One for each kind of value that makes a difference."""
        came = state.came + 1 if self._is_tracked else 0
        if self._high is None:
            came = min(came, self._low)
        for value, violated in self._cells(values) if state.wants else [(values[0], 0)]:
            after = state._replace(wants=state.wants & ~violated, came=came)
            if self._productive(value) and self._is_feasible(after):
                yield value, after

    def _cells(self, values: tuple[Value, ...]) -> list[tuple[Value, int]]:
        """The values of a member, apart by which objects they violate."""
        if values not in self._cells_of:
            own, *others = values
            cells = [(own, 0)] if self._productive(own) else []
            for number, fine in enumerate(others):
                cells = [part for cell in cells for part in self._cut(cell, fine, 1 << number)]
                if len(cells) > MOST_CELLS:
                    raise Undecided(f"a member has more than {MOST_CELLS} kinds of values")
            self._cells_of[values] = cells
        return self._cells_of[values]

    def _cut(self, cell: tuple[Value, int], fine: Value, bit: int) -> Iterator[tuple[Value, int]]:
        value, violated = cell
        if fine == NO_VALUE:
            yield value, violated | bit
        elif not fine:
            yield cell
        else:
            for part, bits in ((fine, violated), (negation(fine), violated | bit)):
                inside = conjunction((value, part))
                if self._productive(inside):
                    yield inside, bits

    # Whether it can end well

    def _is_feasible(self, state: State) -> bool:
        if not self._is_tracked:
            return True
        if state.needed & ~state.left:
            return False
        room = self._room - state.others
        low = max(self._low - state.came - room, 0)
        high = state.left.bit_count() + state.wants.bit_count()
        if self._high is not None:
            high = min(high, self._high - state.came)
        return low <= high and self._has_count(state, low, high)

    def _has_count(self, state: State, low: int, high: int) -> bool:
        """Whether so many members may be what is missing."""
        if not state.wants and not self._has_gaps:
            return state.needed.bit_count() <= high and low <= state.left.bit_count()
        free = min(self._room - state.others, state.wants.bit_count())
        counts = self._completion.counts(state.left, state.needed, state.wants, free)
        return counts >> low & ((1 << high - low + 1) - 1) != 0

    @cached_property
    def _completion(self) -> Completion:
        options = [
            option_of((bits for _, bits in self._cells(entry.values)), entry.missing)
            for entry in self.entries
        ]
        free = {bits for keys in self.free for _, bits in self._cells(keys.values)}
        return Completion(options, option_of(free).present, self._closure)


def _has_cycle(closure: Iterable[int]) -> bool:
    asked = list(closure)
    return any(asked[m] >> n & 1 for n, bits in enumerate(asked) for m in set_bits(bits) if m != n)
