"""Boolean algebra of languages: what is in both, what is not in one.

Complements are exact for regular languages, intersections if one of the two is regular. What isn't
is refused: whether two context-free languages have a text in common can't be decided at all.
"""

from __future__ import annotations

from tercet.automata.automaton import explore
from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.regex import Regex, both, negate
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.regex import node_of
from tercet.grammar.nodes import NOTHING, Language
from tercet.grammar.product import product
from tercet.grammar.regular import NotRegularError, regular

_NOTHING_IN_COMMON = "the two grammars have no text in common"


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
        GrammarError: neither language is regular, or together they are too large.
        UnsatisfiableError: no text is in both.
    """
    found: list[Regex] = []
    others: list[Language] = []
    for language in (left, right):
        try:
            found.append(regular(language))
        except NotRegularError as error:
            others.append(language)
            refusal = error
    if len(others) == 2:
        raise GrammarError(
            "& needs a regular grammar on one side",
            at=refusal.at,
            why=f"neither is: {refusal.why}",
            hint="check the other condition on the value, after it was read",
        )
    if not others:
        return _language(both(*found), _NOTHING_IN_COMMON)
    met = product(others[0], found[0])
    if met.root is NOTHING:
        raise UnsatisfiableError("no text can match", why=_NOTHING_IN_COMMON)
    return met


def gap(language: Language, before: str, after: str) -> Language:
    """What can stand between two texts such that all of it together is in the language.

    >>> from tercet.grammar.nodes import words
    >>> root = gap(Language(words([b"cat", b"cut", b"bat"]), {}), "c", "t").root
    >>> compile_regex(root.regex).words(9)
    ['a', 'u']

    Raises:
        GrammarError: the language isn't regular, or is too large an automaton.
        UnsatisfiableError: nothing fits.
    """
    try:
        dfa = compile_regex(regular(language))
    except NotRegularError as error:
        raise GrammarError(
            "a gap needs a regular grammar",
            at=error.at,
            why=error.why,
            hint="write the grammar of what stands in the gap",
        ) from None
    start = _after(dfa, 0, before)
    finals = [_after(dfa, state, after) for state in range(len(dfa.rows))]
    ends = [start >= 0 and final >= 0 and dfa.accept[final] for final in finals]
    alphabet = "".join(chr(charset.ranges[0][0]) for charset in dfa.classes)

    def step(state: int, char: str) -> int | None:
        target = dfa.step(state, ord(char))
        return None if target < 0 else target

    regex = explore(max(start, 0), step, lambda state: ends[state], alphabet, dfa.classes)
    return _language(regex, "nothing fits between the two texts")


def _after(dfa: CharDFA, state: int, text: str) -> int:
    """The state after a text, or -1."""
    for char in text:
        if state >= 0:
            state = dfa.step(state, ord(char))
    return state


def _language(regex: Regex, why: str) -> Language:
    if compile_regex(regex).is_empty:
        raise UnsatisfiableError("no text can match", why=why)
    return Language(node_of(regex, "utf8"), {})
