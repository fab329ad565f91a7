"""Sets of characters against Python's own sets."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from tercet.automata.charset import CharSet, partition

POOL = [0, 9, 65, 66, 90, 0x7F, 0x80, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]


def charset(rng: Random) -> CharSet:
    ends = [sorted((rng.choice(POOL), rng.choice(POOL))) for _ in range(rng.randint(0, 3))]
    return CharSet((low, high) for low, high in ends)


def members(charset: CharSet) -> set[int]:
    return {code + d for code in POOL for d in (-1, 0, 1) if code + d in charset}


def test_equal_sets_are_one_object() -> None:
    assert CharSet([(1, 2), (3, 9)]) is CharSet([(5, 9), (1, 6)])
    assert CharSet.of("ba") is CharSet([(97, 98)])
    assert pickle.loads(pickle.dumps(CharSet.of("x"))) is CharSet.of("x")


def test_surrogates_are_never_members() -> None:
    assert CharSet.ANY.ranges == ((0, 0xD7FF), (0xE000, 0x10FFFF))
    assert CharSet([(0xD800, 0xDFFF)]) is CharSet.NONE
    assert 0xD800 not in ~CharSet.NONE
    assert CharSet([(0xD7FF, 0xE000)]).ranges == ((0xD7FF, 0xD7FF), (0xE000, 0xE000))


def test_immutable() -> None:
    with pytest.raises(AttributeError):
        CharSet.ANY.ranges = ()


def test_nth_and_iteration_agree() -> None:
    charset = CharSet.of("azb\U0001f600")
    assert [charset.nth(index) for index in range(len(charset))] == list(charset)
    with pytest.raises(IndexError):
        charset.nth(4)


@pytest.mark.parametrize("seed", range(60))
def test_algebra(seed: int) -> None:
    rng = Random(seed)
    a, b = charset(rng), charset(rng)
    assert members(a | b) == members(a) | members(b)
    assert members(a & b) == members(a) & members(b)
    assert members(a - b) == members(a) - members(b)
    assert members(~a) == members(CharSet.ANY) - members(a)
    assert ~~a is a
    assert len(a) + len(~a) == len(CharSet.ANY)


@pytest.mark.parametrize("seed", range(30))
def test_partition_tells_the_sets_apart(seed: int) -> None:
    rng = Random(seed)
    sets = tuple(charset(rng) for _ in range(3))
    classes, inside = partition(sets)
    for whole, numbers in zip(sets, inside, strict=True):
        assert CharSet(span for n in numbers for span in classes[n].ranges) is whole
    assert sum(map(len, classes)) == len(sets[0] | sets[1] | sets[2])
    owners = [tuple(n in numbers for numbers in inside) for n in range(len(classes))]
    assert len(set(owners)) == len(owners)
    assert sorted(classes, key=lambda c: c.ranges) == list(classes)
