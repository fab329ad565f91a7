"""A schema as it is after reading: checked, its references resolved, its spelling forgotten.

A `Value` is the set of atoms that a JSON value has to match at once; an atom is the own keywords of
one schema, one union of values, or the complement of a value. Intersections get their name from
what they intersect, so however recursion, `allOf` and `not` are combined, there are finitely many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.numbers import ANY_DIGITS, ANY_NUMBER, Numbers
from tercet.frontends.json_schema.place import ROOT, Place
from tercet.frontends.json_schema.shapes import KINDS
from tercet.frontends.json_schema.strings import ANY_STRING, Strings

ALL_TYPES = frozenset(KINDS)


@dataclass(slots=True, eq=False)
class ArrayWords:
    """The keywords that constrain arrays.

    For `unevaluatedItems`: whether some keyword looks at every item, and which others, besides the
    first, are looked at because they match.
    """

    prefix: tuple[Schema, ...]
    rest: Schema
    low: int
    high: int | None
    contains: tuple[Schema, int, int | None] | None = None
    distinct: bool = False
    covers_all: bool = False
    evaluating: Schema | None = None


@dataclass(slots=True, eq=False)
class ObjectWords:
    """The keywords that constrain objects; None is a schema that allows everything."""

    properties: dict[str, Schema]
    required: tuple[str, ...]
    additional: Schema | None = None
    patterns: tuple[tuple[Regex, Schema], ...] = ()
    names: Schema | None = None
    low: int = 0
    high: int | None = None
    implied: tuple[tuple[str, str], ...] = ()

    @property
    def is_simple(self) -> bool:
        """Whether nothing has to be worked out before such an object can be written."""
        names = self.names.atoms if self.names else ANY_VALUE
        is_counted = self.low > 0 or self.high is not None
        return not (self.patterns or names or is_counted or self.implied)


@dataclass(slots=True, eq=False)
class AnyOf:
    """At least one of `cases` must match, or exactly one of them; `linking` makes the cases.

    `word` is the keyword it comes from: "anyOf", "oneOf", "not" (of the only option) or "if" (the
    options are the condition and what follows from it and from its opposite).
    """

    place: Place
    options: tuple[Schema, ...]
    word: str = "anyOf"
    cases: tuple[Value, ...] = ()
    rank: int = 0
    depth: int = 0

    @property
    def is_exclusive(self) -> bool:
        """Whether a value that matches two of the cases is out."""
        return self.word == "oneOf"


@dataclass(frozen=True, slots=True)
class Not:
    """Whatever doesn't match `body`; build with `negation`, which knows what needs no atom.

    It stands where the first atom of its body does.
    """

    body: Value
    depth: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", max(atom.depth for atom in self.body))

    @property
    def rank(self) -> int:
        """The least rank in its body."""
        return min(atom.rank for atom in self.body)

    @property
    def place(self) -> Place:
        """Where the first atom of its body stands."""
        return min(self.body, key=lambda atom: atom.rank).place


@dataclass(slots=True, eq=False)
class Schema:
    """One schema. Nothing is written into it once it is linked.

    `unevaluated` is for the members that no other keyword here looks at, `unevaluated_items` for
    such items; `linking` makes unions of them. `before` and `after` are what else must match, in
    the order of the text: the own keywords stand between the two. `atoms` is everything that a
    value has to match, `rank` the order in which that is looked at: it decides in which order a
    merged object writes its members.
    """

    place: Place
    types: frozenset[str] = ALL_TYPES
    values: tuple[Any, ...] | None = None
    numbers: Numbers = ANY_NUMBER
    strings: Strings = ANY_STRING
    arrays: ArrayWords | None = None
    objects: ObjectWords | None = None
    unevaluated: Schema | None = None
    unevaluated_items: Schema | None = None
    before: tuple[Schema | AnyOf, ...] = ()
    after: tuple[Schema | AnyOf, ...] = ()
    atoms: Value = frozenset()
    rank: int = 0
    depth: int = 0

    @property
    def is_delicate(self) -> bool:
        """Whether what it says of arrays may be more than can be enforced."""
        arrays = self.arrays
        return arrays is not None and (arrays.distinct or arrays.contains is not None)

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


Atom = Schema | AnyOf | Not
Value = frozenset[Atom]

ANY_VALUE: Value = frozenset()
ALWAYS = Schema(ROOT)
NEVER = Schema(ROOT, types=frozenset())
NO_VALUE: Value = frozenset({NEVER})
NEVER.atoms = NO_VALUE


@cache
def of_kinds(kinds: frozenset[str]) -> Value:
    """The values of some of the kinds of JSON; it comes last in every order."""
    schema = Schema(ROOT, types=kinds, rank=2**60)
    schema.atoms = frozenset({schema})
    return schema.atoms


def negation(value: Value) -> Value:
    """What a JSON value has to match in order not to match `value`.

    >>> negation(NO_VALUE) == ANY_VALUE, negation(negation(NO_VALUE)) == NO_VALUE
    (True, True)
    """
    if not value or value == NO_VALUE:
        return ANY_VALUE if value else NO_VALUE
    if len(value) > 1:
        return frozenset({Not(value)})
    (atom,) = value
    if isinstance(atom, Not):
        return atom.body
    if isinstance(atom, Schema) or atom.is_exclusive:
        return frozenset({Not(value)})
    return conjunction(map(negation, atom.cases))


def conjunction(values: Iterable[Value]) -> Value:
    """What has to match in order to match all of them."""
    atoms = frozenset[Atom]().union(*values)
    return NO_VALUE if NEVER in atoms else atoms


def is_plain(value: Value) -> bool:
    """Whether one schema's own keywords say it all, so that nothing can go wrong with it."""
    if not value:
        return True
    (atom,) = value if len(value) == 1 else (None,)
    return isinstance(atom, Schema) and not atom.is_delicate


def has_simple_instance(value: Value) -> bool:
    """Whether an instance is there at a glance: nearly always, and then no form is needed."""
    (atom,) = value if len(value) == 1 else (None,)
    if not isinstance(atom, Schema) or atom.values is not None:
        return False
    types, arrays, objects = atom.types, atom.arrays, atom.objects
    return (
        ("string" in types and atom.strings is ANY_STRING)
        or ("object" in types and (objects is None or (objects.is_simple and not objects.required)))
        or ("array" in types and (arrays is None or not (arrays.low or arrays.contains)))
        or (bool(types & _NUMBERS) and atom.numbers in _ANY_NUMBERS)
        or bool(types & _CONSTANTS)
    )


_NUMBERS = frozenset({"integer", "number"})
_CONSTANTS = frozenset({"null", "boolean"})
_ANY_NUMBERS = (ANY_NUMBER, ANY_DIGITS)


class Undecided(Exception):
    """What a schema means can't be worked out within reason; `why` is for people.

    `keyword` is the one that asks for it, "" where several do together.
    """

    def __init__(self, why: str, keyword: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.keyword = keyword
