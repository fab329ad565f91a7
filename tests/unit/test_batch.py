"""Batches: every row as its matcher would write it, whatever the others are, and clear refusals."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tercet import Batch, Grammar, TercetError, Vocabulary, compile
from tercet.constraint import Constraint
from tercet.engines import batches
from tercet.testing import byte_vocabulary, hostile_vocabulary

WORDS = 9
SPECS = [
    Grammar.json({"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}),
    Grammar.json({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    Grammar.regex("[a-z]{2,40}(-[0-9]+)*"),
    Grammar.choice(["yes", "no", "noon"]),
]


def constraints(engine: str = "fast") -> list[Constraint]:
    return [Constraint(spec, byte_vocabulary(), engine=engine) for spec in SPECS]


def walked(shared: list[Constraint], count: int, seed: int) -> list:
    """Matchers at random places, some of them at their end."""
    choose, matchers = random.Random(seed), []
    for number in range(count):
        matcher = shared[number % len(shared)].matcher()
        for _ in range(choose.randrange(12)):
            matcher.advance(choose.choice(np.flatnonzero(matcher.mask()).tolist()))
            if matcher.is_finished:
                break
        matchers.append(matcher)
    return matchers


def single_rows(matchers: list) -> np.ndarray:
    rows = np.zeros((len(matchers), WORDS), np.int32)
    for number, matcher in enumerate(matchers):
        matcher.fill_bitmask(rows, number)
    return rows


@pytest.fixture
def two_threads(monkeypatch):
    """Threads even for a few rows, and on a single core."""
    monkeypatch.setattr(batches, "_COPIES", 1)
    monkeypatch.setattr(batches, "_COMPUTED", 1)
    monkeypatch.setattr(batches, "workers", lambda: 3)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("count", [0, 1, 2, 7, 60])
def test_each_row_is_what_its_matcher_would_write(count):
    shared = constraints()
    matchers = walked(shared, count, count)
    bits = np.full((count, WORDS), 0x5A5A5A5A, np.int32)
    fresh = [m.fork() for m in walked(constraints(), count, count)]  # nothing is known to these
    for batch in (Batch(matchers), Batch(fresh)):
        batch.fill_bitmask(bits)
        assert (bits == single_rows(matchers)).all()
        bits[:] = 0x5A5A5A5A


def test_rows_by_number_and_spare_words():
    matchers = walked(constraints(), 5, 1)
    bits = np.full((9, WORDS + 2), 0x55555555, np.int32)
    Batch(matchers).fill_bitmask(bits, rows=[8, 0, 3, 4, 1])
    assert (bits[[8, 0, 3, 4, 1], :WORDS] == single_rows(matchers)).all()
    assert not bits[[8, 0, 3, 4, 1], WORDS:].any()
    assert (bits[[2, 5, 6, 7]] == 0x55555555).all()


def test_advance_takes_what_each_allows(engine):
    matchers = walked(constraints(engine), 12, 2)
    twins, choose = [m.fork() for m in matchers], random.Random(3)
    tokens = [choose.choice([*np.flatnonzero(m.mask()), 0, 256]) for m in matchers]
    taken = Batch(matchers).advance(tokens)
    assert taken.tolist() == [twin.accepts([t]) == 1 for twin, t in zip(twins, tokens, strict=True)]
    assert taken.any()
    for matcher, twin, token, took in zip(matchers, twins, tokens, taken, strict=True):
        assert matcher.tokens == twin.tokens + [token] * int(took)


def test_engines_may_be_mixed():
    matchers = [*walked(constraints("reference"), 4, 5), *walked(constraints("fast"), 4, 5)]
    bits = np.zeros((8, WORDS), np.int32)
    Batch(matchers).fill_bitmask(bits)
    assert (bits[:4] == bits[4:]).all()
    assert Batch(matchers).advance([300] * 8).tolist() == [False] * 8


def test_long_histories_grow():
    matchers = [compile(Grammar.regex("a*"), byte_vocabulary()).matcher() for _ in range(3)]
    batch = Batch(matchers)
    for _ in range(200):
        assert batch.advance([97] * 3).all()
    assert matchers[2].text == b"a" * 200


def test_vocabularies_are_not_mixed():
    spec = Grammar.regex("a+")
    matchers = [compile(spec, v).matcher() for v in (byte_vocabulary(), hostile_vocabulary())]
    with pytest.raises(TercetError, match="different vocabularies") as caught:
        Batch(matchers)
    assert "eos [256]" in str(caught.value)


def test_equal_vocabularies_are_one():
    twin = Vocabulary.from_tokens(byte_vocabulary().tokens, eos=256)
    specs = [(SPECS[0], byte_vocabulary()), (SPECS[0], twin)]
    matchers = [compile(*spec, cache=False).matcher() for spec in specs]
    bits = np.zeros((2, WORDS), np.int32)
    Batch(matchers).fill_bitmask(bits)
    assert (bits[0] == bits[1]).all()


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        (np.zeros((2, WORDS), np.int64), "int32 array"),
        (np.zeros((2, WORDS), np.float32), "int32 array"),
        (np.zeros((2, 1, WORDS), np.int32), "int32 array"),
        ([[0] * WORDS] * 2, "int32 array"),
        (np.zeros((2, WORDS - 1), np.int32), "8 words a row, 9 are needed"),
        (np.zeros((1, WORDS), np.int32), "no row 1"),
        (np.zeros((2, 2 * WORDS), np.int32)[:, ::2], "C-contiguous"),
        (np.zeros((WORDS, 2), np.int32).T, "C-contiguous"),
        (np.broadcast_to(np.zeros(WORDS, np.int32), (2, WORDS)), "C-contiguous"),
    ],
)
def test_wrong_bits_are_refused(bits, message):
    with pytest.raises(TercetError, match=message):
        Batch(walked(constraints(), 2, 1)).fill_bitmask(bits)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0], "1 rows for 2 matchers"),
        ([0, 3], "no row 3"),
        ([-1, 0], "no row -1"),
        ([1, 1], "row 1 is to be written twice"),
    ],
)
def test_wrong_rows_are_refused(rows, message):
    with pytest.raises(TercetError, match=message):
        Batch(walked(constraints(), 2, 1)).fill_bitmask(np.zeros((3, WORDS), np.int32), rows)


def test_wrong_tokens_are_refused():
    with pytest.raises(TercetError, match="3 tokens for 2 matchers"):
        Batch(walked(constraints(), 2, 1)).advance([1, 2, 3])
