"""The position automaton of a regular expression, and its subset construction.

Glushkov's automaton has a state per occurrence of a character set and no empty moves. Sets of
positions are Python integers used as bit sets. A set names the positions that may be read *next*,
with bit 0 for "may stop": states that differ only in what was read coincide at once, so little is
left to minimise. `chardfa` makes the result canonical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tercet.automata.charset import CharSet, partition
from tercet.automata.regex import Chars, Concat, Regex, Repeat, Union
from tercet.automata.tables import Bits, Table, subsets
from tercet.errors import GrammarError

_WORK_PER_STATE = 50  # positions looked at
_BITS_PER_STEP = 1000  # longer bit sets cost more than one step each


class Fragment(NamedTuple):
    """Positions 0..n-1: their sets, where a match begins and ends, and what follows what."""

    symbols: list[CharSet]
    first: int
    last: int
    follow: list[int]
    nullable: bool


class RawDFA(NamedTuple):
    """Reachable states from 0; rows map class numbers to targets or -1."""

    classes: tuple[CharSet, ...]
    rows: Sequence[Sequence[int]] | Table
    accept: Sequence[bool]


def over_budget(what: str, budget: int) -> GrammarError:
    """The refusal of a pattern that would grow beyond all use."""
    return GrammarError(
        f"the pattern needs more than {budget} {what}",
        why="counts inside a pattern, intersections and complements are unrolled into states",
        hint="use smaller counts, or bound the length of the whole text instead",
    )


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def fragment(regex: Regex, parts: list[Fragment], budget: int) -> Fragment:
    """The fragment of one node, given those of its children."""
    if isinstance(regex, Chars):
        return Fragment([regex.charset], 1, 1, [0], nullable=False)
    if isinstance(regex, Repeat):
        return _repeat(regex, parts[0], budget)
    if sum(len(part.symbols) for part in parts) > budget:
        raise over_budget("positions", budget)
    if isinstance(regex, Concat):
        return _concat(parts)
    if isinstance(regex, Union):
        return _union(parts)
    raise TypeError(f"no positions for {type(regex).__name__}")


def _union(parts: list[Fragment]) -> Fragment:
    symbols: list[CharSet] = []
    follow: list[int] = []
    first = last = 0
    for part in parts:
        offset = len(symbols)
        first |= part.first << offset
        last |= part.last << offset
        symbols += part.symbols
        follow += [mask << offset for mask in part.follow]
    return Fragment(symbols, first, last, follow, any(part.nullable for part in parts))


def _concat(parts: list[Fragment]) -> Fragment:
    symbols = [charset for part in parts for charset in part.symbols]
    follow = [0] * len(symbols)
    first = last = 0  # of the parts from here to the end
    nullable = True
    offset = len(symbols)
    for part in reversed(parts):
        offset -= len(part.symbols)
        follow[offset : offset + len(part.symbols)] = [mask << offset for mask in part.follow]
        if first:
            for position in bits(part.last):
                follow[offset + position] |= first
        if nullable:
            last |= part.last << offset
        first = part.first << offset | (first if part.nullable else 0)
        nullable = nullable and part.nullable
    return Fragment(symbols, first, last, follow, nullable)


def _repeat(regex: Repeat, body: Fragment, budget: int) -> Fragment:
    """Copies in a row, each leading to the next; the last ones may end, or loop."""
    size = len(body.symbols)
    least = 0 if body.nullable else regex.min
    copies = max(least, 1) if regex.max is None else regex.max
    if copies * size > budget:
        raise over_budget("positions", budget)
    last, follow = 0, []
    for copy in range(copies):
        offset = copy * size
        follow += [mask << offset for mask in body.follow]
        if copy + 1 >= least:
            last |= body.last << offset
        following = copy if regex.max is None and copy + 1 == copies else copy + 1
        if following < copies:
            for position in bits(body.last):
                follow[offset + position] |= body.first << following * size
    first = body.first if copies else 0
    return Fragment(body.symbols * copies, first, last, follow, least == 0)


def fragment_of(
    moves: Sequence[Sequence[tuple[CharSet, int]]], accept: Sequence[bool], budget: int
) -> Fragment:
    """An automaton as a fragment: one position for each target and set of characters."""
    symbols: list[CharSet] = []
    targets: list[int] = []
    leaving: list[int] = []  # the positions out of each state, as bits
    for each in moves:
        leaving.append((1 << len(each)) - 1 << len(symbols))
        symbols += [charset for charset, _ in each]
        targets += [target for _, target in each]
    if len(symbols) > budget:
        raise over_budget("positions", budget)
    last = sum(1 << p for p, target in enumerate(targets) if accept[target])
    follow = [leaving[target] for target in targets]
    return Fragment(symbols, leaving[0], last, follow, accept[0])


def determinize(nfa: Fragment, budget: int) -> RawDFA:
    """The subset construction, bounded in states and in work."""
    sets = list(dict.fromkeys(nfa.symbols))
    classes, members = partition(tuple(sets))
    number = {charset: index for index, charset in enumerate(sets)}
    symbol = [number[charset] for charset in nfa.symbols]
    follow = [mask << 1 | (nfa.last >> p & 1) for p, mask in enumerate(nfa.follow)]
    masks = _as_words([nfa.first << 1 | nfa.nullable, *follow], len(symbol) + 1)
    work = budget * _WORK_PER_STATE // (1 + len(symbol) // _BITS_PER_STEP)
    rows, accept = subsets(masks, symbol, members, budget=budget, work=work)
    if not accept:
        raise over_budget("states", budget)
    return RawDFA(classes, rows, accept)


def _as_words(masks: Sequence[int], size: int) -> Bits:
    """Integers of at most so many bits, as rows of words."""
    words = -(-size // 64)
    data = b"".join([mask.to_bytes(8 * words, "little") for mask in masks])
    return np.frombuffer(data, "<u8").reshape(len(masks), words).astype(np.uint64)
