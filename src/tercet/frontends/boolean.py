"""Boolean algebra of languages: what is in both, what is not in one.

Complements are exact for regular languages, intersections if one of the two is regular. What isn't
is refused: whether two context-free languages have a text in common can't be decided at all.
"""

from __future__ import annotations

from tercet.automata.chardfa import compile_regex
from tercet.automata.regex import Regex, both, negate
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.regex import node_of
from tercet.grammar.nodes import Language
from tercet.grammar.regular import NotRegularError, regular


def complement(language: Language) -> Language:
    """Every text that is not in the language.

    >>> from tercet.grammar.nodes import lit
    >>> complement(Language(lit("a"), {})).root.regex.nullable
    True

    Raises:
        GrammarError: the language isn't regular, or is too large an automaton.
        UnsatisfiableError: every text is in it.
    """
    try:
        regex = regular(language)
    except NotRegularError as error:
        raise GrammarError(
            "~ needs a regular grammar",
            at=error.at,
            why=f"{error.why}, and what is not in such a grammar need not have a grammar at all",
            hint="complement the regular parts that matter, with Grammar.regex",
        ) from None
    return _language(negate(regex), "every text is in the grammar, so none is in its complement")


def intersection(left: Language, right: Language) -> Language:
    """The texts that are in both languages.

    Raises:
        GrammarError: neither language is regular, or the automaton is too large.
        UnsatisfiableError: no text is in both.
    """
    found: list[Regex] = []
    for language in (left, right):
        try:
            found.append(regular(language))
        except NotRegularError as error:
            raise GrammarError(
                "& needs regular grammars",
                at=error.at,
                why=error.why,
                hint="check the other condition on the value, after it was read",
            ) from None
    return _language(both(*found), "the two grammars have no text in common")


def _language(regex: Regex, why: str) -> Language:
    if compile_regex(regex).is_empty:
        raise UnsatisfiableError("no text can match", why=why)
    return Language(node_of(regex, "utf8"), {})
