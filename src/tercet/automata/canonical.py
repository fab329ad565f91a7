"""The one automaton that stands for a language: minimal, trimmed, with everything in a fixed order.

What `chardfa` promises of its automata is done here: states that can't accept go, equivalent ones
are merged, classes that no state tells apart are joined and ordered by their least character, and
states are numbered breadth first. Equal languages come out equal.
"""

from __future__ import annotations

from tercet.automata.charset import CharSet
from tercet.automata.glushkov import RawDFA
from tercet.automata.minimize import DEAD, equivalence, useful

Canonical = tuple[tuple[CharSet, ...], tuple[tuple[int, ...], ...], tuple[bool, ...]]


def canonical_form(raw: RawDFA) -> Canonical:
    """The one canonical automaton of the same language; states must be reachable from 0."""
    alive = useful(raw.rows, raw.accept)
    if not alive[0]:
        return (), ((),), (False,)
    rows = raw.rows
    if not all(alive):
        rows = [[t if t >= 0 and alive[t] else DEAD for t in row] for row in rows]
    block = [*equivalence(rows, raw.accept), DEAD]
    quotient: dict[int, list[int]] = {}
    accept: dict[int, bool] = {}
    for state, row in enumerate(rows):
        if alive[state] and block[state] not in quotient:
            quotient[block[state]] = [block[target] for target in row]
            accept[block[state]] = raw.accept[state]
    classes, quotient = _merge_columns(raw.classes, quotient)
    numbers = {block[0]: 0, DEAD: DEAD}
    order = [block[0]]
    for current in order:
        for target in quotient[current]:
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
    final = tuple([tuple([numbers[target] for target in quotient[b]]) for b in order])
    return classes, final, tuple([accept[b] for b in order])


def _merge_columns(
    classes: tuple[CharSet, ...], rows: dict[int, list[int]]
) -> tuple[tuple[CharSet, ...], dict[int, list[int]]]:
    """Join the classes that no state tells apart, and drop those that lead nowhere."""
    ranges: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for charset, column in zip(classes, zip(*rows.values(), strict=True), strict=True):
        ranges.setdefault(column, []).extend(charset.ranges)
    ranges.pop((DEAD,) * len(rows), None)
    joined = sorted((CharSet(spans).ranges, column) for column, spans in ranges.items())
    columns = [column for _, column in joined]
    narrow = map(list, zip(*columns, strict=True)) if columns else ([] for _ in rows)
    return tuple(CharSet(spans) for spans, _ in joined), dict(zip(rows, narrow, strict=True))
