"""A schema as it is after reading: checked, its references resolved, its spelling forgotten.

A `Value` is the set of atoms that a JSON value has to match at once; an atom is the own keywords of
one schema, or one `anyOf`. Intersections get their name from what they intersect, so however
recursion and `allOf` are combined, there are finitely many of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tercet.frontends.json_schema.numbers import ANY_NUMBER, Numbers
from tercet.frontends.json_schema.place import ROOT, Place
from tercet.frontends.json_schema.shapes import KINDS
from tercet.frontends.json_schema.strings import ANY_STRING, Strings

ALL_TYPES = frozenset(KINDS)


@dataclass(frozen=True, slots=True, eq=False)
class ArrayWords:
    """The keywords that constrain arrays."""

    prefix: tuple[Schema, ...]
    rest: Schema
    low: int
    high: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ObjectWords:
    """The keywords that constrain objects."""

    properties: dict[str, Schema]
    required: tuple[str, ...]
    additional: Schema


@dataclass(slots=True, eq=False)
class AnyOf:
    """At least one of these must match; `linking` fills in what is below."""

    place: Place
    options: tuple[Schema, ...]
    cases: tuple[Value, ...] = ()
    rank: int = 0
    depth: int = 0


@dataclass(slots=True, eq=False)
class Schema:
    """One schema. Nothing is written into it once it is linked.

    `before` and `after` are what else must match, in the order of the text: the own keywords stand
    between the two. `atoms` is everything that a value has to match, `rank` the order in which
    that is looked at: it decides in which order a merged object writes its members.
    """

    place: Place
    types: frozenset[str] = ALL_TYPES
    values: tuple[Any, ...] | None = None
    numbers: Numbers = ANY_NUMBER
    strings: Strings = ANY_STRING
    arrays: ArrayWords | None = None
    objects: ObjectWords | None = None
    before: list[Schema | AnyOf] = field(default_factory=list)
    after: list[Schema | AnyOf] = field(default_factory=list)
    atoms: Value = frozenset()
    rank: int = 0

    @property
    def has_own_words(self) -> bool:
        """Whether the schema constrains anything besides what `before` and `after` say."""
        return (
            self.types is not ALL_TYPES
            or self.values is not None
            or self.numbers is not ANY_NUMBER
            or self.strings is not ANY_STRING
            or self.arrays is not None
            or self.objects is not None
        )


Atom = Schema | AnyOf
Value = frozenset[Atom]

ANY_VALUE: Value = frozenset()
ALWAYS = Schema(ROOT)
NEVER = Schema(ROOT, types=frozenset())
NO_VALUE: Value = frozenset({NEVER})
NEVER.atoms = NO_VALUE
