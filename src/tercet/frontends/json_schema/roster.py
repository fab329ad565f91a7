"""Who may be a member of an object: keys with a name, and classes of all others.

Each comes with what its value must match, in the object itself and in every object that is to be
violated. In which order and how many is `members`' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.keys import KeyRules, Keys, leave_out, split, words
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.schema import NO_VALUE, Undecided, Value
from tercet.frontends.regex import matches

_FEW = 64  # keys of a class that are written out as members


class Entry(NamedTuple):
    """A key with a name: what its value must match, and for what it must not do so.

    The first of `values` is the object's own, the others are those of the objects to violate;
    `missing` tells, as bits, which of these are violated if the key doesn't come.
    """

    name: str
    values: tuple[Value, ...]
    missing: int = 0


class Roster:
    """The keys of one object; `room` is how many keys of `free` there are, None for any number.

    The first `placed` of `entries` are declared or required; only these have an order. Others have
    a name because it makes a difference which of them come.
    """

    def __init__(
        self,
        objects: Objects,
        key_language: Callable[[Value], Regex],
        productive: Callable[[Value], bool],
    ) -> None:
        self.wants = len(objects.violated)
        self._objects = [objects, *objects.violated]
        self._names = [key_language(one.names) for one in self._objects]
        self.required = objects.required
        self.placed = len(objects.members)
        self.low = objects.low if objects.low > len(self.required) else 0
        self.high = objects.high
        self.entries = [self._entry(name) for name in self._known_names()]
        self.free: list[Keys] = []
        for keys in self._free_keys(productive):
            if self.is_distinct and keys.room is not None and keys.room <= _FEW:
                self.entries += (Entry(name, keys.values) for name in words(keys))
            else:
                self.free.append(keys)
        self.numbers = {entry.name: number for number, entry in enumerate(self.entries)}
        self.room = self._bound_room()
        self.closure = self._closures(objects.implied) if objects.implied else None

    @property
    def is_distinct(self) -> bool:
        """Whether a key that comes twice would make a difference."""
        return self.low > 0 or self.wants > 0

    def _known_names(self) -> Iterable[str]:
        """The members of the object itself first, in their order: `placed` is how many."""
        names = dict.fromkeys(self._objects[0].members)
        names |= dict.fromkeys(n for pair in self._objects[0].implied for n in pair)
        return names | dict.fromkeys(n for one in self._objects[1:] for n in one.members)

    def _entry(self, name: str) -> Entry:
        values, missing = [], 0
        for number, (one, names) in enumerate(zip(self._objects, self._names, strict=True)):
            member = one.member(name)
            values.append(member.value if matches(names, name) else NO_VALUE)
            missing |= member.is_required << number
        return Entry(name, tuple(values), missing >> 1)

    def _free_keys(self, productive: Callable[[Value], bool]) -> Iterable[Keys]:
        rules = [
            KeyRules(names, one.other, one.patterns)
            for one, names in zip(self._objects, self._names, strict=True)
        ]
        known = [entry.name for entry in self.entries]
        for keys in split(rules):
            left = leave_out(keys, known)
            if left is not None and productive(left.values[0]):
                yield left

    def _bound_room(self) -> int | None:
        """How many other keys there are.

        Raises:
            Undecided: they may come to an end before all is violated.
        """
        rooms = [keys.room for keys in self.free if keys.room is not None]
        if len(rooms) < len(self.free):
            return None
        if self.wants and (len(rooms) > 1 or self.low + self.wants > sum(rooms) > 0):
            raise Undecided("its patterns allow too few keys for what must not match")
        return sum(rooms)

    def _closures(self, implied: Iterable[tuple[str, str]]) -> list[int]:
        """For each member, as bits, itself and all that must come if it does."""
        closure = [1 << n for n in range(len(self.entries))]
        for one, other in implied:
            closure[self.numbers[one]] |= 1 << self.numbers[other]
        for middle in {self.numbers[other] for _, other in implied}:
            for n, bits in enumerate(closure):
                if bits >> middle & 1:
                    closure[n] |= closure[middle]
        return closure
