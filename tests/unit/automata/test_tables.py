"""Minimal tables against rounds of refinement, products against pairs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tercet.automata.lengths import predecessors
from tercet.automata.tables import DEAD, distinct_columns, minimal, padded, product, subsets
from tests.unit.automata.rounds import equivalence, reachable, useful


def random_rows(rng: Random, count: int, width: int) -> list[list[int]]:
    return [[rng.randint(-1, count - 1) for _ in range(width)] for _ in range(count)]


def accepted(rows: list[list[int]], colours: list[int], start: int, word: list[int]) -> int:
    """The colour that a word leads to, -1 where nothing that goes on can accept."""
    state = start
    for column in word:
        state = rows[state][column] if state >= 0 else DEAD
    return colours[state] if state >= 0 else DEAD


@pytest.mark.parametrize("seed", range(150))
def test_minimal(seed: int) -> None:
    """As few states as rounds leave of those that matter, numbered breadth first, same language."""
    rng = Random(seed)
    count, width, colour_count = rng.randint(1, 30), rng.randint(1, 3), rng.randint(2, 4)
    rows = random_rows(rng, count, width)
    colours = [rng.choice([0, 0, 0, *range(colour_count)]) for _ in range(count)]
    start = rng.randrange(count)
    table, order = minimal(np.array(rows, np.int32), colours, start)
    alive = useful(rows, [bool(colour & 1) for colour in colours])
    if not alive[start]:
        assert len(table) == len(order) == 0
        return
    trimmed = [[t if t >= 0 and alive[t] else DEAD for t in row] for row in rows]
    blocks = equivalence(trimmed, colours)
    assert len(order) == len({blocks[state] for state in reachable(trimmed, start)})
    found = table.tolist()
    assert reachable(found, 0) == list(range(len(found)))
    for _ in range(50):
        word = rng.choices(range(width), k=rng.randint(0, 8))
        left = accepted(found, [colours[state] for state in order], 0, word)
        assert left == accepted(trimmed, colours, start, word)


def test_long_chains_and_no_columns() -> None:
    count = 20_000
    rows = np.arange(1, count + 2, dtype=np.int32).reshape(-1, 1)
    rows[-1] = DEAD
    table, order = minimal(rows, [0] * count + [1])
    assert len(order) == count + 1
    assert (table == rows).all()
    table, order = minimal(np.empty((2, 0), np.int32), [1, 0])
    assert table.shape == (1, 0)
    assert order == [0]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("is_union", [False, True])
def test_product(seed: int, *, is_union: bool) -> None:
    rng = Random(seed)
    width = rng.randint(0, 3)
    left, right = (random_rows(rng, rng.randint(1, 6), width) for _ in range(2))
    one, other = (
        padded(np.array(rows, np.int32).reshape(len(rows), width))[:, :width]
        for rows in (left, right)
    )
    pairs, table = product(one, other, 1000, is_union=is_union)
    queue, numbers = [(0, 0)], {(0, 0): 0}
    for p, q in queue:
        row = []
        for column in range(width):
            a = left[p][column] if p >= 0 else DEAD
            b = right[q][column] if q >= 0 else DEAD
            lives = a >= 0 or b >= 0 if is_union else a >= 0 and b >= 0
            if lives and (a, b) not in numbers:
                numbers[a, b] = len(queue)
                queue.append((a, b))
            row.append(numbers[a, b] if lives else DEAD)
        assert table[numbers[p, q]].tolist() == row
    assert list(zip(*pairs.tolist(), strict=True)) == queue
    if len(queue) > 1:
        assert not len(product(one, other, len(queue) - 1, is_union=is_union)[1])
    assert len(product(one, other, len(queue), is_union=is_union)[1]) == len(queue)


def test_distinct_columns() -> None:
    table = np.array([[1, 2, 1, -1], [0, 0, 0, 0]], np.int32)
    assert distinct_columns(table) == ([0, 1, 3], [0, 1, 0, 2])


def test_predecessors() -> None:
    assert predecessors([[1, 1, 2], [DEAD, 1], [2], [0]]) == [[3], [0, 1], [0, 2], []]


@pytest.mark.parametrize("seed", range(100))
def test_subsets(seed: int) -> None:
    """The sets that are reached, in the order met, as Python's sets have them."""
    rng = Random(seed)
    count, sorts, width = rng.choice([1, 3, 8, 62, 63, 64, 130]), rng.randint(1, 4), 5
    symbol = [rng.randrange(sorts) for _ in range(count)]
    members = [rng.sample(range(width), rng.randint(0, 3)) for _ in range(sorts)]
    some = [{rng.randint(0, count) for _ in range(rng.randint(0, 3))} for _ in range(count + 1)]
    found, rows = [some[0]], list[list[int]]()
    for state in found:
        behind = {}
        for position in state - {0}:
            for column in members[symbol[position - 1]]:
                behind[column] = behind.get(column, set()) | some[position]
        found += [s for n, s in sorted(behind.items()) if s not in found and not _before(behind, n)]
        rows.append([found.index(behind[c]) if c in behind else DEAD for c in range(width)])
    words = [
        [sum(1 << b % 64 for b in s if b // 64 == w) for w in range(count // 64 + 1)] for s in some
    ]
    table, accept = subsets(np.array(words, np.uint64), symbol, members, budget=5000, work=10**9)
    assert table.tolist() == [row[: table.shape[1]] for row in rows]
    assert accept == [0 in state for state in found]
    if len(found) > 1:
        assert (
            subsets(np.array(words, np.uint64), symbol, members, budget=len(found) - 1, work=10**9)[
                1
            ]
            == []
        )


def _before(behind: dict[int, set[int]], column: int) -> bool:
    """Whether an earlier column leads to the same set."""
    return any(behind[n] == behind[column] for n in behind if n < column)
