"""A table of rows: the same row has the same number, and what the table holds is what was put."""

from __future__ import annotations

import numpy as np
import pytest

from tercet import RowTable, TercetError, apply_bitmask

pytest.importorskip("torch")


@pytest.mark.parametrize("size", [1, 40, 300, 3000])
@pytest.mark.parametrize("capacity", [4, 5, 64])
def test_holds_what_was_put(size: int, capacity: int) -> None:
    rng = np.random.default_rng(capacity)
    table = RowTable(size, device="cpu", capacity=capacity)
    known = rng.integers(-9, 9, (12, table.words)).astype(np.int32)
    for _ in range(200):
        rows = known[rng.integers(0, len(known), rng.integers(1, 5))]
        numbers = table.put(rows).numpy()
        assert (table.bits.numpy()[numbers] == rows).all()
        assert len(set(numbers.tolist())) == len(np.unique(rows, axis=0))
    fits = capacity >= len(np.unique(known, axis=0))
    assert (table.uploads <= len(known)) == fits


def test_what_is_asked_for_again_and_again_stays() -> None:
    table = RowTable(32, device="cpu", capacity=4)
    often = np.array([[1], [2]], np.int32)
    table.put(often)
    for other in range(10, 60):
        table.put(often)
        table.put(np.array([[other]], np.int32))
    assert table.uploads == 52


def test_masks_through_the_table() -> None:
    import torch

    bits = np.array([[0b01], [0b11], [0b01]], np.int32)
    table = RowTable(2, device="cpu")
    logits = torch.zeros(3, 2)
    apply_bitmask(logits, table.bits, table.put(torch.from_numpy(bits)))
    assert torch.isfinite(logits).tolist() == [[True, False], [True, True], [True, False]]
    assert table.uploads == 2


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (np.zeros((1, 2), np.int64), "they are int64"),
        (np.zeros((1, 3), np.int32), "rows of 2 words"),
        (np.zeros(2, np.int32), "rows of 2 words"),
        (np.zeros((5, 2), np.int32), "5 rows for a table of 4"),
        ([[0, 0]], "they are list"),
    ],
)
def test_mistakes(bits: object, words: str) -> None:
    with pytest.raises(TercetError, match=words):
        RowTable(40, device="cpu", capacity=4).put(bits)


def test_no_table() -> None:
    with pytest.raises(TercetError, match="no table of 0 rows"):
        RowTable(40, device="cpu", capacity=0)
