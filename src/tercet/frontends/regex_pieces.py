"""A large regular expression cut into terminals and counted repeats.

A terminal is an automaton, and an automaton spells a count out in states: `[a-z]{3,500}` is 501 of
them, each with tables of its own over the vocabulary. Counts outside of automata cost nothing. So
a large expression is cut up, provided that no text leaves it open in which piece one is: else every
count would be followed at once, and the automaton is better after all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.regex import Chars, Concat, Regex, Repeat, Union, is_plain, postorder
from tercet.automata.regex import concat as regex_concat
from tercet.automata.regex import repeat as regex_repeat
from tercet.grammar.nodes import EMPTY, Encoding, Node, alt, rep, seq, term

SMALL = 64
"""Positions of an expression that is one terminal without further thought."""

LARGE = 16
"""Repetitions of a part that are worth a register."""

_TAME = 14


@lru_cache(1024)
def size(root: Regex) -> int:
    """Positions of the expression with every count written out."""
    sizes: dict[Regex, int] = {}
    for node in postorder(root):
        below = sum(sizes[child] for child in node.children)
        if isinstance(node, Repeat):
            below *= max(node.min, node.max or 1)
        sizes[node] = max(below, 1)
    return sizes[root]


def is_tame(root: Regex) -> bool:
    """Whether no budget can be exceeded: 14 positions have 2**14 subsets, and nothing is negated.

    >>> is_tame(Chars(CharSet.ANY))
    True
    """
    return size(root) <= _TAME and is_plain(root)


def has_large_count(root: Regex) -> bool:
    """Whether some part is repeated often enough for a register to pay.

    >>> has_large_count(regex_repeat(Chars(CharSet.ANY), 3, 500))
    True
    """
    counts = (node for node in postorder(root) if isinstance(node, Repeat))
    return any(max(count.min, count.max or 0) >= LARGE for count in counts)


class Pieces(NamedTuple):
    """A node, the characters it may begin with and go on with when it could end."""

    node: Node
    first: CharSet
    further: CharSet
    nullable: bool
    is_clear: bool  # no text leaves open in which piece one is


def cut(regex: Regex, encoding: Encoding) -> Pieces:
    """Cut an expression; what is small stays whole."""
    if isinstance(regex, Repeat) and isinstance(regex.body, Chars):
        return _run(regex, regex.body, encoding)
    if size(regex) <= SMALL:
        return _terminal(regex, encoding)
    if isinstance(regex, Concat):
        return _joined([cut(part, encoding) for part in _grouped(regex.parts)])
    if isinstance(regex, Union):
        return _either([cut(option, encoding) for option in regex.options])
    if isinstance(regex, Repeat):
        return _repeated(regex, cut(regex.body, encoding))
    return _terminal(regex, encoding)


def _grouped(parts: tuple[Regex, ...]) -> list[Regex]:
    """Neighbours that are small together become one part."""
    groups: list[Regex] = []
    for part in parts:
        together = regex_concat(groups[-1], part) if groups else part
        if groups and size(together) <= SMALL:
            groups[-1] = together
        else:
            groups.append(part)
    return groups


def _terminal(regex: Regex, encoding: Encoding) -> Pieces:
    dfa = compile_regex(regex)
    ends = [dfa.table[state] for state, accepting in enumerate(dfa.accept) if accepting]
    return Pieces(
        term(regex, encoding),
        _all_chars(dfa.table[:1]),
        _all_chars(ends),
        nullable=regex.nullable,
        is_clear=True,
    )


def _all_chars(rows: Iterable[tuple[tuple[CharSet, int], ...]]) -> CharSet:
    return CharSet(span for row in rows for charset, _ in row for span in charset.ranges)


def _run(regex: Repeat, body: Chars, encoding: Encoding) -> Pieces:
    node = counted(body, encoding, regex.min, regex.max)
    further = CharSet.NONE if regex.min == regex.max else body.charset
    return Pieces(node, body.charset, further, nullable=regex.min == 0, is_clear=True)


def counted(body: Chars, encoding: Encoding, low: int, high: int | None) -> Node:
    """Characters of one set, counted by the terminal's register."""
    if (low, high) == (1, 1):
        return term(body, encoding)
    return EMPTY if high == 0 else term(regex_repeat(body), encoding, low, high)


def _joined(parts: list[Pieces]) -> Pieces:
    whole = Pieces(EMPTY, CharSet.NONE, CharSet.NONE, nullable=True, is_clear=True)
    for part in parts:
        whole = Pieces(
            seq(whole.node, part.node),
            whole.first | part.first if whole.nullable else whole.first,
            part.further | whole.further | part.first if part.nullable else part.further,
            nullable=whole.nullable and part.nullable,
            is_clear=whole.is_clear and part.is_clear and not whole.further & part.first,
        )
    return whole


def _either(options: list[Pieces]) -> Pieces:
    whole = options[0]
    for option in options[1:]:
        apart = not whole.first & option.first and not (whole.nullable and option.nullable)
        whole = Pieces(
            alt(whole.node, option.node),
            whole.first | option.first,
            whole.further | option.further,
            nullable=whole.nullable or option.nullable,
            is_clear=whole.is_clear and option.is_clear and apart,
        )
    return whole


def _repeated(regex: Repeat, body: Pieces) -> Pieces:
    again = CharSet.NONE if regex.min == regex.max else body.first
    return Pieces(
        rep(body.node, regex.min, regex.max),
        body.first,
        body.further | again,
        nullable=regex.nullable,
        is_clear=body.is_clear and not body.nullable and not body.further & body.first,
    )
