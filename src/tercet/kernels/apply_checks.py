"""What every `apply_bitmask` asks of its arguments, so that each file refuses the same mistakes.

Only shapes, types and devices are looked at, never values on a device: reading those would wait for
it. Works on numpy arrays and torch tensors alike and imports neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.errors import TercetError

FLOATS = ("float16", "bfloat16", "float32", "float64")


def check_arguments(logits: Any, bits: Any, rows: Any) -> None:
    """Refuse logits, bits and row numbers that don't go together.

    Raises:
        TercetError: a wrong type, a wrong number of dimensions, or as many rows of one as the other
            doesn't have.
    """
    _check_array(logits, "the logits", FLOATS)
    _check_array(bits, "the bitmask", ("int32",))
    count = logits.shape[0] if len(logits.shape) == 2 else 1
    held = bits.shape[0] if len(bits.shape) == 2 else 1
    if rows is None:
        if held not in (1, count):
            raise TercetError(
                f"{held} rows of bits for {count} rows of logits",
                hint="give as many rows, one for all of them, or the row numbers as `rows`",
            )
        return
    if (length := _length(rows)) != count:
        raise TercetError(f"{length} row numbers for {count} rows of logits")
    for number in rows if isinstance(rows, Sequence) else ():
        if not -1 <= number < held:
            raise TercetError(
                f"there is no row {number}",
                why=f"the bitmask has {held} rows",
                hint="-1 leaves a row of logits as it is",
            )


def _check_array(array: Any, name: str, kinds: tuple[str, ...]) -> None:
    kind = str(getattr(array, "dtype", type(array).__name__)).removeprefix("torch.")
    if kind not in kinds:
        raise TercetError(f"{name} must be {' or '.join(kinds)}", why=f"they are {kind}")
    if len(array.shape) not in (1, 2):
        raise TercetError(
            f"{name} must have one or two dimensions", why=f"the shape is {tuple(array.shape)}"
        )


def _length(rows: Any) -> int:
    shape = getattr(rows, "shape", None)
    if shape is None:
        return len(rows)
    if len(shape) != 1 or "int" not in str(rows.dtype):
        raise TercetError(
            "row numbers must be integers in one dimension",
            why=f"these are {rows.dtype}, of shape {tuple(shape)}",
        )
    return int(shape[0])
