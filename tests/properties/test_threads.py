"""Matchers of one constraint may be used from several threads, while its arrays grow."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tercet import Grammar, compile
from tercet.testing import byte_vocabulary


def _schema(seed: int) -> dict:
    choose = random.Random(seed)
    item = {"type": "string", "maxLength": choose.randint(1, 50)}
    names = {f"k{n}": {"type": "array", "items": item, "maxItems": n} for n in range(1, 20)}
    return {"type": "object", "properties": names}


@pytest.fixture
def often_switched_threads():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("often_switched_threads")
def test_masks_hold_while_other_threads_grow_the_arrays():
    vocabulary = byte_vocabulary()
    shared = [compile(Grammar.json(_schema(n)), vocabulary, cache=False) for n in range(4)]

    def walk(seed: int) -> int:
        choose, row, steps = random.Random(seed), np.zeros(9, np.int32), 0
        for _ in range(10):
            matcher = choose.choice(shared).matcher()
            for _ in range(100):
                matcher.fill_bitmask(row)
                (allowed,) = np.nonzero(np.unpackbits(row.view(np.uint8), bitorder="little")[:256])
                if not len(allowed):
                    break
                matcher.advance(int(choose.choice(allowed)))
                steps += 1
        return steps

    with ThreadPoolExecutor(8) as pool:
        assert all(steps > 100 for steps in pool.map(walk, range(8)))
