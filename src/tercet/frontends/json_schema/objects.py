"""The canonical form of objects: named members, rules for all other keys, counts, obligations.

A member that must not occur is an optional one whose value has no instance, so intersections need
no case of their own for it. Complements don't become many cases either: they stay what is to be
violated. Which members can come when is `members`' business.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.schema import ANY_VALUE, NO_VALUE, Value, negation
from tercet.frontends.regex import matches

T = TypeVar("T")


@dataclass(slots=True)
class Member:
    """What is known about a key. `is_listed`: it stands under `properties`, not only `required`."""

    value: Value
    is_required: bool = False
    is_listed: bool = True


@dataclass(slots=True, eq=False)
class Objects:
    """Objects with these members, those listed first.

    Every other key has a value in `other`, and in `patterns` of the languages that it is in. Every
    key, as a string, must match `names`. If the first name of a pair in `implied` is there, so is
    the second. Of the objects in `violated`, some member must not match or be missing, each time.
    """

    members: Mapping[str, Member] = field(default_factory=dict)
    other: Value = ANY_VALUE
    patterns: Mapping[Regex, Value] = field(default_factory=dict)
    names: Value = ANY_VALUE
    low: int = 0
    high: int | None = None
    implied: tuple[tuple[str, str], ...] = ()
    violated: tuple[Objects, ...] = ()

    def member(self, name: str) -> Member:
        """What is known about a key, whether it has a name here or not."""
        known = self.members.get(name)
        if known is not None:
            return known
        value = self.other.union(*(v for keys, v in self.patterns.items() if matches(keys, name)))
        return Member(value, is_listed=False)

    def meet(self, other: Objects) -> Objects:
        """The objects that are in both; the order of `self` comes first."""
        if self is ANY_OBJECT or other is ANY_OBJECT:
            return other if self is ANY_OBJECT else self
        names = [
            name
            for listed in (True, False)
            for name in _in_both_orders(self._names(listed=listed), other._names(listed=listed))
        ]
        highs = [high for high in (self.high, other.high) if high is not None]
        return Objects(
            {name: _both(self.member(name), other.member(name)) for name in dict.fromkeys(names)},
            self.other | other.other,
            _merged(self.patterns, other.patterns),
            self.names | other.names,
            max(self.low, other.low),
            min(highs, default=None),
            _united(self.implied, other.implied),
            _united(self.violated, other.violated),
        )

    def _names(self, *, listed: bool) -> list[str]:
        return [name for name, member in self.members.items() if member.is_listed is listed]

    def complement(self) -> tuple[Objects, ...]:
        """All other objects, as alternatives; nothing is `violated`, as no keyword says that."""
        others = []
        if self._is_short_list_of_required:
            # "not both of these" is two cases, with each of which others can still be merged
            others += [Objects({name: Member(NO_VALUE, is_listed=False)}) for name in self.members]
        elif self.members or self.other or self.patterns or self.names:
            bare = Objects(self.members, self.other, self.patterns, self.names)
            others.append(bare.violation())
        for one, other in self.implied:
            others.append(Objects({one: _must(), other: Member(NO_VALUE, is_listed=False)}))
        others += [Objects(high=self.low - 1)] if self.low else []
        return (*others, *([] if self.high is None else [Objects(low=self.high + 1)]))

    @property
    def _is_short_list_of_required(self) -> bool:
        """Whether all that is said is that one or two members must be there."""
        if self.other or self.patterns or self.names or not 1 <= len(self.members) <= 2:
            return False
        return all(m.is_required and not m.value for m in self.members.values())

    def violation(self) -> Objects:
        """The objects of which some member doesn't match or is missing."""
        if len(self.members) == 1 and not (self.other or self.patterns or self.names):
            ((name, member),) = self.members.items()
            if not member.is_required:
                return Objects({name: _must(negation(member.value))})
            if not member.value:
                return Objects({name: Member(NO_VALUE, is_listed=False)})
        return Objects(violated=(self,))

    def why_empty(self) -> str:
        """Why there is no such object, if that is plain without looking at schemas."""
        for name, member in self.members.items():
            if member.is_required and member.value >= NO_VALUE:
                return f'the member "{name}" is required, and is not allowed'
        if self.high is None:
            return ""
        if self.low > self.high:
            return f"minProperties {self.low} is more than maxProperties {self.high}"
        if len(self.required) > self.high:
            return f"{len(self.required)} members are required, and maxProperties is {self.high}"
        return ""

    @property
    def content(self) -> Hashable:
        """What two objects share that say the same, with members in the same order."""
        return (
            tuple((n, m.value, m.is_required, m.is_listed) for n, m in self.members.items()),
            self.other,
            tuple(self.patterns.items()),
            self.names,
            (self.low, self.high),
            frozenset(self.implied),
            frozenset(self.violated),
        )

    @property
    def required(self) -> list[str]:
        """The names of the members that have to be there."""
        return [name for name, member in self.members.items() if member.is_required]

    @property
    def is_free(self) -> bool:
        """Whether required members are all that an object may lack."""
        has_counts = self.low > len(self.required) or self.high is not None
        return not (has_counts or self.names or self.implied or self.violated)

    def needed(self) -> list[Value]:
        """What must have an instance for such an object to exist."""
        return [self.members[name].value for name in self.required]

    def values(self) -> Iterator[Value]:
        """The values inside."""
        yield self.other
        yield from self.patterns.values()
        yield from (member.value for member in self.members.values())


def _in_both_orders(one: list[str], other: list[str]) -> list[str]:
    """The names of both lists, in the order of the first, and of the second where that is open.

    What only the second has comes before the next name that both have, or else last.
    """
    known, waiting, before = set(one), list[str](), dict[str, list[str]]()
    for name in other:
        if name in known:
            before[name], waiting = waiting, []
        else:
            waiting.append(name)
    if not before:
        return [*one, *other]
    return [n for name in one for n in (*before.get(name, ()), name)] + waiting


def _merged(one: Mapping[Regex, Value], other: Mapping[Regex, Value]) -> dict[Regex, Value]:
    keys = dict.fromkeys([*one, *other])
    return {key: one.get(key, ANY_VALUE) | other.get(key, ANY_VALUE) for key in keys}


def _united(one: tuple[T, ...], other: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(one + other))


def _must(value: Value = ANY_VALUE) -> Member:
    return Member(value, is_required=True, is_listed=False)


def _both(one: Member, other: Member) -> Member:
    return Member(
        one.value | other.value,
        one.is_required or other.is_required,
        one.is_listed or other.is_listed,
    )


ANY_OBJECT = Objects()
