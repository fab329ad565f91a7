"""Checks and times `apply_bitmask` on one device: every implementation, type, layout, row number.

What comes out is compared with the meaning, worked out on booleans by numpy. Times are those of
CUDA events, against writing the same logits with torch's `fill_`, which is as fast as memory is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from tercet import RowTable
from tercet.kernels import apply_torch

Apply = Callable[..., None]
Entry = dict[str, Any]

KINDS = ("float16", "bfloat16", "float32", "float64")
LAYOUTS = ("contiguous", "rows apart", "tokens apart", "transposed")
FORMS = ("one by one", "one for all", "numbers", "numbers on the device", "row table")
_ROWS = 5  # of bits; the logits have as many rows or fewer
_SPARE_BYTES = 256 << 20  # of logits, so that they don't stay in a device's cache from call to call


class Case(NamedTuple):
    kind: str
    layout: str
    form: str
    size: int  # tokens that the bits speak of, but for the last word
    width: int  # of the logits


def implementations(device: Any, *, has_triton: bool) -> dict[str, Apply]:
    """What may be called on logits that lie on this device."""
    found: dict[str, Apply] = {"torch": apply_torch.apply_bitmask, "operations": _operations}
    if has_triton:
        from tercet.kernels import apply_triton

        found["Triton"] = apply_triton.apply_bitmask
    return found if device.type == "cpu" else {k: found[k] for k in found if k != "torch"}


def _operations(logits: Any, bits: Any, rows: Any = None) -> None:
    apply_torch._apply_with_operations(*apply_torch.on_device(logits, bits, rows))


def cases(sizes: list[tuple[int, int]]) -> Iterator[Case]:
    for kind, layout, form, (size, width) in product(KINDS, LAYOUTS, FORMS, sizes):
        yield Case(kind, layout, form, size, width)


def is_right(apply: Apply, case: Case, device: Any) -> bool:
    """Whether exactly the forbidden logits became -inf, and the others stayed as they were."""
    import torch

    bits, numbers = _bits(case.size), np.array([3, -1, 0, 3], np.int32)
    if case.form == "one by one":
        bits, numbers = bits[:4], np.arange(4)
    elif case.form == "one for all":
        bits, numbers = bits[:1], np.zeros(4, np.int32)
    logits = _logits(4, case, device)
    before, allowed = logits.clone(), allowed_by(bits, numbers, case.width)
    apply(logits, *_given(bits, numbers, case.form, device))
    expected = before.masked_fill(torch.from_numpy(~allowed).to(device), float("-inf"))
    return bool(torch.equal(logits, expected))


def _bits(size: int) -> Any:
    """Packed rows: at random, nothing, and all."""
    rng = np.random.default_rng(size)
    bits = rng.integers(-(2**31), 2**31, (_ROWS, ceil(size / 32)), dtype=np.int64).astype(np.int32)
    bits[1], bits[2] = 0, -1
    return bits


def allowed_by(bits: Any, numbers: Any, width: int) -> Any:
    """Which logits stay, bit by bit: bool [rows, width]."""
    known = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little").astype(bool)
    padded = np.zeros((len(bits), width), bool)
    shared = min(width, known.shape[1])
    padded[:, :shared] = known[:, :shared]
    return padded[np.maximum(numbers, 0)] | (numbers < 0)[:, None]


def _given(bits: Any, numbers: Any, form: str, device: Any) -> tuple[Any, ...]:
    """The arguments after the logits."""
    import torch

    if form in ("one by one", "one for all"):
        return (torch.from_numpy(bits).to(device),)
    if form == "numbers":
        return torch.from_numpy(bits).to(device), numbers.tolist()
    if form == "numbers on the device":
        return torch.from_numpy(bits).to(device), torch.from_numpy(numbers).to(device)
    table = RowTable(bits.shape[1] * 32, device=device, capacity=8)
    table.put(bits[::-1])  # other numbers than the rows had
    placed = table.put(bits)
    chosen = placed[torch.from_numpy(np.maximum(numbers, 0)).to(device)]
    return table.bits, torch.where(torch.from_numpy(numbers).to(device) < 0, -1, chosen)


def _logits(count: int, case: Case, device: Any) -> Any:
    """Random logits, with gaps between them where the case says so."""
    import torch

    drawn = torch.randn(2 * count, 2 * case.width, generator=torch.manual_seed(1))
    dense = drawn.to(device, getattr(torch, case.kind))
    if case.layout == "rows apart":
        return dense[::2, : case.width]
    if case.layout == "tokens apart":
        return dense[:count, ::2]
    if case.layout == "transposed":
        return dense.flatten()[: count * case.width].view(case.width, count).t()
    return dense[:count, : case.width].clone()


def is_right_in_a_graph(apply: Apply, device: Any) -> bool:
    """Whether a CUDA graph that was recorded with some row numbers works with others."""
    import torch

    bits = _bits(1000)
    held = torch.from_numpy(bits).to(device)
    logits, numbers = torch.zeros(4, 1000, device=device), torch.zeros(4, device=device).int()
    apply(logits, held, numbers)  # what is compiled at a first call is compiled now
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        apply(logits, held, numbers)
    later = np.array([4, 0, -1, 3], np.int32)
    numbers.copy_(torch.from_numpy(later))
    logits.zero_()
    graph.replay()
    return bool((torch.isfinite(logits).cpu().numpy() == allowed_by(bits, later, 1000)).all())


def times(applies: dict[str, Apply], device: Any, shape: tuple[int, int], kind: str) -> Entry:
    """Microseconds of each, for masks that allow little and masks that forbid little."""
    import torch

    count, width = shape
    one = torch.zeros(shape, dtype=getattr(torch, kind), device=device)
    copies = min(8, ceil(_SPARE_BYTES / (one.numel() * one.element_size())))
    logits = [one, *(one.clone() for _ in range(copies - 1))]
    numbers = torch.arange(count, dtype=torch.int32, device=device)
    found: Entry = {"fill_": microseconds(lambda at: logits[at].fill_(-1.0), copies)}
    for title, share in (("1 % allowed", 0.01), ("99 % allowed", 0.99)):
        allowed = np.random.default_rng(1).random((count, ceil(width / 32) * 32)) < share
        packed = np.packbits(allowed, axis=1, bitorder="little").view(np.int32)
        bits = torch.from_numpy(packed).to(device)
        for name, apply in applies.items():
            found[f"{name}, {title}"] = microseconds(
                lambda at, apply=apply, bits=bits: apply(logits[at], bits, numbers), copies
            )
    return found


def microseconds(call: Callable[[int], Any], copies: int, repeats: int = 60) -> float:
    """The median over calls on the device, each on the next copy of what it works on."""
    import torch

    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(repeats)]
    for turn in range(10):
        call(turn % copies)
    for turn, (begin, end) in enumerate(events):
        begin.record()
        call(turn % copies)
        end.record()
    torch.cuda.synchronize()
    return round(1000 * float(np.median([begin.elapsed_time(end) for begin, end in events])), 2)
