"""Packed mask rows onto torch logits, in place, on any device.

The same function as in `apply_numpy.py`, with the same meaning. It uses methods of the tensors it
is given, so importing it doesn't import torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def apply_bitmask(logits: Any, bits: Any, rows: Sequence[int] | Any | None = None) -> None:
    """Write -inf into the logits of every token that its row of `bits` doesn't allow.

    `bits` is an int32 tensor, on any device. `rows` is a sequence or a tensor of row numbers.
    """
    logits = logits.unsqueeze(0) if logits.dim() == 1 else logits
    bits = bits.unsqueeze(0) if bits.dim() == 1 else bits
    bits = bits.to(logits.device, non_blocking=True)
    if rows is not None:
        bits = bits[rows if hasattr(rows, "device") else list(rows)]
    shifts = bits.new_tensor(range(32))
    allowed = ((bits.unsqueeze(-1) >> shifts) & 1).flatten(1)
    width = min(logits.shape[1], allowed.shape[1])
    logits[:, :width].masked_fill_(allowed[:, :width] == 0, float("-inf"))
    logits[:, width:].fill_(float("-inf"))
