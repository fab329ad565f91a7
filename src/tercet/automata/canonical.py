"""The one automaton that stands for a language: minimal, trimmed, with everything in a fixed order.

What `chardfa` promises of its automata is done here: states that can't accept go, equivalent ones
are merged, classes that no state tells apart are joined and ordered by their least character, and
states are numbered breadth first. Equal languages come out equal.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tercet.automata.charset import CharSet
from tercet.automata.glushkov import RawDFA
from tercet.automata.tables import DEAD, Table, distinct_columns, minimal

Canonical = tuple[tuple[CharSet, ...], Table, tuple[bool, ...]]


def canonical_form(raw: RawDFA, start: int = 0) -> Canonical:
    """The one canonical automaton of what is accepted from a state on."""
    classes = raw.classes
    table = np.asarray(raw.rows, np.int32).reshape(len(raw.accept), len(classes))
    order = sorted(range(len(classes)), key=lambda number: classes[number].ranges[0])
    if order != list(range(len(classes))):
        classes, table = tuple([classes[number] for number in order]), table[:, order]
    columns, group_of = distinct_columns(table)
    table, states = minimal(table[:, columns], raw.accept, start)
    if not states:
        return (), np.empty((1, 0), np.int32), (False,)
    table, groups = without_twins(table, group_of)
    return joined(classes, groups), table, tuple([bool(raw.accept[state]) for state in states])


def without_twins(table: Table, group_of: list[int]) -> tuple[Table, tuple[int, ...]]:
    """One column for each set of equal ones, none that leads nowhere; and the set of each class."""
    columns, twin_of = distinct_columns(table)
    used = [number for number, column in enumerate(columns) if (table[:, column] >= 0).any()]
    name = {number: place for place, number in enumerate(used)}
    groups = tuple([name.get(twin_of[group], DEAD) for group in group_of])
    return np.ascontiguousarray(table[:, [columns[number] for number in used]]), groups


@lru_cache(maxsize=4096)
def joined(classes: tuple[CharSet, ...], groups: tuple[int, ...]) -> tuple[CharSet, ...]:
    """The classes of each group together; those of group -1 are left out."""
    ranges: dict[int, list[tuple[int, int]]] = {}
    for charset, group in zip(classes, groups, strict=True):
        if group >= 0:
            ranges.setdefault(group, []).extend(charset.ranges)
    return tuple([CharSet(ranges[group]) for group in range(len(ranges))])
