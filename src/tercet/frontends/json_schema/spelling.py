"""Canonical scalars as texts: numbers and strings become terminals and words of the IR.

This is where quotes, escapes and digits come in. Arrays and objects are `lowering`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from tercet.automata import numbers as decimal_text
from tercet.automata.chardfa import compile_regex
from tercet.automata.decimals import number_spellings
from tercet.automata.jsontext import json_escape
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_TEXT, NEVER, Regex, both, negate, text, union
from tercet.frontends.json_schema.keys import Keys
from tercet.frontends.json_schema.numbers import Numbers, has_short, plain
from tercet.frontends.json_schema.schema import Undecided
from tercet.frontends.json_schema.strings import Strings
from tercet.frontends.json_schema.style import PLAIN, Style
from tercet.frontends.regex import node_of
from tercet.frontends.regex_pieces import is_tame
from tercet.grammar.nodes import Encoding, Node, Terminal, Unseen, alt, lit, seq, term, words

_QUOTE = lit('"')

MOST_RESPELLED = 200
"""Numbers of an enum of which every spelling is followed: some 330 states each."""

_SAME_AS_DOUBLE = (
    r"-?([0-9]+|(0\.0*([1-8][0-9]{0,16}|9[0-9]{0,15})|[0-9.]{1,17})([eE][-+]?[0-9]+)?)"
)
"""Few enough digits that a program which reads a double doesn't get an integer for a fraction."""

MOST_COMPARED = 100_000
"""Characters of all strings of an enum whose values must differ."""

BATCH = 5000
"""Characters of strings that become one automaton."""


def quoted(value: str) -> bytes:
    r"""A string as JSON.

    >>> quoted('a"b')
    b'"a\\"b"'
    """
    return b'"' + json_escape(value) + b'"'


def number_node(alternatives: Iterable[Numbers], style: Style = PLAIN) -> Node:
    """The texts of some numbers; the alternatives must not all be empty."""
    spans: list[Regex] = []
    listed: list[bytes] = []
    for numbers in alternatives:
        if numbers.values is None:
            spans.append(number_regex(numbers, style))
        elif _is_free(numbers, style):
            spans += map(_every_spelling, numbers.values)
        else:
            listed += spellings(numbers)
    texts = [term(span) for span in spans if span is not NEVER]  # together, too many states
    return alt(*texts, *([words(listed)] if listed else []))


def spellings(numbers: Numbers) -> Iterator[bytes]:
    """The plain texts of finitely many numbers."""
    for value in numbers.values or ():
        as_given = value if isinstance(value, int) else Decimal(plain(value))
        yield from number_spellings(int(value) if numbers.whole else as_given)


def number_regex(numbers: Numbers, style: Style = PLAIN) -> Regex:
    """The spellings of some numbers, without what is taken out.

    Raises:
        GrammarError: the step has too many remainders to keep.
    """
    if numbers.values is not None and _is_free(numbers, style):
        return union(*map(_every_spelling, numbers.values))
    if numbers.values is not None:
        return union(*(text(spelled.decode()) for spelled in spellings(numbers)))
    spelling: Literal["plain", "any"] = "any" if _is_free(numbers, style) else "plain"
    found = [_within(replace(numbers, off=frozenset(), without=frozenset()), spelling)]
    if numbers.whole and spelling == "plain":
        holes = [Numbers(step=step, whole=True) for step in sorted(numbers.off)]
        holes += [Numbers(n, high=n, whole=True) for n in sorted(numbers.without)]
        return both(*found, *(negate(_within(hole)) for hole in holes))
    for step in map(_decimal, sorted(numbers.off)):  # of what is taken out, every spelling
        multiples = decimal_text.number_multiple_of(step or 1, spelling="any")
        found += [decimal_text.all_spellings(step), negate(multiples)]
    if numbers.off:
        found.append(parse(_SAME_AS_DOUBLE))
    if numbers.without:
        taken = (decimal_text.number_regex(_decimal(n) or 0, "any") for n in numbers.without)
        found += [decimal_text.all_spellings(), negate(union(*taken))]
    return both(*found)


def _every_spelling(value: int | Fraction) -> Regex:
    return decimal_text.number_regex(Decimal(plain(Fraction(value))), "any")


def _is_free(numbers: Numbers, style: Style) -> bool:
    return style.numbers == "any" and not (numbers.whole and numbers.digits_only)


def _within(numbers: Numbers, spelling: Literal["plain", "any"] = "plain") -> Regex:
    low, high = numbers.low, numbers.high
    step = None if numbers.step is None else Decimal(plain(numbers.step))
    if numbers.whole:
        least = None if low is None else ceil(low) + (numbers.low_open and low == ceil(low))
        most = None if high is None else floor(high) - (numbers.high_open and high == floor(high))
        if step is None:
            return decimal_text.integer_between(least, most, spelling=spelling)
        return decimal_text.integer_multiple_of(step, least, most, spelling=spelling)
    bounds = (_decimal(low), _decimal(high))
    opens = numbers.low_open, numbers.high_open
    if step is None:
        return decimal_text.number_between(*bounds, *opens, spelling=spelling)
    return decimal_text.number_multiple_of(
        step, *bounds, lo_open=opens[0], hi_open=opens[1], spelling=spelling
    )


