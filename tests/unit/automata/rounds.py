"""What the kernels on tables are judged by: Moore's rounds and a plain search, slow and simple."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Rows = Sequence[Sequence[int]]
DEAD = -1


def equivalence(rows: Rows, colours: Sequence[Hashable]) -> list[int]:
    """A block number for each state, equal where no word tells the states apart."""
    names: dict[Hashable, int] = {}
    block = [names.setdefault(colour, len(names)) for colour in colours]
    while True:
        looked_up = [*block, DEAD]
        signatures = [
            (looked_up[state], *(looked_up[target] for target in row))
            for state, row in enumerate(rows)
        ]
        known = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
        if len(known) == len(set(block)):
            return block
        block = [known[signature] for signature in signatures]


def useful(rows: Rows, accept: Sequence[bool]) -> list[bool]:
    """Which states can reach an accepting state."""
    found = list(accept)
    while True:
        more = [
            known or any(target >= 0 and found[target] for target in row)
            for known, row in zip(found, rows, strict=True)
        ]
        if more == found:
            return found
        found = more


def reachable(rows: Rows, start: int) -> list[int]:
    """The states from one on, breadth first."""
    order = {start: None}
    queue = [start]
    for state in queue:
        new = [t for t in dict.fromkeys(rows[state]) if t >= 0 and t not in order]
        order |= dict.fromkeys(new)
        queue += new
    return queue
