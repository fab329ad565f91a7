"""Which values are finitely many, and which they are.

Arrays without equal items have to know: a comma must not promise an item that isn't left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import product
from math import ceil, floor, prod
from operator import or_
from typing import Any

from tercet.automata.chardfa import CharDFA, compile_regex, with_length
from tercet.automata.enumeration import LONGEST, count_words
from tercet.automata.regex import text, union
from tercet.errors import GrammarError
from tercet.frontends.json_schema.arrays import Arrays
from tercet.frontends.json_schema.canonical import Canonical
from tercet.frontends.json_schema.instances import identity
from tercet.frontends.json_schema.numbers import Numbers, plain
from tercet.frontends.json_schema.objects import Objects
from tercet.frontends.json_schema.schema import NO_VALUE, Undecided, Value
from tercet.frontends.json_schema.strings import Strings

DEEPEST = 20
"""Levels of nesting of values that are listed."""

MOST_COUNTED = 2**30
"""Values beyond which there is no end of them: a text with as many has a gigabyte."""


class TooMany(Exception):
    """There are more values than are worth listing, or no end of them."""


def listed(value: Value, canonical: Canonical, most: int, depth: int = 0) -> list[Any]:
    """All JSON values that match, each once.

    Raises:
        TooMany: there are more than `most`.
    """
    if depth > DEEPEST:
        raise TooMany
    form = canonical.form(value)
    found: dict[Any, Any] = {identity(item): item for item in form.constants}

    def add(items: Iterable[Any]) -> None:
        for item in items:
            found.setdefault(identity(item), item)
            if len(found) > most:
                raise TooMany

    for numbers in form.numbers:
        add(number_values(numbers, most))
    for strings in form.strings:
        add(string_values(strings, most))
    for arrays in form.arrays:
        add(_arrays(arrays, canonical, most, depth))
    for objects in form.objects:
        add(_objects(objects, canonical, most, depth))
    return list(found.values())


def number_values(numbers: Numbers, most: int) -> Iterator[int | Decimal]:
    """The values of a finite set of numbers; raises `TooMany` for another."""
    count = number_count(numbers)
    if count is None or count > most:
        raise TooMany
    values: Iterable[int | Fraction] = numbers.values or ()
    if numbers.values is None:
        low, step = numbers.low or Fraction(0), numbers.grid or Fraction(1)
        first = ceil(low / step) + (numbers.low_open and (low / step).denominator == 1)
        values = ((first + number) * step for number in range(count))
    for value in values:
        yield int(value) if value.denominator == 1 else Decimal(plain(Fraction(value)))


def number_count(numbers: Numbers) -> int | None:
    """How many numbers there are, None for no end.

    Raises:
        Undecided: they lie so close together that it depends on their spelling.
    """
    if numbers.values is not None:
        return len(set(numbers.values))
    if numbers.low is None or numbers.high is None:
        return None
    if numbers.grid is None:
        if numbers.low == numbers.high:
            return 1
        if numbers.high - numbers.low > abs(numbers.low + numbers.high) / 10**6:
            return None
        raise Undecided("its numbers lie too close together", "uniqueItems")
    first, last = numbers.low / numbers.grid, numbers.high / numbers.grid
    count = floor(last) - ceil(first) + 1
    count -= numbers.low_open and first.denominator == 1
    return count - (numbers.high_open and last.denominator == 1)


def string_count(strings: Strings) -> int | None:
    """How many strings there are, None for no end: more than any text has room for.

    Raises:
        Undecided: it would take too long to count them.
    """
    if strings.values is not None:
        return len(strings.values)
    dfa = compile_regex(strings.regex)
    return _count_words(dfa, strings.low, strings.high)


def strings_count(alternatives: Sequence[Strings]) -> int | None:
    """How many strings there are in all of the alternatives together."""
    counts = [string_count(strings) for strings in alternatives]
    if None in counts or len(counts) == 1:
        return None if None in counts else counts[0]
    dfas = [_automaton(strings) for strings in alternatives]
    return _count_words(reduce(or_, dfas), 0, None)


def _automaton(strings: Strings) -> CharDFA:
    if strings.values is not None:
        return compile_regex(union(*map(text, strings.values)))
    dfa = compile_regex(strings.regex)
    if strings.low == 0 and strings.high is None:
        return dfa
    return with_length(dfa, strings.low, strings.high)


def _count_words(dfa: CharDFA, low: int, high: int | None) -> int | None:
    if high is None and not dfa.is_finite:
        return None
    try:
        count = count_words(dfa, (low, high), MOST_COUNTED)
    except GrammarError as error:
        why = f"its strings may have more than {LONGEST} characters"
        raise Undecided(why, "uniqueItems") from error
    return None if count > MOST_COUNTED else count


def string_values(strings: Strings, most: int) -> Sequence[str]:
    """The strings of a finite set; raises `TooMany` for another."""
    if strings.values is not None:
        return strings.values
    count = string_count(strings)
    if count is None or count > most:
        raise TooMany
    return _automaton(strings).words(count)


def _arrays(arrays: Arrays, canonical: Canonical, most: int, depth: int) -> Iterator[list[Any]]:
    high = arrays.high
    if arrays.rest == NO_VALUE:
        high = len(arrays.prefix) if high is None else min(high, len(arrays.prefix))
    if arrays.shares or arrays.distinct or high is None or high > most:
        raise TooMany
    items = [listed(arrays.item(n), canonical, most, depth + 1) for n in range(high)]
    for length in range(arrays.low, high + 1):
        if prod(map(len, items[:length])) > most:
            raise TooMany
        yield from map(list, product(*items[:length]))


def _objects(
    objects: Objects, canonical: Canonical, most: int, depth: int
) -> Iterator[dict[str, Any]]:
    if not objects.is_free or objects.patterns or objects.other != NO_VALUE:
        raise TooMany
    members: list[list[tuple[str, Any] | None]] = []
    for name, member in objects.members.items():
        values = listed(member.value, canonical, most, depth + 1)
        absent: list[tuple[str, Any] | None] = [] if member.is_required else [None]
        members.append([*((name, value) for value in values), *absent])
    if prod(map(len, members)) > most:
        raise TooMany
    for pairs in product(*members):
        yield dict(pair for pair in pairs if pair is not None)