def _decimal(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(plain(value))


def is_spellable(numbers: Numbers, style: Style = PLAIN) -> bool:
    """Whether some number of the set has a spelling: digits are bounded, sets of numbers aren't.

    Looked into only where it may fail, as the automata take milliseconds to build.
    """
    if numbers.values is not None:
        if len(numbers.values) > MOST_RESPELLED and _is_free(numbers, style):
            why = f"more than {MOST_RESPELLED} numbers in every spelling are too many"
            raise Undecided(why, "enum")
        return bool(numbers.values)
    if numbers.off or numbers.without:
        return not compile_regex(number_regex(numbers, style)).is_empty
    low, high = numbers.low, numbers.high
    is_wide = low is None or high is None or high - low > abs(low + high) / 10**6
    if numbers.step is None and (numbers.whole or is_wide):
        return True
    return has_easy_texts(numbers) or number_regex(numbers, style) is not NEVER


def has_easy_texts(numbers: Numbers) -> bool:
    """Whether a set that isn't finite is sure to have an automaton, which accepts something."""
    return decimal_text.is_easy(_decimal(numbers.grid) or 1) and has_short(numbers)


def string_node(alternatives: Iterable[Strings], style: Style = PLAIN) -> Node:
    """The texts of some strings, with their quotes; no alternative may be empty."""
    plain_regexes: list[Regex] = []
    counted: list[Node] = []
    listed: list[str] = []
    for strings in alternatives:
        if strings.values is not None:
            listed += strings.values
        elif strings.low or strings.high is not None:
            counted.append(node_of(strings.regex, style.encoding, strings.low, strings.high))
        else:
            plain_regexes.append(strings.regex)
    whole = union(*plain_regexes)
    parts = [whole] if plain_regexes and is_tame(whole) else plain_regexes
    counted = [*(node_of(part, style.encoding) for part in parts), *counted]
    inside = [seq(_QUOTE, alt(*counted), _QUOTE)] if counted else []
    return alt(*inside, *([_listed(listed, style)] if listed else []))


def _listed(values: list[str], style: Style) -> Node:
    if style.strings == "plain":
        return words(map(quoted, values))
    return alt(*(key_node(value, style) for value in values))


def key_node(value: str, style: Style = PLAIN) -> Node:
    """One string, with its quotes."""
    if style.strings == "plain":
        return lit(quoted(value))
    return seq(_QUOTE, term(text(value), style.encoding), _QUOTE) if value else lit('""')


def new_string_node(alternatives: Iterable[Strings]) -> Node:
    """As `string_node`, but only strings that were not in the array so far.

    Raises:
        Undecided: the engine can't compare what is cut into pieces.
    """
    new = (Unseen(terminal, "string") for terminal in string_terminals(alternatives))
    return seq(_QUOTE, alt(*new), _QUOTE)


def string_terminals(alternatives: Iterable[Strings]) -> list[Terminal]:
    """The insides of some strings that are to be compared.

    They are written plainly in every style, because engines compare them as they are written.

    Raises:
        Undecided: the engine can't compare what is cut into pieces.
    """
    parts: list[Node] = []
    for strings in alternatives:
        if strings.values is not None:
            parts += (term(union(*map(text, some)), "json") for some in _batches(strings.values))
        else:
            parts.append(node_of(strings.regex, "json", strings.low, strings.high))
    if not all(isinstance(part, Terminal) for part in parts):
        raise Undecided("its strings are too long to be compared", "uniqueItems")
    return [part for part in parts if isinstance(part, Terminal)]


def _batches(values: Sequence[str]) -> Iterator[list[str]]:
    """The strings in parts that are small automata each."""
    if sum(map(len, values)) > MOST_COMPARED:
        raise Undecided(f"its strings have more than {MOST_COMPARED} characters", "uniqueItems")
    batch: list[str] = []
    for value in sorted(values):
        batch.append(value)
        if sum(map(len, batch)) > BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def new_number_node(alternatives: Iterable[Numbers], style: Style = PLAIN) -> Node:
    """As `number_node`, but only numbers that were not in the array so far."""
    terminals = number_terminals(alternatives, style)
    return alt(*(Unseen(terminal, "number") for terminal in terminals))


def number_terminals(alternatives: Iterable[Numbers], style: Style) -> Iterator[Terminal]:
    """Some numbers that are to be compared."""
    regexes = (number_regex(numbers, style) for numbers in alternatives)
    return (Terminal(regex, "utf8", 0, None, ()) for regex in regexes if regex is not NEVER)


@dataclass(frozen=True, slots=True)
class PlainKeys:
    """Writes the keys of objects."""

    style: Style

    def named(self, name: str) -> Node:
        """A declared key, with its quotes."""
        return key_node(name, self.style)

    def free(self, keys: Keys, *, is_new: bool) -> Node:
        """Any key of a class, with its quotes; a new one is none that was new before."""
        encoding: Encoding = "json" if is_new else self.style.encoding
        if keys.is_open:
            inside = term(keys.regex, encoding, exclude=keys.without)
        else:
            inside = node_of(keys.regex, encoding)
        if is_new and isinstance(inside, Terminal):
            inside = Unseen(inside, "string")
        return seq(_QUOTE, inside, _QUOTE)


def other_key(names: Iterable[str], style: Style = PLAIN) -> Node:
    """Any key but these, with its quotes."""
    return seq(_QUOTE, term(ANY_TEXT, style.encoding, exclude=names), _QUOTE)
