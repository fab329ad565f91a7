"""Keywords without schemas inside: types, values, numbers and strings, as canonical scalars.

Apart from `reading` because nothing here knows other schemas. Patterns and steps are tried out at
once: what can't be enforced has to be refused now, not in the middle of an answer.
"""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from tercet.automata.formats import FORMATS
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_TEXT, Regex, both
from tercet.errors import GrammarError
from tercet.frontends.json_schema import formats
from tercet.frontends.json_schema.instances import exact, identity, not_json
from tercet.frontends.json_schema.numbers import ANY_NUMBER, Numbers, as_whole
from tercet.frontends.json_schema.place import Document, Place
from tercet.frontends.json_schema.schema import ALL_TYPES
from tercet.frontends.json_schema.shapes import TYPES
from tercet.frontends.json_schema.spelling import has_easy_texts, number_regex
from tercet.frontends.json_schema.strings import ANY_STRING, Strings
from tercet.frontends.json_schema.style import PLAIN, Style
from tercet.frontends.regex import node_of
from tercet.frontends.regex_pieces import is_tame

_ONE_TYPE = {name: frozenset({name}) for name in TYPES}
_NUMBER_WORDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)
_STRING_WORDS = frozenset({"minLength", "maxLength", "pattern", "format"})

MOST_COUNTED = 2**30
"""Counts beyond this are not told apart: a text with as many characters has a gigabyte."""

MOST_CONTAINERS = 10_000
"""Arrays and objects in one enum; each is a case of its own."""


class Assertions:
    """Turns the words of a schema into canonical scalars; `document` is for error messages."""

    def __init__(self, document: Document, style: Style = PLAIN) -> None:
        self._document = document
        self._style = style

    def types(self, words: dict[str, Any]) -> frozenset[str]:
        """The kinds that `type` allows; "integer" only where "number" is not."""
        given = words.get("type")
        if given is None:
            return ALL_TYPES
        types = _ONE_TYPE[given] if isinstance(given, str) else frozenset(given)
        if words.get("nullable"):
            types |= {"null"}
        if "number" in types:
            types -= {"integer"}
        return ALL_TYPES if types == ALL_TYPES else types

    def values(self, words: dict[str, Any], place: Place) -> tuple[Any, ...] | None:
        """What `enum` and `const` both allow, each value once."""
        if "enum" not in words and "const" not in words:
            return None
        given = words["enum"] if "enum" in words else (words["const"],)
        word = "enum" if "enum" in words else "const"
        known: dict[Any, Any] = {}
        for value in given:
            known.setdefault(self._identity(value, place.at(word)), value)
        if sum(isinstance(value, (list, tuple, dict)) for value in given) > MOST_CONTAINERS:
            raise self._document.unsupported(
                place.at(word),
                word,
                why=f"it lists more than {MOST_CONTAINERS} arrays and objects",
                hint="describe their common form instead",
            )
        if word == "enum" and "const" in words:
            only = self._identity(words["const"], place.at("const"))
            return (known[only],) if only in known else ()
        return tuple(known.values())

    def _identity(self, value: Any, place: Place) -> Any:
        if isinstance(value, str) and value.isascii():
            return "string", value
        problem = not_json(value)
        if problem:
            raise self._document.malformed(f'"{place.key}" holds no JSON value', place, why=problem)
        return identity(value)

    def numbers(self, words: dict[str, Any], place: Place) -> Numbers:
        """The bounds and the step."""
        if _NUMBER_WORDS.isdisjoint(words):
            return ANY_NUMBER
        low, low_open = _bound(words, "minimum", 1)
        high, high_open = _bound(words, "maximum", -1)
        step = None if "multipleOf" not in words else Fraction(exact(words["multipleOf"]))
        numbers = Numbers(low, low_open, high, high_open, step)
        if step is not None and not numbers.why_empty():
            is_whole = "integer" in self.types(words)
            self._try_out(as_whole(numbers) if is_whole else numbers, place)
        return numbers

    def _try_out(self, numbers: Numbers, place: Place) -> None:
        """Meet the limits of automata now; usual steps are far from them, and take 20 ms."""
        if has_easy_texts(numbers):
            return
        try:
            number_regex(numbers, self._style)
        except GrammarError as error:
            raise self._document.unsupported(
                place.at("multipleOf"), "multipleOf", why=error.why or error.message
            ) from error

    def strings(self, words: dict[str, Any], place: Place) -> Strings:
        """The language and the lengths."""
        if _STRING_WORDS.isdisjoint(words):
            return ANY_STRING
        low, high = self.counts(words, place, "Length")
        pattern, language = ANY_TEXT, self._format(words, place)
        if "pattern" in words:
            pattern = self.pattern(words["pattern"], place.at("pattern"), "pattern")
        strings = Strings(both(pattern, language), low, high)
        if pattern is not ANY_TEXT or (low or high is not None):
            self._try_out_strings(strings, place.at("pattern" if "pattern" in words else "format"))
        return strings

    def counts(self, words: dict[str, Any], place: Place, what: str) -> tuple[int, int | None]:
        """The least and the greatest count of a kind; what no text can reach is no limit."""
        low, high = int(words.get(f"min{what}", 0)), words.get(f"max{what}")
        if low > MOST_COUNTED:
            raise self._document.unsupported(
                place.at(f"min{what}"), f"min{what}", why="no text is that long"
            )
        return low, None if high is None or high > MOST_COUNTED else int(high)

    def _try_out_strings(self, strings: Strings, place: Place) -> None:
        """Meet the limits of automata now; a small pattern alone can't reach them."""
        is_alone = (strings.low, strings.high) == (0, None)
        if is_alone and is_tame(strings.regex):
            return
        try:
            if not strings.why_empty():
                node_of(strings.regex, "json", strings.low, strings.high)
        except GrammarError as error:
            raise self._document.unsupported(
                place, place.key, why=error.why or error.message
            ) from error

    def pattern(self, pattern: str, place: Place, word: str) -> Regex:
        """The language of a pattern, which stands at a place."""
        try:
            return parse(pattern, "ecma")
        except GrammarError as error:
            if error.message.endswith("is not supported"):  # valid, but not a regular language
                raise self._document.unsupported(
                    place,
                    word,
                    why=f"{error.message}: {error.why}",
                    hint=error.hint,
                ) from error
            raise GrammarError(
                error.message,
                at=place.pointer,
                excerpt=error.excerpt,
                span=error.span,
                why=error.why,
                hint=error.hint,
            ) from error

    def _format(self, words: dict[str, Any], place: Place) -> Regex:
        name: str = words.get("format", "")
        if name in FORMATS:
            return FORMATS[name]
        if name in formats.KNOWN and "string" in self.types(words):
            near = get_close_matches(name, FORMATS, 1)
            raise self._document.unsupported(
                place.at("format"),
                "format",
                why=f'the format "{name}" is not enforced yet',
                hint=f'use the format "{near[0]}"' if near else 'write it as a "pattern"',
            )
        return ANY_TEXT


def _bound(words: dict[str, Any], name: str, sign: int) -> tuple[Fraction | None, bool]:
    """The tighter of a bound and its exclusive form, which in draft 4 is a flag beside it."""
    plain, exclusive = words.get(name), words.get(f"exclusive{name.capitalize()}")
    found = []
    if plain is not None:
        found.append((sign * Fraction(exact(plain)), exclusive is True))
    if exclusive is not None and not isinstance(exclusive, bool):
        found.append((sign * Fraction(exact(exclusive)), True))
    if not found:
        return None, False
    tightest, is_open = max(found)
    return sign * tightest, is_open
