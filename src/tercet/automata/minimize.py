"""Partition refinement: which states of a deterministic automaton are equivalent.

The algorithm is Jacobs and Wissmann's "Fast Coalgebraic Bisimilarity Minimization" (2023) for the
simplest coalgebra. When a block splits, its largest part keeps the name, so only the predecessors
of the smaller parts are looked at again: a counted repeat of a thousand states takes linear time,
where Moore's rounds take quadratic time. It knows rows of integers only; `chardfa` and `bytedfa`
both use it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain

Rows = Sequence[Sequence[int]]
DEAD = -1


def predecessors(successors: Rows) -> list[list[int]]:
    """For each state, the states with a transition into it, each once."""
    sources: list[list[int]] = [[] for _ in successors]
    for state, targets in enumerate(successors):
        for target in set(targets):
            if target >= 0:
                sources[target].append(state)
    return sources


def useful(successors: Rows, accept: Sequence[bool]) -> list[bool]:
    """Which states can reach an accepting state."""
    sources = predecessors(successors)
    is_useful = list(accept)
    stack = [state for state, accepting in enumerate(accept) if accepting]
    while stack:
        for source in sources[stack.pop()]:
            if not is_useful[source]:
                is_useful[source] = True
                stack.append(source)
    return is_useful


def equivalence(rows: Rows, colours: Sequence[Hashable]) -> list[int]:
    """A block number for each state: equal numbers exactly where no word tells the states apart.

    Rows hold targets or DEAD. States of different colours (accepting or not, say) stay apart.

    >>> equivalence([[1, 2], [1, -1], [2, -1]], [False, True, True])
    [0, 1, 1]
    """
    names: dict[Hashable, int] = {}
    block = [names.setdefault(colour, len(names)) for colour in colours]
    members: list[set[int]] = [set() for _ in names]
    for state, number in enumerate(block):
        members[number].add(state)
    block.append(DEAD)  # where block[DEAD] looks
    sources = predecessors(rows)
    dirty = {number: set(states) for number, states in enumerate(members)}
    while dirty:
        number, changed = dirty.popitem()
        parts = _split(rows, block, members[number], changed)
        for part in parts:
            for state in part:
                block[state] = len(members)
            members[number] -= part
            members.append(part)
        # only now, because a source may itself have moved to another part
        for state in chain.from_iterable(parts):
            for source in sources[state]:
                dirty.setdefault(block[source], set()).add(source)
    return block[:-1]


def _split(rows: Rows, block: list[int], states: set[int], changed: set[int]) -> list[set[int]]:
    """The parts that leave this block; the states that did not change all agree."""
    if len(states) == 1:
        return []
    unchanged = next((state for state in states if state not in changed), None)
    groups: dict[tuple[int, ...], set[int]] = {}
    for state in changed:
        signature = tuple([block[target] for target in rows[state]])
        groups.setdefault(signature, set()).add(state)
    parts = list(groups.values())
    if unchanged is None:
        parts.remove(max(parts, key=len))
        return parts
    kept = groups.get(tuple([block[target] for target in rows[unchanged]]), set())
    parts = [part for part in parts if part is not kept]
    largest = max(parts, key=len, default=kept)
    rest = len(states) - sum(map(len, parts))
    if len(largest) > rest:
        return [part for part in parts if part is not largest] + [states - set().union(*parts)]
    return parts
