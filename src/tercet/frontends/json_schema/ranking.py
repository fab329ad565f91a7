"""In which order the atoms of a value are looked at: that of the text, for every schema at once.

A merged object writes its members in the order of its atoms. The same schema may stand in many
places, by `$ref`, so the order in which schemas are first met is not enough: ranks are a
topological order of "stands before" within each schema. Where schemas disagree, the one met first
decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from tercet.frontends.json_schema.schema import AnyOf, Schema

Part = Schema | AnyOf


def rank_all(sequences: Iterable[Sequence[Part]]) -> None:
    """Exchange the ranks of the parts so that they ascend in each sequence where that is possible.

    >>> from tercet.frontends.json_schema.place import ROOT
    >>> one, two, three = (Schema(ROOT, rank=number) for number in range(3))
    >>> rank_all([(three, one), (one, two)])
    >>> one.rank, two.rank, three.rank
    (1, 2, 0)
    """
    after: dict[Part, list[Part]] = {}
    before: dict[Part, int] = {}
    for sequence in sequences:
        for one, other in pairwise(sequence):
            after.setdefault(one, []).append(other)
            before[other] = before.get(other, 0) + 1
            before.setdefault(one, 0)
    if all(one.rank <= other.rank for one, others in after.items() for other in others):
        return
    _assign(after, before)


def _assign(after: dict[Part, list[Part]], before: dict[Part, int]) -> None:
    """Kahn's algorithm; of what is free the first met comes first, and so it does in a circle."""
    by_rank = sorted(before, key=lambda part: part.rank)
    number = {part: n for n, part in enumerate(by_rank)}
    free = [number[part] for part, count in before.items() if count == 0]
    heapify(free)
    order: dict[Part, None] = {}
    left = iter(by_rank)
    while len(order) < len(by_rank):
        part = by_rank[heappop(free)] if free else next(p for p in left if p not in order)
        if part in order:
            continue
        order[part] = None
        for other in after.get(part, ()):
            before[other] -= 1
            if before[other] == 0:
                heappush(free, number[other])
    for part, rank in zip(order, [part.rank for part in by_rank], strict=True):
        part.rank = rank
