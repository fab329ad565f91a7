"""Packed rows onto logits: numpy and torch do the same, for any shape and type."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.kernels import apply_numpy, apply_torch


def _case(size: int, extra: int) -> tuple[np.ndarray, np.ndarray, list[int], np.ndarray]:
    rng = np.random.default_rng(size)
    words = -(-size // 32)
    bits = rng.integers(-(2**31), 2**31, (5, words), dtype=np.int64).astype(np.int32)
    rows = [3, 1, 0]
    logits = rng.normal(size=(3, (size + extra) * 2)).astype(np.float32)[:, ::2]
    allowed = np.zeros((3, size + extra), bool)
    for i, row in enumerate(rows):
        for token in range(min(size + extra, words * 32)):
            allowed[i, token] = int(bits[row, token // 32]) >> token % 32 & 1
    return logits, bits, rows, allowed


@pytest.mark.parametrize("size", [1, 31, 32, 33, 100])
@pytest.mark.parametrize("extra", [0, 1, 40])
def test_numpy(size: int, extra: int) -> None:
    logits, bits, rows, allowed = _case(size, extra)
    before = logits.copy()
    apply_numpy.apply_bitmask(logits, bits, rows)  # a view with gaps
    assert (np.isfinite(logits) == allowed).all()
    assert (logits[allowed] == before[allowed]).all()


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("size", [1, 31, 33, 100])
@pytest.mark.parametrize("extra", [0, 40])
def test_torch(kind: str, size: int, extra: int) -> None:
    torch = pytest.importorskip("torch")
    logits, bits, rows, allowed = _case(size, extra)
    tensor = torch.tensor(np.repeat(logits, 2, axis=1)).to(getattr(torch, kind))[:, ::2]
    before = tensor.clone()
    apply_torch.apply_bitmask(tensor, torch.from_numpy(bits), rows)
    assert (torch.isfinite(tensor).numpy() == allowed).all()
    assert torch.equal(tensor[torch.from_numpy(allowed)], before[torch.from_numpy(allowed)])
    again = before.clone()
    apply_torch.apply_bitmask(again, torch.from_numpy(bits), torch.tensor(rows))
    assert torch.equal(again, tensor)


def test_one_row() -> None:
    torch = pytest.importorskip("torch")
    logits = np.ones(40, np.float32)
    bits = np.array([0b11, 0b1], np.int32)
    apply_numpy.apply_bitmask(logits, bits)
    tensor = torch.ones(40)
    apply_torch.apply_bitmask(tensor, torch.from_numpy(bits))
    assert np.flatnonzero(np.isfinite(logits)).tolist() == [0, 1, 32]
    assert (tensor.numpy() == logits).all()
