"""Packed mask rows onto torch logits, in place, on any device.

The same function as in `apply_numpy.py`, with the same meaning: by the same kernel on the host, by
torch's own operations elsewhere. On CUDA `apply_triton.py` does it in one pass over the logits;
this is for where there is no Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.errors import TercetError
from tercet.kernels.apply_checks import check_arguments
from tercet.kernels.apply_numpy import forbid_at


def apply_bitmask(logits: Any, bits: Any, rows: Sequence[int] | Any | None = None) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    What the arguments may be stands at `tercet.apply_bitmask`.
    """
    logits, bits, numbers = on_device(logits, bits, rows)
    if _is_plain_memory(logits):
        _apply_on_host(logits, bits, numbers)
    else:
        _apply_with_operations(logits, bits, numbers)


def _is_plain_memory(logits: Any) -> bool:
    """Whether nobody but the memory has to know: no gradient, no compiler, no lazy negation."""
    import torch

    watched = logits.requires_grad or logits.is_neg() or torch.compiler.is_compiling()
    return logits.device.type == "cpu" and not watched


def _apply_on_host(logits: Any, bits: Any, numbers: Any) -> None:
    strides = tuple(step * logits.element_size() for step in logits.stride())
    kind = str(logits.dtype).removeprefix("torch.")
    place = (logits.data_ptr(), tuple(logits.shape), strides, kind)
    forbid_at(place, bits.contiguous().numpy(), None if numbers is None else numbers.numpy())


def _apply_with_operations(logits: Any, bits: Any, numbers: Any) -> None:
    """Without a kernel: the same on every device, and it can be recorded in a CUDA graph."""
    import torch

    if numbers is not None:
        bits = bits.index_select(0, numbers.clamp(min=0))
    shifts = torch.arange(8, dtype=torch.uint8, device=bits.device)
    octets = bits.contiguous().view(torch.uint8).unsqueeze(-1)
    width = min(logits.shape[1], bits.shape[1] * 32)
    forbidden = ((octets >> shifts) & 1).flatten(1)[:, :width] == 0
    if numbers is None:
        logits[:, width:].fill_(float("-inf"))
    else:
        masked = (numbers >= 0).unsqueeze(1)
        forbidden &= masked
        logits[:, width:].masked_fill_(masked, float("-inf"))
    logits[:, :width].masked_fill_(forbidden, float("-inf"))


def on_device(logits: Any, bits: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Check the arguments, and bring all to two dimensions and the device of the logits.

    Row numbers that lie on the device already are not read: that would wait for it.

    Raises:
        TercetError: they don't go together, or the bits lie on another device than CPU or this one.
    """
    import torch

    rows = rows.tolist() if rows is not None and _is_on_host(rows) else rows
    bits = torch.as_tensor(bits)
    check_arguments(logits, bits, rows)
    for array in (bits, rows):
        device = getattr(array, "device", None)
        if device is not None and device.type != "cpu" and device != logits.device:
            raise TercetError(
                f"the logits lie on {logits.device}, the bits or row numbers on {device}",
                hint="keep them on the device of the logits, or on the CPU",
            )
    if rows is not None:
        rows = torch.as_tensor(rows, dtype=torch.int32).to(logits.device, non_blocking=True)
    bits = bits.to(logits.device, non_blocking=True)
    return torch.atleast_2d(logits), torch.atleast_2d(bits), rows


def _is_on_host(rows: Any) -> bool:
    """Whether these are row numbers in an array that can be read at once."""
    device = getattr(rows, "device", None)
    return hasattr(rows, "tolist") and (device is None or getattr(device, "type", "cpu") == "cpu")
