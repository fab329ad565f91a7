"""Regular expressions become IR: small ones a terminal, large counts a register.

A terminal is an automaton, and an automaton spells a count out in states: `[a-z]{3,500}` is 501 of
them, each with tables of its own over the vocabulary. Counts outside of automata cost nothing. So
a large expression is cut into terminals and counted repeats, provided that no text leaves it open
in which piece one is: else every count is followed at once, and the automaton is better after all.

JSON Schema's `pattern` and `Grammar.regex` both end here. Syntax is `automata.parse`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_TEXT, Chars, Concat, Regex, Repeat, Union, postorder
from tercet.automata.regex import concat as regex_concat
from tercet.automata.regex import repeat as regex_repeat
from tercet.errors import UnsatisfiableError
from tercet.grammar.nodes import EMPTY, Encoding, Language, Node, alt, rep, seq, term

SMALL = 64
"""Positions of an expression that is one terminal without further thought."""


def lower(pattern: str) -> Language:
    """The language of a pattern in Python's syntax, as `re.fullmatch` reads it.

    >>> lower("a{2}").root
    Terminal(Repeat(Chars(CharSet([(97, 97)])), 2, 2), 'utf8', 0, None, ())

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
        return _counted(regex.body, encoding, max(low, regex.min), min(highs, default=None))
    if low == 0 and high is None:
        if _size(regex) > SMALL:
            pieces = _pieces(regex, encoding)
            if pieces.is_clear:
                return pieces.node
        compile_regex(regex)
        return term(regex, encoding)
    least, most = compile_regex(regex).lengths()
    low = low if low > least else 0
    high = high if high is not None and (most is None or high < most) else None
    return term(regex, encoding, low, high)


def matches(regex: Regex, text: str) -> bool:
    """Whether a text is in the language.

    >>> matches(parse("a|b", "python"), "b")
    True
    """
    return regex is ANY_TEXT or compile_regex(regex).accepts(text)


def has_text_of_length(regex: Regex, low: int, high: int | None) -> bool:
    """Whether some text of the language has `low` to `high` characters.

    >>> has_text_of_length(parse("(aa)*", "python"), 3, 3)
    False
    """
    if regex is ANY_TEXT:
        return high is None or low <= high
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
        if steps >= low and any(dfa.accept[state] for state in layer):
            return True
        if layer in seen:
            if steps >= low:
                return False
            steps += (low - steps) // (steps - seen[layer]) * (steps - seen[layer])
            seen.clear()
            low = max(low, steps)
        seen[layer] = steps
        layer = frozenset(target for state in layer for target in targets[state])
        steps += 1
    return False


@lru_cache(1024)
def _size(root: Regex) -> int:
    """Positions of the expression with every count written out."""
    sizes: dict[Regex, int] = {}
    for node in postorder(root):
        below = sum(sizes[child] for child in node.children)
        if isinstance(node, Repeat):
            below *= max(node.min, node.max or 1)
        sizes[node] = max(below, 1)
    return sizes[root]


class _Pieces(NamedTuple):
    """A node, the characters it may begin with and go on with when it could end."""

    node: Node
    first: CharSet
    further: CharSet
    nullable: bool
    is_clear: bool  # no text leaves open in which piece one is


def _pieces(regex: Regex, encoding: Encoding) -> _Pieces:
    """Cut an expression; what is small stays whole."""
    if isinstance(regex, Repeat) and isinstance(regex.body, Chars):
        return _run(regex, regex.body, encoding)
    if _size(regex) <= SMALL:
        return _terminal(regex, encoding)
    if isinstance(regex, Concat):
        return _joined([_pieces(part, encoding) for part in _grouped(regex.parts)])
    if isinstance(regex, Union):
        return _either([_pieces(option, encoding) for option in regex.options])
    if isinstance(regex, Repeat):
        return _repeated(regex, _pieces(regex.body, encoding))
    return _terminal(regex, encoding)


def _grouped(parts: tuple[Regex, ...]) -> list[Regex]:
    """Neighbours that are small together become one part."""
    groups: list[Regex] = []
    for part in parts:
        together = regex_concat(groups[-1], part) if groups else part
        if groups and _size(together) <= SMALL:
            groups[-1] = together
        else:
            groups.append(part)
    return groups


def _terminal(regex: Regex, encoding: Encoding) -> _Pieces:
    dfa = compile_regex(regex)
    ends = [dfa.table[state] for state, accepting in enumerate(dfa.accept) if accepting]
    return _Pieces(
        term(regex, encoding),
        _all_chars(dfa.table[:1]),
        _all_chars(ends),
        nullable=regex.nullable,
        is_clear=True,
    )


def _all_chars(rows: Iterable[tuple[tuple[CharSet, int], ...]]) -> CharSet:
    return CharSet(span for row in rows for charset, _ in row for span in charset.ranges)


def _run(regex: Repeat, body: Chars, encoding: Encoding) -> _Pieces:
    node = _counted(body, encoding, regex.min, regex.max)
    further = CharSet.NONE if regex.min == regex.max else body.charset
    return _Pieces(node, body.charset, further, nullable=regex.min == 0, is_clear=True)


def _counted(body: Chars, encoding: Encoding, low: int, high: int | None) -> Node:
    """Characters of one set, counted by the terminal's register."""
    if (low, high) == (1, 1):
        return term(body, encoding)
    return EMPTY if high == 0 else term(regex_repeat(body), encoding, low, high)


def _joined(parts: list[_Pieces]) -> _Pieces:
    whole = _Pieces(EMPTY, CharSet.NONE, CharSet.NONE, nullable=True, is_clear=True)
    for part in parts:
        whole = _Pieces(
            seq(whole.node, part.node),
            whole.first | part.first if whole.nullable else whole.first,
            part.further | whole.further | part.first if part.nullable else part.further,
            nullable=whole.nullable and part.nullable,
            is_clear=whole.is_clear and part.is_clear and not whole.further & part.first,
        )
    return whole


def _either(options: list[_Pieces]) -> _Pieces:
    whole = options[0]
    for option in options[1:]:
        apart = not whole.first & option.first and not (whole.nullable and option.nullable)
        whole = _Pieces(
            alt(whole.node, option.node),
            whole.first | option.first,
            whole.further | option.further,
            nullable=whole.nullable or option.nullable,
            is_clear=whole.is_clear and option.is_clear and apart,
        )
    return whole


def _repeated(regex: Repeat, body: _Pieces) -> _Pieces:
    again = CharSet.NONE if regex.min == regex.max else body.first
    return _Pieces(
        rep(body.node, regex.min, regex.max),
        body.first,
        body.further | again,
        nullable=regex.nullable,
        is_clear=body.is_clear and not body.nullable and not body.further & body.first,
    )
