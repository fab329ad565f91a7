"""`unevaluatedProperties`: which keys the schemas at the same place of a value have looked at.

That depends on which branches match, so the keyword becomes a union over the choices of branches.
A choice needs to be possible only, not to be everything that matches: a branch more evaluates more
keys, and so allows more. That is why `anyOf` needs no complements here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.schema import (
    ALWAYS,
    ANY_VALUE,
    NO_VALUE,
    AnyOf,
    ObjectWords,
    Schema,
    Undecided,
    Value,
    conjunction,
    negation,
)

MOST_CHOICES = 256
"""Choices of branches that evaluate different keys."""

DEEPEST = 60
"""Levels of schemas at the same place."""

MOST_BRANCHES = 8
"""Branches of one `anyOf`, as any of them may match together."""


class Choice(NamedTuple):
    """Branches that match, as a value, and the keys that they evaluate; `patterns` may be all."""

    value: Value = ANY_VALUE
    names: frozenset[str] = frozenset()
    patterns: frozenset[Regex] = frozenset()
    has_all: bool = False

    def also(self, other: Choice) -> Choice:
        """Both at once."""
        return Choice(
            conjunction((self.value, other.value)),
            self.names | other.names,
            self.patterns | other.patterns,
            self.has_all or other.has_all,
        )

    @property
    def is_idle(self) -> bool:
        """Whether no key is evaluated, so that the branches don't matter."""
        return not (self.names or self.patterns or self.has_all)


def unevaluated(schema: Schema, inside: Schema) -> list[tuple[Value, Schema | None]]:
    """For each choice what matches then, and the schema that bears on all keys that are left.

    Raises:
        Undecided: there are too many choices.
    """
    return [(choice.value, _rest(choice, inside)) for choice in _choices(schema, 0)]


def _rest(choice: Choice, inside: Schema) -> Schema | None:
    if choice.has_all:
        return None
    words = ObjectWords(
        dict.fromkeys(sorted(choice.names), ALWAYS),
        (),
        inside,
        tuple((keys, ALWAYS) for keys in choice.patterns),
    )
    return Schema(inside.place, objects=words)


def _choices(schema: Schema, depth: int) -> list[Choice]:
    """What a schema evaluates, its own keywords and its parts together."""
    if depth > DEEPEST:
        raise Undecided(f"the schemas that may evaluate keys are nested over {DEEPEST} levels deep")
    found = [_own(schema.objects)]
    for part in (*schema.before, *schema.after):
        found = _product(found, _choices_of_part(part, depth + 1))
    return found


def _own(words: ObjectWords | None) -> Choice:
    if words is None:
        return Choice()
    patterns = frozenset(keys for keys, _ in words.patterns)
    return Choice(
        ANY_VALUE, frozenset(words.properties), patterns, has_all=words.additional is not None
    )


def _choices_of_part(part: Schema | AnyOf, depth: int) -> list[Choice]:
    if isinstance(part, Schema):
        return _inside(part, ANY_VALUE, depth)
    if part.word == "not":
        return [Choice()]
    if part.word == "if":
        condition, then, otherwise = part.options
        yes = _product(
            _inside(condition, condition.atoms, depth), _inside(then, condition.atoms, depth)
        )
        return _distinct([*yes, *_inside(otherwise, negation(condition.atoms), depth)])
    branches = [_inside(option, option.atoms, depth) for option in part.options]
    if part.is_exclusive:
        return _distinct(choice for choices in branches for choice in choices)
    active = [choices for choices in branches if not all(choice.is_idle for choice in choices)]
    if len(active) > MOST_BRANCHES:
        raise Undecided(f"any of more than {MOST_BRANCHES} branches may evaluate keys")
    found = [Choice()]
    for count in range(1, len(active) + 1):
        for chosen in combinations(active, count):
            together = [Choice()]
            for choices in chosen:
                together = _product(together, choices)
            found += together
    return _distinct(found)


def _inside(schema: Schema, value: Value, depth: int) -> list[Choice]:
    """The choices of a schema inside, given that a value matches."""
    if schema.unevaluated is not None:
        return [Choice(value, has_all=True)]
    return _distinct(Choice(value).also(choice) for choice in _choices(schema, depth))


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
        raise Undecided(f"more than {MOST_CHOICES} choices of branches evaluate different keys")
    return list(found)
