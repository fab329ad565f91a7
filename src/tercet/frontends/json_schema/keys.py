"""The keys that have no name of their own, cut into classes that are treated alike.

Patterns may overlap; the classes don't. This is algebra of regular languages over keys: what values
they lead to is only carried along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.chardfa import CharDFA, compile_regex
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
from tercet.frontends.regex import matches

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
    without: tuple[str, ...] = ()
    room: int | None = None
    is_open: bool = True


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
    for regex, bits in _classes(first.names, tuple(cuts)):
        values, rest = [_value(first, bits)], bits >> len(first.patterns)
        for rule in others:
            values.append(_value(rule, rest >> 1) if rest & 1 else NO_VALUE)
            rest >>= 1 + len(rule.patterns)
        if not values[0] >= NO_VALUE:
            found.append(Keys(regex, tuple(values)))
    return found


def _value(rule: KeyRules, bits: int) -> Value:
    """What the keys that are in some patterns lead to."""
    inside = (value for n, value in enumerate(rule.patterns.values()) if bits >> n & 1)
    return conjunction((rule.other, *inside))


class _Class(NamedTuple):
    """Keys inside of some cuts and outside of others; `bits` are the cuts they are inside of."""

    inside: tuple[Regex, ...]
    outside: tuple[Regex, ...]
    automaton: CharDFA
    bits: int = 0


@lru_cache(maxsize=4096)
def _classes(names: Regex, cuts: tuple[Regex, ...]) -> list[tuple[Regex, int]]:
    """The classes, each with the bits of the cuts that it is inside of."""
    everything = compile_regex(names)
    classes = [] if everything.is_empty else [_Class((names,), (), everything)]
    for number, cut in enumerate(cuts):
        classes = [part for one in classes for part in _cut(one, cut, 1 << number)]
        if len(classes) > MOST_CLASSES:
            raise Undecided(f"its patterns cut the keys into more than {MOST_CLASSES} classes")
    return [(both(*one.inside, negate(union(*one.outside))), one.bits) for one in classes]


def _cut(one: _Class, cut: Regex, bit: int) -> list[_Class]:
    inside = one.automaton & compile_regex(cut)
    if inside.is_empty:  # then the class stays what it is, in simpler words
        return [one]
    outside = one.automaton - compile_regex(cut)
    bits = one.bits | bit
    if outside.is_empty:
        return [one._replace(bits=bits)]
    return [
        _Class((*one.inside, cut), one.outside, inside, bits),
        _Class(one.inside, (*one.outside, cut), outside, one.bits),
    ]


def leave_out(keys: Keys, names: Iterable[str]) -> Keys | None:
    """The class without some names, or None if nothing is left."""
    without = tuple(name for name in names if matches(keys.regex, name))
    if keys.regex is ANY_TEXT:
        return keys._replace(without=without)
    automaton = compile_regex(keys.regex)
    if automaton.is_finite:
        room = count_words(automaton, (0, None), _ENDLESS) - len(without)
        left = both(keys.regex, negate(union(*map(text, without)))) if without else keys.regex
        limit = None if room > _ENDLESS - len(without) else room
        return keys._replace(regex=left, room=limit, is_open=False) if room else None
    if without and not _goes_on(automaton.rows):
        regex = both(keys.regex, negate(union(*map(text, without))))
        return keys._replace(regex=regex, is_open=False)
    return keys._replace(without=without)


def _goes_on(rows: tuple[tuple[int, ...], ...]) -> bool:
    """Whether every state can be followed by texts of any length: none of them is a last one."""
    return all(max(row, default=-1) >= 0 for row in rows)


def words(keys: Keys) -> list[str]:
    """All keys of a finite class."""
    return compile_regex(keys.regex).words(keys.room or 0)
