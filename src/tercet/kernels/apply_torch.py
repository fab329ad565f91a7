"""Packed mask rows onto torch logits, in place, with torch's own operations, on any device.

The same function as in `apply_numpy.py`, with the same meaning. On CUDA `apply_triton.py` does it
in one pass over the logits; this is for every other device, and for where there is no Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.errors import TercetError
from tercet.kernels.apply_checks import check_arguments


def apply_bitmask(logits: Any, bits: Any, rows: Sequence[int] | Any | None = None) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    What the arguments may be stands at `tercet.apply_bitmask`.
    """
    import torch

    logits, bits, numbers = on_device(logits, bits, rows)
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
