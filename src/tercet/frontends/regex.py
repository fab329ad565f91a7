"""Regular expressions become IR: terminals, and counts where they would be too many states.

JSON Schema's `pattern` and `Grammar.regex` both end here. Syntax is `automata.parse`'s, how a large
expression is cut up is `regex_pieces`'.
"""

from __future__ import annotations

from tercet.automata.bytedfa import lower as lower_to_bytes
from tercet.automata.chardfa import BUDGET, CharDFA, compile_regex, with_length
from tercet.automata.combination import accepts, has_text
from tercet.automata.parse import parse
from tercet.automata.regex import (
    ANY_TEXT,
    NEVER,
    Chars,
    Regex,
    Repeat,
    is_plain,
)
from tercet.errors import UnsatisfiableError
from tercet.frontends.regex_pieces import SMALL, counted, cut, has_large_count, size
from tercet.grammar.nodes import Encoding, Language, Node, term


def lower(pattern: str) -> Language:
    """The language of a pattern in Python's syntax, as `re.fullmatch` reads it.

    >>> lower("[a-z]{3,500}").root
    Terminal(Repeat(Chars(CharSet([(0x61, 0x7A)])), 0, None), 'utf8', 3, 500, ())

    Raises:
        GrammarError: the pattern doesn't parse, or needs what a regular language can't do.
        UnsatisfiableError: no text matches.
    """
    regex = parse(pattern, "python")
    if not has_text_of_length(regex, 0, None):
        raise UnsatisfiableError(
            "no text can match this pattern",
            at="line 1, column 1",
            excerpt=pattern,
            span=(0, len(pattern)),
            why="what its parts ask for excludes each other",
        )
    return Language(node_of(regex, "utf8"), {})


def node_of(regex: Regex, encoding: Encoding, low: int = 0, high: int | None = None) -> Node:
    """The texts of `regex` with `low` to `high` characters; there must be one.

    Raises:
        GrammarError: the expression needs more states than is reasonable.
    """
    if isinstance(regex, Repeat) and isinstance(regex.body, Chars):
        highs = [most for most in (regex.max, high) if most is not None]
        return counted(regex.body, encoding, max(low, regex.min), min(highs, default=None))
    if low == 0 and high is None:
        if size(regex) > SMALL and has_large_count(regex):
            pieces = cut(regex, encoding)
            if pieces.is_clear:
                return pieces.node
        compile_regex(regex)
        return term(regex, encoding)
    dfa = compile_regex(regex)
    least, most = dfa.lengths()
    low = low if low > least else 0
    high = high if high is not None and (most is None or high < most) else None
    if len(dfa.rows) * low > BUDGET and not lower_to_bytes(dfa, encoding).lengths_are_intervals:
        with_length(dfa, low, high)  # an engine has to: it counts up only where there are no gaps
    return term(regex, encoding, low, high)


def matches(regex: Regex, text: str) -> bool:
    """Whether a text is in the language.

    >>> matches(parse("a|b", "python"), "b")
    True
    """
    return accepts(regex, text)


def has_text_of_length(regex: Regex, low: int, high: int | None) -> bool:
    """Whether some text of the language has `low` to `high` characters.

    >>> has_text_of_length(parse("(aa)*", "python"), 3, 3)
    False
    """
    if regex is ANY_TEXT:
        return high is None or low <= high
    if (low, high) == (0, None):
        return regex is not NEVER if is_plain(regex) else has_text(regex)
    dfa = compile_regex(regex)
    if dfa.is_empty:
        return False
    least, most = dfa.lengths()
    if (high is not None and least > high) or (most is not None and most < low):
        return False
    return least >= low or (most is not None and most == high) or _reaches(dfa, low, high)


def _reaches(dfa: CharDFA, low: int, high: int | None) -> bool:
    """Whether acceptance is possible after `low` to `high` steps: go all ways at once."""
    targets = [{target for target in row if target >= 0} for row in dfa.rows]
    layer, steps = frozenset({0}), 0
    seen: dict[frozenset[int], int] = {}
    while layer and (high is None or steps <= high):
        if layer in seen and steps < low:  # the ways repeat: take as many rounds as fit
            steps += (low - steps) // (steps - seen[layer]) * (steps - seen[layer])
            seen.clear()
        if steps >= low:
            if any(dfa.accept[state] for state in layer):
                return True
            if layer in seen:
                return False
        seen[layer] = steps
        layer = frozenset(target for state in layer for target in targets[state])
        steps += 1
    return False
