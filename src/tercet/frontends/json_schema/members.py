"""Which members of an object can come when: the states of an object that is being written.

A state is what is still possible: the members left, those that must come, the obligations that are
open and how many members came. A state is only entered if a whole object can still come of it, so
no text leads into a dead end. How states become rules is `object_rules`' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tercet.automata.regex import Regex, both
from tercet.frontends.json_schema.keys import Keys, leave_out, split, words
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.schema import NO_VALUE, Undecided, Value
from tercet.frontends.regex import matches

MOST_WANTS = 4
"""Open obligations of one object; each may double the ways to write a member."""

_FEW = 64  # keys of a class that are written out as members

Productive = Callable[[Value], bool]


class Entry(NamedTuple):
    """A member with a name; `marks` are the obligations that its key is good for, as bits."""

    name: str
    value: Value
    marks: int


class State(NamedTuple):
    """Members left and members needed, as bits; open obligations, as bits; how many came.

    Keys of a class are only remembered while it matters that they differ: `has_seen` while they
    count, `has_kept` once one of them met an obligation, which a second one would undo.
    """

    left: int
    needed: int
    wants: int
    came: int = 0
    has_seen: bool = False
    has_kept: bool = False


class Way(NamedTuple):
    """A way to go on: a value for a key, what is possible then, whether the key must be new."""

    value: Value
    state: State
    is_new: bool = False


class Members:
    """The members of one object; `start` is None if there is no such object."""

    def __init__(
        self, objects: Objects, key_language: Callable[[Value], Regex], productive: Productive
    ) -> None:
        self._productive = productive
        self._wants = list(objects.wants)
        if len(self._wants) > MOST_WANTS:
            raise Undecided(f"more than {MOST_WANTS} things have to be among the members")
        self._want_keys = [both(want.keys, key_language(want.name)) for want in self._wants]
        required, names = objects.required, key_language(objects.names)
        self._low = objects.low if objects.low > len(required) else 0
        self._high = objects.high
        self._is_distinct = self._low > 0 or bool(self._wants)
        self._is_tracked = self._is_distinct or self._high is not None or bool(objects.implied)
        self.entries, self.free = self._entries(objects, names), list[Keys]()
        self._add_free(objects, names)
        self._room = self._bound_room()
        self._closure = self._closures(objects.implied) if objects.implied else None
        self._costs: dict[State, int | None] = {}
        self.start = self._start(required)

    @property
    def has_memory(self) -> bool:
        """Whether keys have to be remembered at all."""
        return bool(self.free) and (self._low > 1 or bool(self._wants))

    # What there is

    def _entries(self, objects: Objects, names: Regex) -> list[Entry]:
        """Members with a name, in order, with those that only an implication names."""
        known = dict.fromkeys(objects.members)
        known |= dict.fromkeys(name for pair in sorted(objects.implied) for name in pair)
        return [
            Entry(
                name,
                objects.member(name).value if matches(names, name) else NO_VALUE,
                self._marks(name),
            )
            for name in known
        ]

    def _marks(self, name: str) -> int:
        return sum(
            1 << number
            for number, (want, keys) in enumerate(zip(self._wants, self._want_keys, strict=True))
            if name not in want.without and matches(keys, name)
        )

    def _add_free(self, objects: Objects, names: Regex) -> None:
        """All other keys; where it matters which of them came, a few of them get names."""
        apart = {name for want in self._wants for name in want.without}
        known = [entry.name for entry in self.entries]
        apart -= set(known)
        for name in sorted(apart):
            value = objects.member(name).value if matches(names, name) else NO_VALUE
            self.entries.append(Entry(name, value, self._marks(name)))
        known += sorted(apart)
        for keys in split(names, objects.other, objects.patterns, self._want_keys):
            left = leave_out(keys, known)
            if left is None or not self._productive(left.value):
                continue
            if self._is_distinct and left.room is not None and left.room <= _FEW:
                self.entries += (Entry(name, left.value, left.marks) for name in words(left))
            else:
                self.free.append(left)

    def _bound_room(self) -> int | None:
        """How many other keys there are; where they must differ, no more members than that."""
        rooms = [keys.room for keys in self.free if keys.room is not None]
        if len(rooms) < len(self.free):
            return None
        if self._is_distinct and rooms:
            self._high = sum(rooms) if self._high is None else min(self._high, sum(rooms))
        return sum(rooms)

    def _closures(self, implied: frozenset[tuple[str, str]]) -> list[int]:
        """For each member, itself and all that must come if it does."""
        number = {entry.name: n for n, entry in enumerate(self.entries)}
        closure = [1 << n for n in range(len(self.entries))]
        for one, other in implied:
            closure[number[one]] |= 1 << number[other]
        for middle in {number[other] for _, other in implied}:
            for n, bits in enumerate(closure):
                if bits >> middle & 1:
                    closure[n] |= closure[middle]
        if self._high is not None and (self._wants or (self._low and _has_cycle(closure))):
            raise Undecided("members are counted, and some of them ask for others")
        return closure

    def _start(self, required: list[str]) -> State | None:
        number = {entry.name: n for n, entry in enumerate(self.entries)} if required else {}
        needed, left = 0, (1 << len(self.entries)) - 1
        for name in required:
            needed |= self._asked(number[name])
        if self._is_tracked:
            gone = sum(1 << n for n, e in enumerate(self.entries) if not self._productive(e.value))
            left = self._possible(left & ~gone, gone)
        elif not all(self._productive(self.entries[number[name]].value) for name in required):
            return None
        state = State(left, needed, (1 << len(self._wants)) - 1)
        return state if self._is_feasible(state) else None

    def _asked(self, number: int) -> int:
        """What must come if a member does, itself included."""
        return self._closure[number] if self._closure else 1 << number

    def _possible(self, left: int, gone: int) -> int:
        """The members left that don't ask for any of those that can't come any more."""
        if self._closure and gone:
            return sum(1 << n for n in set_bits(left) if not self._closure[n] & gone)
        return left

    # From state to state

    def can_end(self, state: State) -> bool:
        """Whether the object may be closed."""
        return not (state.needed or state.wants or state.came < self._low)

    def ways(self, state: State, number: int) -> list[Way]:
        """The ways to write a member that is left, which may be none."""
        entry, bit = self.entries[number], 1 << number
        left = state.left & ~bit
        needed = (state.needed | self._asked(number)) & left
        state = state._replace(left=left, needed=needed)
        return [Way(*way) for way in self._ways(state, entry.value, entry.marks)]

    def free_ways(self, state: State, keys: Keys) -> list[Way]:
        """The ways to write a member with a key of a class."""
        missing = self._low - state.came
        counts = missing > 1 or (missing == 1 and state.has_seen)
        ways = []
        for value, after in self._ways(state, keys.value, keys.marks):
            has_kept = state.has_kept or after.wants != state.wants
            after = after._replace(has_kept=has_kept, has_seen=counts and missing > 1)
            ways.append(Way(value, after, counts or has_kept))
        return ways

    def skip(self, state: State, number: int) -> State | None:
        """The state in which a member can't come any more."""
        bit = 1 << number
        if state.needed & bit:
            return None
        after = state._replace(left=self._possible(state.left & ~bit, bit))
        return after if self._is_feasible(after) else None

    def _ways(self, state: State, value: Value, marks: int) -> list[tuple[Value, State]]:
        """One for each choice of obligations that the member takes upon it."""
        came = state.came + 1 if self._is_tracked else 0
        if self._high is None:
            came = min(came, self._low)
        found = []
        for taken in _subsets(marks & state.wants):
            after = state._replace(wants=state.wants & ~taken, came=came)
            with_taken = self._with(value, taken)
            if self._productive(with_taken) and self._is_feasible(after):
                found.append((with_taken, after))
        return found

    def _with(self, value: Value, taken: int) -> Value:
        return value.union(*(self._wants[n].value for n in set_bits(taken))) if taken else value

    # Whether it can end well

    def _is_feasible(self, state: State) -> bool:
        if not self._is_tracked:
            return True
        if state.needed & ~state.left:
            return False
        if self._room is not None:
            most = state.came + state.left.bit_count() + self._room
            if most < self._low:
                return False
        least = state.came + state.needed.bit_count()
        if state.wants:
            cost = self._cost(state)
            if cost is None:
                return False
            least += cost
        return self._high is None or least <= self._high

    def _cost(self, state: State) -> int | None:
        """How many members at least are needed for the open obligations alone."""
        key = State(state.left, state.needed, state.wants)
        if key not in self._costs:
            costs = {state.wants: 0}
            for number in set_bits(state.left):
                entry = self.entries[number]
                self._pay(costs, entry.value, entry.marks, 1 - (state.needed >> number & 1))
            for keys in self.free:
                for _ in range(state.wants.bit_count()):
                    self._pay(costs, keys.value, keys.marks, 1)
            self._costs[key] = costs.get(0)
        return self._costs[key]

    def _pay(self, costs: dict[int, int], value: Value, marks: int, price: int) -> None:
        """Improve the least costs of what stays open, by one more member."""
        for wants, cost in [*costs.items()]:
            for taken in _subsets(marks & wants):
                rest, total = wants & ~taken, cost + price
                is_better = taken and costs.get(rest, total + 1) > total
                if is_better and self._productive(self._with(value, taken)):
                    costs[rest] = total


def set_bits(number: int) -> Iterator[int]:
    """The positions of the bits of a number, ascending."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _subsets(bits: int) -> Iterator[int]:
    """All subsets of a set of bits, the empty one first."""
    subset = 0
    while True:
        yield subset
        if subset == bits:
            return
        subset = subset - bits & bits


def _has_cycle(closure: list[int]) -> bool:
    return any(
        closure[m] >> n & 1 for n, asked in enumerate(closure) for m in set_bits(asked) if m != n
    )
