"""Quotes: the substrings of a text, from the beginning of a unit to the end of one.

What a unit is stands in `automata.corpus`; a quote is verbatim, whitespace and all.
"""

from __future__ import annotations

from typing import Any, get_args

from tercet.automata.corpus import Corpus, Unit
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.grammar.nodes import Language, Words

_LARGEST = 1 << 28  # characters: places are 32-bit numbers, and a character has up to four bytes


def lower(corpus: Any, unit: Unit) -> Language:
    """The language of all quotes from a text.

    >>> sorted(lower("to be", "word").root.options)
    [b'be', b'to', b'to be']

    Raises:
        GrammarError: the text is too long or no text, or there is no such unit.
        UnsatisfiableError: the text has no unit.
    """
    if not isinstance(corpus, str):
        raise GrammarError(f"a text to quote from, not a {type(corpus).__name__}")
    if unit not in get_args(Unit):
        raise GrammarError(f"there is no unit {unit!r}", hint='use "char", "word" or "line"')
    if len(corpus) > _LARGEST:
        raise GrammarError(f"a text of more than {_LARGEST} characters", hint="quote from parts")
    quotes = Corpus(corpus, unit)
    if not quotes:
        raise UnsatisfiableError("there is nothing to quote", why=f"the text has no {unit}")
    return Language(Words(quotes), {})
