"""How many more members an object can get until nothing is left to violate or to ask for.

The question behind every step of `members`: a state is only entered if its object can be completed.
Counts are sets of numbers, kept as bits, since not every number between two need be possible: of
members that ask for each other there may be none or both. Such members are decided together, one
after the other, and what is not linked any more apart. What a member says and when it may come is
not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tercet.frontends.json_schema.schema import Undecided

MOST_STEPS = 20_000
"""Sets of objects that are still to be violated, over all members, for one object."""

Counts = dict[int, int]
"""For each set of objects that are left to violate, as bits: numbers of members, as bits."""


class Option(NamedTuple):
    """What a member does to the objects to violate, as bits, for each kind of value it may have.

    `present` are the kinds that violate most; `absent` is what is violated if it doesn't come.
    """

    present: tuple[int, ...]
    absent: int = 0


class Completion:
    """Completions of one object: `options` by member, `free` for keys without a name.

    `asks` are, for each member, itself and those that must come with it, as bits.
    """

    def __init__(
        self, options: Sequence[Option], free: Iterable[int], asks: Sequence[int] | None
    ) -> None:
        self._options = options
        self._free = tuple(free)
        self._asks = asks
        self._known: dict[tuple[int, int, int, int], int] = {}
        self._is_new = True
        self._steps = 0

    def counts(self, left: int, needed: int, wants: int, free: int) -> int:
        """Numbers of further members, as bits; keys without a name only come where they violate.

        The members of `left` may come, those of `needed` must, and up to `free` keys that have no
        name; `left` is without members that ask for some that can't come.

        Raises:
            Undecided: there are too many ways, for the first question only: all others are easier.
        """
        key = (left, needed, wants, free)
        if key not in self._known:
            self._steps = 0
            found = {wants: 1}
            for group in self._groups(left, needed):
                found = self._with_group(found, group, needed)
            for _ in range(free):
                found = self._with_free(found)
            self._known[key] = found.get(0, 0)
            self._is_new = False
        return self._known[key]

    def _groups(self, left: int, needed: int) -> list[int]:
        """The members apart by which of them still hang together: none that must come does."""
        groups: list[int] = []
        for number in set_bits(left):
            linked = self._linked(number, left, needed)
            apart = [group for group in groups if not group & linked]
            for group in groups:
                linked |= group if group & linked else 0
            groups = [*apart, linked]
        return groups

    def _linked(self, number: int, left: int, needed: int) -> int:
        bit = 1 << number
        if self._asks is None or needed & bit:
            return bit
        return bit | (self._asks[number] & left & ~needed)

    def _with_group(self, before: Counts, group: int, needed: int) -> Counts:
        """The counts after the members of a group came or didn't."""
        if group & (group - 1) == 0:
            number = group.bit_length() - 1
            return self._with_member(before, number, is_needed=bool(needed & group))
        pivot = max(set_bits(group), key=lambda number: self._links(number, group))
        asks, bit = self._asks or (), 1 << pivot
        with_it = (asks[pivot] & group) | (needed & group)
        without = sum(1 << n for n in set_bits(group) if asks[n] & bit)
        found = self._with_groups(before, group, with_it)
        missing = 0
        for number in set_bits(without):
            missing |= self._options[number].absent
        gone: Counts = {}
        for wants, counts in before.items():
            _add(gone, wants & ~missing, counts)
        for wants, counts in self._with_groups(gone, group & ~without, needed).items():
            _add(found, wants, counts)
        return found

    def _with_groups(self, before: Counts, left: int, needed: int) -> Counts:
        for group in self._groups(left, needed):
            before = self._with_group(before, group, needed)
        return before

    def _links(self, number: int, group: int) -> int:
        """How many members of a group ask for one or are asked for by it."""
        asks = self._asks or ()
        asking = sum(asks[other] >> number & 1 for other in set_bits(group))
        return asking + (asks[number] & group).bit_count()

    def _with_member(self, before: Counts, number: int, *, is_needed: bool) -> Counts:
        option, after = self._options[number], Counts()
        for wants, counts in before.items():
            for violated in option.present:
                _add(after, wants & ~violated, counts << 1)
            if not is_needed:
                _add(after, wants & ~option.absent, counts)
        return self._counted(after)

    def _with_free(self, before: Counts) -> Counts:
        """The counts after one more key without a name, which violates something, or none."""
        after = dict(before)
        for wants, counts in before.items():
            for violated in self._free:
                if wants & violated:
                    _add(after, wants & ~violated, counts << 1)
        return self._counted(after)

    def _counted(self, counts: Counts) -> Counts:
        """The counts, if there aren't too many; questions that follow the first ones are easier."""
        self._steps += len(counts)
        if self._is_new and self._steps > MOST_STEPS:
            raise Undecided("what must not match can be violated in too many ways")
        return counts


def option_of(violated: Iterable[int], absent: int = 0) -> Option:
    """The option of a member, from what each kind of its values violates."""
    kinds = sorted(set(violated), key=int.bit_count, reverse=True)
    most: list[int] = []
    for bits in kinds:
        if not any(bits & ~other == 0 for other in most):
            most.append(bits)
    return Option(tuple(most), absent)


def set_bits(number: int) -> Iterator[int]:
    """The positions of the bits of a number, ascending."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _add(counts: Counts, wants: int, more: int) -> None:
    counts[wants] = counts.get(wants, 0) | more
