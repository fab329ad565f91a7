"""The canonical form of a value: what each of the JSON kinds may be, and its algebra.

A form is a union over kinds, and within a kind a union over alternatives. Intersection is worked
out kind by kind, alternative by alternative; the complement of a union is the intersection of the
complements of its alternatives. The values inside arrays and objects are only named
(`schema.Value`), so a form is finite however recursive its schema is. How a schema gets its form is
`canonical`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from tercet.frontends.json_schema.arrays import ANY_ARRAY, Arrays
from tercet.frontends.json_schema.numbers import ANY_NUMBER, Numbers
from tercet.frontends.json_schema.objects import ANY_OBJECT, Objects
from tercet.frontends.json_schema.schema import Undecided
from tercet.frontends.json_schema.strings import ANY_STRING, Strings

MOST_CASES = 256
"""Alternatives within one kind; where schemas multiply to more, they are refused."""


class _Kind(Protocol):
    def meet(self, other: Self, /) -> Self: ...

    def complement(self) -> tuple[Self, ...]: ...

    def why_empty(self) -> str: ...


K = TypeVar("K", bound=_Kind)


@dataclass(slots=True)
class Form:
    """A set of JSON values; `constants` are among None, True and False."""

    constants: frozenset[bool | None] = frozenset()
    numbers: tuple[Numbers, ...] = ()
    strings: tuple[Strings, ...] = ()
    arrays: tuple[Arrays, ...] = ()
    objects: tuple[Objects, ...] = ()

    def meet(self, other: Form) -> Form:
        """The values in both.

        Raises:
            Undecided: the alternatives of a kind multiply to more than `MOST_CASES`.
        """
        if self is ANYTHING or other is ANYTHING:
            return other if self is ANYTHING else self
        return Form(
            self.constants & other.constants,
            _meets(self.numbers, other.numbers, ANY_NUMBER),
            _meets(self.strings, other.strings, ANY_STRING),
            _meets(self.arrays, other.arrays, ANY_ARRAY),
            _meets(self.objects, other.objects, ANY_OBJECT),
        )

    def complement(self) -> Form:
        """The values that are not in it.

        Raises:
            Undecided: it has too many alternatives, or they are not of a form that is handled.
        """
        return Form(
            _CONSTANTS - self.constants,
            _others(self.numbers, ANY_NUMBER),
            _others(self.strings, ANY_STRING),
            _others(self.arrays, ANY_ARRAY),
            _others(self.objects, ANY_OBJECT),
        )

    @property
    def containers(self) -> list[Arrays | Objects]:
        """The alternatives that hold values inside, objects first."""
        return [*self.objects, *self.arrays]

    @property
    def kinds(self) -> list[str]:
        """The kinds of its values, for messages."""
        names = ["null"] if None in self.constants else []
        names += ["boolean"] if self.constants - {None} else []
        parts = (self.numbers, self.strings, self.arrays, self.objects)
        names_of_parts = ("number", "string", "array", "object")
        return names + [n for n, part in zip(names_of_parts, parts, strict=True) if part]

    @property
    def has_scalars(self) -> bool:
        """Whether null, a boolean, a number or a string is among the values."""
        return bool(self.constants or self.numbers or self.strings)


_CONSTANTS: frozenset[bool | None] = frozenset({None, True, False})
ANYTHING = Form(_CONSTANTS, (ANY_NUMBER,), (ANY_STRING,), (ANY_ARRAY,), (ANY_OBJECT,))
NOTHING = Form()


def union(forms: Iterable[Form]) -> Form:
    """The values of any of the forms."""
    forms = list(forms)
    return Form(
        frozenset().union(*(form.constants for form in forms)),
        _joined((form.numbers for form in forms), ANY_NUMBER),
        _joined((form.strings for form in forms), ANY_STRING),
        _joined((form.arrays for form in forms), ANY_ARRAY),
        _joined((form.objects for form in forms), ANY_OBJECT),
    )


def _meets(some: tuple[K, ...], others: tuple[K, ...], anything: K) -> tuple[K, ...]:
    for one, other in ((some, others), (others, some)):
        if not one or (len(other) == 1 and other[0] is anything):
            return one
    if len(some) * len(others) > MOST_CASES and min(len(some), len(others)) > 1:
        raise Undecided("multiplied out, they are too many cases to follow")
    met = (one.meet(other) for one in some for other in others)
    return tuple(alternative for alternative in met if not alternative.why_empty())


def _others(alternatives: tuple[K, ...], anything: K) -> tuple[K, ...]:
    found: tuple[K, ...] = (anything,)
    for alternative in alternatives:
        found = _meets(found, alternative.complement(), anything)
    return found


def _joined(parts: Iterable[tuple[K, ...]], anything: K) -> tuple[K, ...]:
    found = tuple(dict.fromkeys(alternative for part in parts for alternative in part))
    return (anything,) if anything in found else found
