"""The position automaton of a regular expression, and its subset construction.

Glushkov's automaton has a state per occurrence of a character set and no empty moves. Sets of
positions are Python integers used as bit sets. A set names the positions that may be read *next*,
with bit 0 for "may stop": states that differ only in what was read coincide at once, so little is
left to minimise. `chardfa` makes the result canonical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tercet.automata.charset import CharSet, partition
from tercet.automata.regex import Chars, Concat, Regex, Repeat, Union
from tercet.automata.tables import Table
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


def determinize(nfa: Fragment, budget: int) -> RawDFA:
    """The subset construction, bounded in states and in work."""
    sets = list(dict.fromkeys(nfa.symbols))
    classes, members = partition(tuple(sets))
    number = {charset: index for index, charset in enumerate(sets)}
    symbol = [number[charset] for charset in nfa.symbols]
    follow = [mask << 1 | (nfa.last >> p & 1) for p, mask in enumerate(nfa.follow)]
    start = nfa.first << 1 | nfa.nullable
    states = {start: 0}
    rows: list[list[int]] = []
    work = budget * _WORK_PER_STATE
    cost = 1 + len(symbol) // _BITS_PER_STEP
    queue = [start]
    for state in queue:
        work -= state.bit_count() * cost
        if len(queue) > budget or work < 0:
            raise over_budget("states", budget)
        row = [-1] * len(classes)
        for class_number, target in _moves(state >> 1, symbol, follow, members).items():
            if target not in states:
                states[target] = len(queue)
                queue.append(target)
            row[class_number] = states[target]
        rows.append(row)
    return RawDFA(classes, rows, [bool(state & 1) for state in queue])


def _moves(
    positions: int, symbol: list[int], follow: list[int], members: tuple[tuple[int, ...], ...]
) -> dict[int, int]:
    """For each class of characters that can be read, the set that may be read after it."""
    by_symbol: dict[int, int] = {}
    while positions:
        low = positions & -positions
        position = low.bit_length() - 1
        positions ^= low
        which = symbol[position]
        by_symbol[which] = by_symbol.get(which, 0) | follow[position]
    by_class: dict[int, int] = {}
    for which, target in by_symbol.items():
        for class_number in members[which]:
            by_class[class_number] = by_class.get(class_number, 0) | target
    return by_class
