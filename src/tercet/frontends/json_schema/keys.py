"""The keys that have no name of their own, cut into classes that are treated alike.

Patterns may overlap; the classes don't. This is algebra of regular languages over keys: what values
they lead to is only carried along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.chardfa import compile_regex
from tercet.automata.combination import Part, accepts, parts
from tercet.automata.enumeration import count_words
from tercet.automata.regex import (
    ANY_CHAR,
    ANY_TEXT,
    Regex,
    both,
    negate,
    repeat,
    text,
    union,
)
from tercet.frontends.json_schema.schema import NO_VALUE, Undecided, Value, conjunction
from tercet.frontends.json_schema.strings import Strings

MOST_CLASSES = 128
"""Classes of keys of one object; patterns that cut them into more are refused."""

_ENDLESS = 2**20  # keys, beyond which no object comes to an end of them


class KeyRules(NamedTuple):
    """Keys are in `names`; values are in `other`, and in those of the patterns that match."""

    names: Regex
    other: Value
    patterns: Mapping[Regex, Value]


class Keys(NamedTuple):
    """The keys of `regex` but those of `without`, and their values by several sets of rules.

    `room` is how many there are, None for more than any object has. With `is_open` every key can go
    on for ever, so that leaving some out is easy.
    """

    regex: Regex
    values: tuple[Value, ...]
    is_finite: bool
    is_open: bool
    without: tuple[str, ...] = ()
    room: int | None = None


def language(strings: Iterable[Strings]) -> Regex:
    """The strings of some alternatives as one language, lengths included."""
    return union(*map(_language, strings))


def _language(strings: Strings) -> Regex:
    if strings.values is not None:
        return union(*map(text, strings.values))
    if strings.low == 0 and strings.high is None:
        return strings.regex
    return both(strings.regex, repeat(ANY_CHAR, strings.low, strings.high))


def split(rules: Sequence[KeyRules]) -> list[Keys]:
    """The classes of the keys that have a value by the first rules, as all rules see them.

    Raises:
        Undecided: there are too many of them.
        GrammarError: the patterns need more states together than is reasonable.
    """
    first, *others = rules
    cuts = [*first.patterns]
    for rule in others:
        cuts += [rule.names, *rule.patterns]
    found = []
    for regex, part in _classes(first.names, tuple(cuts)):
        values, rest = [_value(first, part.bits)], part.bits >> len(first.patterns)
        for rule in others:
            values.append(_value(rule, rest >> 1) if rest & 1 else NO_VALUE)
            rest >>= 1 + len(rule.patterns)
        if not values[0] >= NO_VALUE:
            found.append(Keys(regex, tuple(values), part.is_finite, part.is_open))
    return found


def _value(rule: KeyRules, bits: int) -> Value:
    """What the keys that are in some patterns lead to."""
    inside = (value for n, value in enumerate(rule.patterns.values()) if bits >> n & 1)
    return conjunction((rule.other, *inside))


@lru_cache(maxsize=4096)
def _classes(names: Regex, cuts: tuple[Regex, ...]) -> list[tuple[Regex, Part]]:
    """The classes of keys that the cuts make."""
    found = parts(names, cuts)
    if len(found) > MOST_CLASSES:
        raise Undecided(f"its patterns cut the keys into more than {MOST_CLASSES} classes")
    return [(_class(names, cuts, part.bits, found), part) for part in found]


def _class(names: Regex, cuts: tuple[Regex, ...], bits: int, found: Sequence[Part]) -> Regex:
    """The language of a class in simple words: cuts that change nothing aren't mentioned."""
    inside, outside = [names], list[Regex]()
    for number, cut in enumerate(cuts):
        alike = {part.bits >> number & 1 for part in found if _begin_alike(part.bits, bits, number)}
        if len(alike) > 1:
            (inside if bits >> number & 1 else outside).append(cut)
    return both(*inside, negate(union(*outside)))


def _begin_alike(some: int, others: int, count: int) -> bool:
    return (some ^ others) & ((1 << count) - 1) == 0


def leave_out(keys: Keys, names: Iterable[str]) -> Keys | None:
    """The class without some names, or None if nothing is left."""
    without = tuple(name for name in names if accepts(keys.regex, name))
    if keys.regex is ANY_TEXT:
        return keys._replace(without=without)
    if keys.is_finite:
        room = count_words(compile_regex(keys.regex), (0, None), _ENDLESS) - len(without)
        left = both(keys.regex, negate(union(*map(text, without)))) if without else keys.regex
        limit = None if room > _ENDLESS - len(without) else room
        return keys._replace(regex=left, room=limit, is_open=False) if room else None
    if without and not keys.is_open:
        regex = both(keys.regex, negate(union(*map(text, without))))
        return keys._replace(regex=regex)
    return keys._replace(without=without, is_open=True)


def words(keys: Keys) -> list[str]:
    """All keys of a finite class."""
    return compile_regex(keys.regex).words(keys.room or 0)
