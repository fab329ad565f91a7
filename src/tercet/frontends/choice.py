"""A choice among Python values, each written bare as `str(value)`.

The texts are what the model writes; the mapping back is what the caller gets. Nothing here is JSON:
a `Literal` type has quotes, a choice has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tercet.automata.jsontext import json_escape
from tercet.automata.lexicon import Lexicon
from tercet.errors import GrammarError
from tercet.grammar.nodes import Language, Words, words

MANY = 1000
"""Options from here on are an automaton that shares endings too, not a trie."""


def lower(options: Sequence[Any]) -> tuple[Language, dict[str, Any]]:
    """The language of the options' texts, and which option each text means.

    >>> language, values = lower([1, 2.5, "three"])
    >>> language.root
    Words((b'1', b'2.5', b'three'))
    >>> values["2.5"]
    2.5

    Raises:
        GrammarError: there are no options, or two different ones have the same text.
    """
    values = dict(zip(map(str, options), options, strict=True))
    if len(values) < len(options):
        values = _distinct(options)
    if not values:
        raise GrammarError("a choice needs at least one option")
    texts = list(values)
    if len(texts) < MANY:
        json_escape("".join(texts))  # refuses what UTF-8 can't spell
        return Language(words(text.encode() for text in texts), {}), values
    return Language(Words(Lexicon(texts)), {}), values


def _distinct(options: Iterable[Any]) -> dict[str, Any]:
    """Each option by its text, where some come twice."""
    values: dict[str, Any] = {}
    for option in options:
        text = str(option)
        known = values.setdefault(text, option)
        if known is not option and (type(known) is not type(option) or known != option):
            raise GrammarError(
                f"two options are written {text!r}",
                why=f"{known!r} and {option!r} have the same text, so the answer is ambiguous",
                hint="give options that differ as text",
            )
    return values
