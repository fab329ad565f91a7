"""Packed rows onto logits: numpy, torch and Triton do the same, for any shape, type and layout."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tercet import TercetError, apply_bitmask
from tercet.kernels import apply_numpy, apply_torch

KINDS = ["float32", "float16", "bfloat16", "float64"]
Apply = Callable[..., None]


def _triton() -> Apply:
    """The Triton kernel in Triton's interpreter: it has to be chosen before the import."""
    pytest.importorskip("triton", reason="Triton isn't installed: its kernel is not tested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_INTERPRET", "1")
        spec = importlib.util.find_spec("tercet.kernels.apply_triton")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module.apply_bitmask


def _operations(logits: Any, bits: Any, rows: Any = None) -> None:
    """What other devices do, where that can be tested."""
    apply_torch._apply_with_operations(*apply_torch.on_device(logits, bits, rows))


@pytest.fixture(scope="module", params=["torch", "operations", "triton", "any"])
def apply(request: pytest.FixtureRequest) -> Apply:
    pytest.importorskip("torch")
    named = {
        "torch": apply_torch.apply_bitmask,
        "operations": _operations,
        "any": apply_bitmask,
    }
    return named.get(request.param) or _triton()


@pytest.mark.parametrize("kind", ["bf16", "fp32"])
@pytest.mark.parametrize("numbered", [True, False])
def test_triton_compiles_for_cuda(
    kind: str, *, numbered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Down to machine code, which needs no device."""
    triton = pytest.importorskip("triton", reason="Triton isn't installed")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")  # unset, it warns; we compute nothing
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from tercet.kernels.apply_triton import _WORDS, _forbid

    types = ["*" + kind, "*i32", "*i32" if numbered else "*" + kind, *["i32"] * 3, *["i64"] * 4]
    names = [*_forbid.arg_names[:10], "NUMBERED", "WORDS"]
    source = ASTSource(
        _forbid,
        dict(zip(names, [*types, "constexpr", "constexpr"], strict=True)),
        {(10,): numbered, (11,): _WORDS},
    )
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    assert "st.global" in compiled.asm["ptx"]


def _bits(rows: int, size: int) -> np.ndarray:
    rng = np.random.default_rng(size)
    return rng.integers(-(2**31), 2**31, (rows, -(-size // 32)), dtype=np.int64).astype(np.int32)


def _allowed(bits: np.ndarray, rows: list[int], width: int) -> np.ndarray:
    """What the docstring says, bit by bit."""
    allowed = np.zeros((len(rows), width), bool)
    for i, row in enumerate(rows):
        for token in range(width):
            word = int(bits[row, token // 32]) if token < bits.shape[1] * 32 else 0
            allowed[i, token] = row < 0 or word >> token % 32 & 1
    return allowed


def _logits(count: int, width: int, kind: str, layout: str) -> Any:
    import torch

    dense = torch.randn(count * 2, width * 2, generator=torch.manual_seed(1)).to(
        getattr(torch, kind)
    )
    if layout == "contiguous":
        return dense[:count, :width].clone()
    if layout == "rows apart":
        return dense[::2, :width]
    if layout == "tokens apart":
        return dense[:count, ::2]
    return dense.clone().flatten()[: count * width].view(width, count).t()


LAYOUTS = ["contiguous", "rows apart", "tokens apart", "transposed"]


@pytest.mark.parametrize("kind", ["float32", "float16", "float64"])
@pytest.mark.parametrize("step", [1, 2, -1])
@pytest.mark.parametrize("size", [1, 31, 32, 33, 100])
@pytest.mark.parametrize("extra", [0, 1, 40])
def test_numpy(kind: str, step: int, size: int, extra: int) -> None:
    bits, rows, width = _bits(5, size), [3, -1, 0], size + extra
    logits = np.random.default_rng(1).normal(size=(3, width * abs(step))).astype(kind)[:, ::step]
    before, allowed = logits.copy(), _allowed(bits, rows, width)
    apply_numpy.apply_bitmask(logits, bits, rows)  # a view with gaps
    assert (np.isfinite(logits) == allowed).all()
    assert (logits[allowed] == before[allowed]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("size", "width"), [(33, 33), (100, 140), (100, 70), (2100, 2100)])
def test_torch(apply: Apply, kind: str, layout: str, size: int, width: int) -> None:
    import torch

    bits, rows = _bits(5, size), [3, 1, -1, 4]
    logits = _logits(4, width, kind, layout)
    before, allowed = logits.clone(), torch.from_numpy(_allowed(bits, rows, width))
    apply(logits, torch.from_numpy(bits), rows)
    assert torch.equal(torch.isfinite(logits), allowed)
    assert torch.equal(logits[allowed], before[allowed])


def test_row_numbers_in_any_form(apply: Apply) -> None:
    import torch

    bits = _bits(3, 70)
    expected = torch.ones(2, 70)
    apply(expected, torch.from_numpy(bits[[2, 0]]))
    for rows in ([2, 0], np.array([2, 0]), torch.tensor([2, 0]), torch.tensor([2, 0]).int()):
        logits = torch.ones(2, 70)
        apply(logits, bits, rows)
        assert torch.equal(logits, expected)


def test_one_row_is_for_all(apply: Apply) -> None:
    import torch

    bits = np.array([0b11, 0b1], np.int32)
    for logits in (torch.ones(40), torch.ones(1, 40), torch.ones(3, 40)):
        apply(logits, bits)
        one = np.ones(tuple(logits.shape), np.float32)
        apply_numpy.apply_bitmask(one, bits)
        assert (np.flatnonzero(np.isfinite(np.atleast_2d(one)[0])) == [0, 1, 32]).all()
        assert (logits.numpy() == one).all()


def test_bits_with_rows_apart(apply: Apply) -> None:
    import torch

    bits = torch.from_numpy(_bits(6, 70))
    logits, expected = torch.ones(3, 70), torch.ones(3, 70)
    apply(logits, bits[::2])
    apply(expected, bits[::2].contiguous())
    assert torch.equal(logits, expected)


def test_autograd_knows() -> None:
    import torch

    weights = torch.ones(1, 40, requires_grad=True)
    logits = weights * 2
    apply_bitmask(logits, np.array([0b11, 0], np.int32))
    logits.logsumexp(1).sum().backward()
    assert weights.grad is not None
    assert weights.grad.nonzero()[:, 1].tolist() == [0, 1]


def test_logits_that_cannot_be_written() -> None:
    logits = np.ones(40, np.float32)
    logits.flags.writeable = False
    with pytest.raises(TercetError, match="can't be written"):
        apply_bitmask(logits, np.zeros(2, np.int32))


def test_nothing_to_do(apply: Apply) -> None:
    import torch

    apply(torch.ones(0, 40), torch.zeros(0, 2, dtype=torch.int32))


@pytest.mark.parametrize(
    ("logits", "bits", "rows", "words"),
    [
        (np.ones((2, 40), np.int64), np.zeros((2, 2), np.int32), None, "logits must be float16"),
        (np.ones((2, 40), np.float32), np.zeros((2, 2), np.int64), None, "they are int64"),
        (np.ones((2, 40), np.float32), np.zeros((2, 2), bool), None, "must be int32"),
        (np.ones((2, 1, 40), np.float32), np.zeros((2, 2), np.int32), None, "(2, 1, 40)"),
        (np.ones((2, 40), np.float32), np.zeros((3, 2), np.int32), None, "3 rows of bits for 2"),
        (np.ones((2, 40), np.float32), np.zeros((3, 2), np.int32), [0], "1 row numbers for 2"),
        (np.ones((2, 40), np.float32), np.zeros((3, 2), np.int32), [0, 3], "there is no row 3"),
        (np.ones((2, 40), np.float32), np.zeros((3, 2), np.int32), [-2, 0], "there is no row -2"),
    ],
)
def test_mistakes(apply: Apply, logits: Any, bits: Any, rows: Any, words: str) -> None:
    import torch

    for arguments in ((logits, bits), (torch.from_numpy(logits), torch.from_numpy(bits))):
        call = apply_numpy.apply_bitmask if arguments[0] is logits else apply
        with pytest.raises(TercetError) as caught:
            call(*arguments, rows)
        assert words in str(caught.value)


def test_row_numbers_must_be_integers(apply: Apply) -> None:
    import torch

    with pytest.raises(TercetError, match="must be integers"):
        apply(
            torch.ones(1, 40).to("meta"), np.zeros((1, 2), np.int32), torch.ones(1, device="meta")
        )


def test_bits_on_another_device(apply: Apply) -> None:
    import torch

    bits = torch.zeros(1, 2, dtype=torch.int32, device="meta")
    with pytest.raises(TercetError, match="lie on cpu"):
        apply(torch.ones(1, 40), bits)
