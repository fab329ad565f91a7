"""Canonical scalars as texts: numbers and strings become terminals and words of the IR.

This is where quotes, escapes and digits come in. Arrays and objects are `lowering`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from tercet.automata import numbers as decimal_text
from tercet.automata.chardfa import compile_regex
from tercet.automata.decimals import number_spellings
from tercet.automata.jsontext import json_escape
from tercet.automata.regex import NEVER, Regex, both, negate, text, union
from tercet.frontends.json_schema.keys import Keys
from tercet.frontends.json_schema.numbers import Numbers, plain
from tercet.frontends.json_schema.schema import Undecided
from tercet.frontends.json_schema.strings import Strings
from tercet.frontends.regex import node_of
from tercet.grammar.nodes import Node, Terminal, Unseen, alt, lit, seq, term, words

_QUOTE = lit('"')


def quoted(value: str) -> bytes:
    r"""A string as JSON.

    >>> quoted('a"b')
    b'"a\\"b"'
    """
    return b'"' + json_escape(value) + b'"'


def number_node(alternatives: Iterable[Numbers]) -> Node:
    """The texts of some numbers; the alternatives must not all be empty."""
    spans: list[Regex] = []
    listed: list[bytes] = []
    for numbers in alternatives:
        if numbers.values is None:
            spans.append(number_regex(numbers))
        else:
            listed += spellings(numbers)
    regex = union(*spans)
    return alt(*([term(regex)] if regex is not NEVER else []), *([words(listed)] if listed else []))


def spellings(numbers: Numbers) -> Iterator[bytes]:
    """The texts of finitely many numbers."""
    for value in numbers.values or ():
        as_given = value if isinstance(value, int) else Decimal(plain(value))
        yield from number_spellings(int(value) if numbers.whole else as_given)


def number_regex(numbers: Numbers) -> Regex:
    """The plain spellings of an interval or a grid, without what is taken out.

    Raises:
        GrammarError: the step has too many remainders to keep.
    """
    inside = replace(numbers, off=frozenset(), without=frozenset())
    holes = [Numbers(step=step, whole=numbers.whole) for step in sorted(numbers.off)]
    holes += [Numbers(n, high=n, whole=numbers.whole) for n in sorted(numbers.without)]
    return both(_within(inside), *(negate(_within(hole)) for hole in holes))


def _within(numbers: Numbers) -> Regex:
    low, high = numbers.low, numbers.high
    step = None if numbers.step is None else Decimal(plain(numbers.step))
    if numbers.whole:
        least = None if low is None else ceil(low) + (numbers.low_open and low == ceil(low))
        most = None if high is None else floor(high) - (numbers.high_open and high == floor(high))
        if step is None:
            return decimal_text.integer_between(least, most)
        return decimal_text.integer_multiple_of(step, least, most)
    bounds = (_decimal(low), _decimal(high))
    if step is None:
        return decimal_text.number_between(*bounds, numbers.low_open, numbers.high_open)
    return decimal_text.number_multiple_of(
        step, *bounds, lo_open=numbers.low_open, hi_open=numbers.high_open
    )


def _decimal(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(plain(value))


def is_spellable(numbers: Numbers) -> bool:
    """Whether some number of the set has a spelling: digits are bounded, sets of numbers aren't.

    Looked into only where it may fail, as the automata take milliseconds to build.
    """
    if numbers.values is not None:
        return bool(numbers.values)
    if numbers.off or numbers.without:
        return not compile_regex(number_regex(numbers)).is_empty
    low, high = numbers.low, numbers.high
    is_wide = low is None or high is None or high - low > abs(low + high) / 10**6
    if numbers.step is None and (numbers.whole or is_wide):
        return True
    return number_regex(numbers) is not NEVER


def string_node(alternatives: Iterable[Strings]) -> Node:
    """The texts of some strings, with their quotes; no alternative may be empty."""
    plain_regexes: list[Regex] = []
    counted: list[Node] = []
    listed: list[bytes] = []
    for strings in alternatives:
        if strings.values is not None:
            listed += map(quoted, strings.values)
        elif strings.low or strings.high is not None:
            counted.append(node_of(strings.regex, "json", strings.low, strings.high))
        else:
            plain_regexes.append(strings.regex)
    if plain_regexes:
        counted.insert(0, node_of(union(*plain_regexes), "json"))
    inside = [seq(_QUOTE, alt(*counted), _QUOTE)] if counted else []
    return alt(*inside, *([words(listed)] if listed else []))


def new_string_node(alternatives: Iterable[Strings]) -> Node:
    """As `string_node`, but only strings that were not in the array so far.

    Raises:
        Undecided: the engine can't compare what is cut into pieces.
    """
    parts: list[Node] = []
    for strings in alternatives:
        if strings.values is not None:
            inside = term(union(*map(text, strings.values)), "json")
        else:
            inside = node_of(strings.regex, "json", strings.low, strings.high)
        if not isinstance(inside, Terminal):
            raise Undecided("its strings are too long to be compared", "uniqueItems")
        parts.append(Unseen(inside, "string"))
    return seq(_QUOTE, alt(*parts), _QUOTE)


def new_number_node(alternatives: Iterable[Numbers]) -> Node:
    """As `number_node`, but only numbers that were not in the array so far."""
    regexes = [
        number_regex(numbers)
        if numbers.values is None
        else union(*(text(spelling.decode()) for spelling in spellings(numbers)))
        for numbers in alternatives
    ]
    return Unseen(Terminal(union(*regexes), "utf8", 0, None, ()), "number")


def free_key(keys: Keys, *, is_new: bool) -> Node:
    """Any key of a class, with its quotes; a new one is none that was new before."""
    if keys.is_open:
        inside = term(keys.regex, "json", exclude=keys.without)
    else:
        inside = node_of(keys.regex, "json")
    if is_new and isinstance(inside, Terminal):
        inside = Unseen(inside, "string")
    return seq(_QUOTE, inside, _QUOTE)
