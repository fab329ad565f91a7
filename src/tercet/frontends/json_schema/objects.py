"""The canonical form of objects: the members with a name, in order, and all others.

A member that must not occur is an optional one whose value has no instance, so intersections need
no case of their own for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tercet.frontends.json_schema.schema import (
    ANY_VALUE,
    NO_VALUE,
    Undecided,
    Value,
    negation,
)


@dataclass(frozen=True, slots=True)
class Member:
    """What is known about a key. `is_listed`: it stands under `properties`, not only `required`."""

    value: Value
    is_required: bool = False
    is_listed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """Objects with these members, those listed first, and `other` for every other key."""

    members: dict[str, Member] = field(default_factory=dict)
    other: Value = ANY_VALUE

    def member(self, name: str) -> Member:
        """What is known about a key, whether it has a name here or not."""
        return self.members.get(name) or Member(self.other, is_listed=False)

    def meet(self, other: Objects) -> Objects:
        """The objects that are in both; the order of `self` comes first."""
        if self is ANY_OBJECT or other is ANY_OBJECT:
            return other if self is ANY_OBJECT else self
        names = dict.fromkeys([*self._names(listed=True), *other._names(listed=True)])
        names |= dict.fromkeys([*self._names(listed=False), *other._names(listed=False)])
        return Objects(
            {name: _both(self.member(name), other.member(name)) for name in names},
            self.other | other.other,
        )

    def _names(self, *, listed: bool) -> Iterator[str]:
        return (name for name, member in self.members.items() if member.is_listed is listed)

    def why_empty(self) -> str:
        """Why there is no such object, if that is plain without looking at schemas."""
        for name, member in self.members.items():
            if member.is_required and member.value >= NO_VALUE:
                return f'the member "{name}" is required, and is not allowed'
        return ""

    def complement(self) -> tuple[Objects, ...]:
        """All other objects, as alternatives."""
        if self.other:
            raise Undecided("the complement of objects with other members is not worked out yet")
        others = []
        for name, member in self.members.items():
            if member.value:
                others.append(Objects({name: Member(negation(member.value), is_required=True)}))
            if member.is_required:
                others.append(Objects({name: Member(NO_VALUE)}))
        return tuple(others)

    def can_exist(self, productive: Callable[[Value], bool]) -> bool:
        """Whether there is such an object, given which values have an instance."""
        return set(map(productive, self.needed())) <= {True}

    def needed(self) -> list[Value]:
        """What must have an instance for such an object to exist."""
        return [member.value for member in self.members.values() if member.is_required]


def _both(one: Member, other: Member) -> Member:
    return Member(
        one.value | other.value,
        one.is_required or other.is_required,
        one.is_listed or other.is_listed,
    )


ANY_OBJECT = Objects()
