"""Deterministic automata over bytes: what the engines run.

`lower` spells the characters of a `CharDFA` in an encoding. States at the ends of characters keep
the numbers they have in the `CharDFA`; states inside characters come after them and are shared
wherever they mean the same. The two kinds are never merged, so that characters can be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tercet.automata.bytetrie import byte_tree
from tercet.automata.chardfa import CharDFA, with_length
from tercet.automata.glushkov import over_budget
from tercet.automata.jsontext import Encoding
from tercet.automata.lengths import UNBOUNDED, greatest, has_gap, least
from tercet.automata.remembering import remembered
from tercet.automata.segments import Node
from tercet.automata.tables import DEAD, distinct_columns, minimal

__all__ = ["UNBOUNDED", "ByteDFA", "Encoding", "lower", "with_length"]

MAX_STATES = 1 << 16

_Row = tuple[tuple[int, int, int], ...]  # first byte, last byte, target


@dataclass(frozen=True, eq=False)
class ByteDFA:
    """A regular language over bytes; every state can accept, unless `is_empty`.

    `table[state, byte]` is the next state or -1, the start is 0. `boundary[state]` says whether a
    whole number of characters has been read.
    """

    table: NDArray[np.int32]  # [Q, 256]
    accept: NDArray[np.bool_]  # [Q]
    boundary: NDArray[np.bool_]  # [Q]
    successors: Sequence[tuple[int, ...]]
    start = 0

    def weight(self) -> int:
        """About how many bytes it takes."""
        return self.table.nbytes + self.table.nbytes // 2 + 1024

    @property
    def is_empty(self) -> bool:
        """Whether nothing is accepted."""
        return not self.accept.any()

    @cached_property
    def dmin(self) -> NDArray[np.int32]:
        """For each state the least number of characters still to complete before acceptance.

        Inside a character, that character is one of them.
        """
        return np.array(
            least(self.successors, self.accept.tolist(), self.boundary.tolist()), np.int32
        )

    @cached_property
    def dmax(self) -> NDArray[np.int32]:
        """The greatest such number, or UNBOUNDED (2**30)."""
        return np.array(
            greatest(self.successors, self.accept.tolist(), self.boundary.tolist()), np.int32
        )

    @cached_property
    def lengths_are_intervals(self) -> bool:
        """Whether from every state each count between `dmin` and `dmax` is possible."""
        bounds = list(zip(self.dmin.tolist(), self.dmax.tolist(), strict=True))
        return not has_gap(self.successors, self.accept.tolist(), self.boundary.tolist(), bounds)


@remembered(64 << 20, ByteDFA.weight)
def lower(
    dfa: CharDFA, encoding: Encoding, forbidden_bytes: frozenset[int] = frozenset()
) -> ByteDFA:
    """The same language in bytes; results are remembered.

    "utf8" is UTF-8; "json" is the inside of a JSON string as `jsontext` spells it; "json-any" has
    every spelling that RFC 8259 allows there. What needs a forbidden byte is left out, and if
    nothing is left the result `is_empty`.

    Raises:
        GrammarError: the automaton has more than 65,536 states.
    """
    if forbidden_bytes:
        whole = lower(dfa, encoding)
        used = any((whole.table[:, byte] >= 0).any() for byte in forbidden_bytes)
        return _without(whole, sorted(forbidden_bytes)) if used else whole
    speller = _Speller(len(dfa.rows))
    tree = byte_tree(dfa.classes, encoding)
    for state, targets in enumerate(dfa.rows):
        speller.rows[state] = speller.row(tree, targets)
    count = len(speller.rows)
    return ByteDFA(
        _table(speller.rows),
        np.array(dfa.accept + (False,) * (count - len(dfa.rows))),
        np.arange(count) < len(dfa.rows),
        [tuple({target for _, _, target in row}) for row in speller.rows],
    )


class _Speller:
    """Puts the targets of a state in place of the classes of a tree, sharing what is equal."""

    def __init__(self, char_states: int) -> None:
        self.rows: list[_Row] = [()] * char_states
        self._states: dict[_Row, int] = {}
        self._known: dict[tuple[Node, tuple[int, ...]], int] = {}

    def row(self, node: Node, targets: Sequence[int]) -> _Row:
        """The transitions that `node` stands for, neighbours with one target joined."""
        result: list[tuple[int, int, int]] = []
        for first, last, child in node.segments:
            target = self._inside(child, targets) if isinstance(child, Node) else targets[child]
            if target == DEAD:
                continue
            if result and result[-1][1] + 1 == first and result[-1][2] == target:
                result[-1] = result[-1][0], last, target
            else:
                result.append((first, last, target))
        return tuple(result)

    def _inside(self, node: Node, targets: Sequence[int]) -> int:
        """The state inside a character that `node` stands for, or DEAD."""
        key = node, tuple([targets[number] for number in node.classes])
        if key not in self._known:
            row = self.row(node, targets)
            if row and row not in self._states:
                if len(self.rows) >= MAX_STATES:
                    raise over_budget("byte states", MAX_STATES)
                self._states[row] = len(self.rows)
                self.rows.append(row)
            self._known[key] = self._states.get(row, DEAD)
        return self._known[key]


def _table(rows: Sequence[_Row]) -> NDArray[np.int32]:
    """Dense rows of 256, filled by one call: targets and how many bytes in a row lead there."""
    targets: list[int] = []
    runs: list[int] = []
    for row in rows:
        byte = 0
        for first, last, target in row:
            targets += DEAD, target
            runs += first - byte, last - first + 1
            byte = last + 1
        targets.append(DEAD)
        runs.append(256 - byte)
    return np.repeat(np.array(targets, np.int32), runs).reshape(len(rows), 256)


def _without(dfa: ByteDFA, forbidden: list[int]) -> ByteDFA:
    """Take bytes away, and then what can't be reached, can't accept or has become equal."""
    table = dfa.table.copy()
    table[:, forbidden] = DEAD
    columns, column_of = distinct_columns(table)
    narrow, order = minimal(table[:, columns], 2 * dfa.boundary + dfa.accept)
    if not order:
        return ByteDFA(
            np.full((1, 256), DEAD, np.int32), dfa.accept[:1] & False, dfa.boundary[:1], [()]
        )
    return ByteDFA(
        narrow[:, column_of],
        dfa.accept[order],
        dfa.boundary[order],
        [tuple({t for t in row if t >= 0}) for row in narrow.tolist()],
    )
