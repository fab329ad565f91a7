"""`unevaluatedProperties`, `unevaluatedItems`: what the schemas at the same place have looked at.

That depends on which branches match, so the keyword becomes a union over the choices of branches.
A choice needs to be possible only, not to be everything that matches: a branch more evaluates more,
and so allows more. That is why `anyOf` needs no complements here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.schema import (
    ALWAYS,
    ANY_VALUE,
    NO_VALUE,
    AnyOf,
    ArrayWords,
    ObjectWords,
    Schema,
    Undecided,
    Value,
    conjunction,
    negation,
)

MOST_CHOICES = 256
"""Choices of branches that evaluate different things."""

DEEPEST = 60
"""Levels of schemas at the same place."""

MOST_BRANCHES = 8
"""Branches of one `anyOf`, as any of them may match together."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is evaluated: keys by name and pattern, or the first items and those that match."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[Regex] = frozenset()
    length: int = 0
    matching: frozenset[Schema] = frozenset()
    has_all: bool = False

    def __or__(self, other: Seen) -> Seen:
        return Seen(
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.length, other.length),
            self.matching | other.matching,
            self.has_all or other.has_all,
        )


NOTHING_SEEN = Seen()


class Choice(NamedTuple):
    """Branches that match, as a value, and what they evaluate."""

    value: Value = ANY_VALUE
    seen: Seen = NOTHING_SEEN

    def also(self, other: Choice) -> Choice:
        """Both at once."""
        return Choice(conjunction((self.value, other.value)), self.seen | other.seen)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is evaluated, so that the branches don't matter."""
        return self.seen == NOTHING_SEEN


def unevaluated_members(schema: Schema, inside: Schema) -> list[tuple[Value, Schema | None]]:
    """For each choice what matches then, and the schema that bears on all keys that are left.

    Raises:
        Undecided: there are too many choices.
    """
    choices = _Branches(_keys).choices(schema)
    return [(choice.value, _other_members(choice.seen, inside)) for choice in choices]


def unevaluated_items(schema: Schema, inside: Schema) -> list[tuple[Value, Schema | None]]:
    """The same for the items of arrays."""
    choices = _Branches(_items).choices(schema)
    return [(choice.value, _other_items(choice.seen, inside)) for choice in choices]


def _keys(schema: Schema) -> Seen:
    """The keys that the own keywords of a schema evaluate."""
    words = schema.objects
    if schema.unevaluated is not None:
        return Seen(has_all=True)
    if words is None:
        return NOTHING_SEEN
    patterns = frozenset(keys for keys, _ in words.patterns)
    return Seen(frozenset(words.properties), patterns, has_all=words.additional is not None)


def _other_members(seen: Seen, inside: Schema) -> Schema | None:
    if seen.has_all:
        return None
    words = ObjectWords(
        dict.fromkeys(sorted(seen.names), ALWAYS),
        (),
        inside,
        tuple((keys, ALWAYS) for keys in seen.patterns),
    )
    return Schema(inside.place, objects=words)


def _items(schema: Schema) -> Seen:
    """The items that the own keywords of a schema evaluate."""
    words = schema.arrays
    if schema.unevaluated_items is not None:
        return Seen(has_all=True)
    if words is None:
        return NOTHING_SEEN
    matching = frozenset[Schema]() if words.evaluating is None else frozenset({words.evaluating})
    return Seen(length=len(words.prefix), matching=matching, has_all=words.covers_all)


def _other_items(seen: Seen, inside: Schema) -> Schema | None:
    if seen.has_all:
        return None
    rest = inside
    if seen.matching:
        options = (inside, *sorted(seen.matching, key=lambda schema: schema.place.pointer))
        rest = Schema(inside.place, after=(AnyOf(inside.place, options),))
    return Schema(inside.place, arrays=ArrayWords((ALWAYS,) * seen.length, rest, 0, None))


class _Branches:
    """Goes through the parts of a schema; `own` says what its own keywords evaluate."""

    def __init__(self, own: Callable[[Schema], Seen]) -> None:
        self._own = own

    def choices(self, schema: Schema) -> list[Choice]:
        """What the schema's parts and its other keywords evaluate together."""
        return self._together(schema, replace(schema, unevaluated=None, unevaluated_items=None), 0)

    def _together(self, schema: Schema, own: Schema, depth: int) -> list[Choice]:
        if depth > DEEPEST:
            raise Undecided(f"the schemas that may evaluate it are nested over {DEEPEST} levels")
        found = [Choice(ANY_VALUE, self._own(own))]
        for part in (*schema.before, *schema.after):
            found = _product(found, self._part(part, depth + 1))
        return found

    def _part(self, part: Schema | AnyOf, depth: int) -> list[Choice]:
        if isinstance(part, Schema):
            return self._inside(part, ANY_VALUE, depth)
        if part.word == "not":
            return [Choice()]
        if part.word == "if":
            return self._condition(part, depth)
        branches = [self._inside(option, option.atoms, depth) for option in part.options]
        if part.is_exclusive:
            return _distinct(choice for choices in branches for choice in choices)
        return _any(branches)

    def _condition(self, part: AnyOf, depth: int) -> list[Choice]:
        condition, then, otherwise = part.options
        yes = _product(
            self._inside(condition, condition.atoms, depth),
            self._inside(then, condition.atoms, depth),
        )
        return _distinct([*yes, *self._inside(otherwise, negation(condition.atoms), depth)])

    def _inside(self, schema: Schema, value: Value, depth: int) -> list[Choice]:
        """The choices of a schema inside, given that a value matches."""
        if self._own(schema).has_all:
            return [Choice(value, Seen(has_all=True))]
        together = self._together(schema, schema, depth)
        return _distinct(Choice(value).also(choice) for choice in together)


def _any(branches: list[list[Choice]]) -> list[Choice]:
    """At least one of the branches; those that evaluate nothing don't matter."""
    active = [choices for choices in branches if not all(choice.is_idle for choice in choices)]
    if len(active) > MOST_BRANCHES:
        raise Undecided(f"any of more than {MOST_BRANCHES} branches may evaluate something")
    found = [Choice()]
    for count in range(1, len(active) + 1):
        for chosen in combinations(active, count):
            together = [Choice()]
            for choices in chosen:
                together = _product(together, choices)
            found += together
    return _distinct(found)


def _product(some: list[Choice], others: list[Choice]) -> list[Choice]:
    return _distinct(one.also(other) for one in some for other in others)


def _distinct(choices: Iterable[Choice]) -> list[Choice]:
    """Each choice once, without those that can't be; none of them says more than it has to."""
    found: dict[Choice, None] = {}
    for choice in choices:
        simple = Choice() if choice.is_idle else choice
        if choice.value != NO_VALUE:
            found[simple] = None
    if len(found) > MOST_CHOICES:
        raise Undecided(f"more than {MOST_CHOICES} choices of branches evaluate different things")
    return list(found)
