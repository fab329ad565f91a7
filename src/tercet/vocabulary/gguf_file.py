"""The metadata of a GGUF file: typed values by name. The tensors after it are left alone.

The package gguf reads the same, but it makes Python objects of every number and tensor, which
takes seconds where this takes a tenth of one. Lengths in the file aren't trusted.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any

import numpy as np

from tercet.errors import TercetError

_STRING, _ARRAY, _BOOL = 8, 9, 7
_NUMBERS = {0: "u1", 1: "i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 10: "<u8"}
_NUMBERS |= {11: "<i8", 12: "<f8", _BOOL: "?"}
_DEEPEST = 4  # arrays in arrays; no known file has any


def read_metadata(path: Path) -> dict[str, Any]:
    """Return the metadata of a GGUF file.

    Raises:
        TercetError: the file can't be opened, isn't GGUF, or is cut off.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _parsed(data)
    except (OSError, ValueError, struct.error) as error:
        raise TercetError(
            "can't read the GGUF file",
            at=str(path),
            why=str(error),
            hint="pass a complete .gguf file, version 2 or 3, little-endian",
        ) from error


def _parsed(data: mmap.mmap) -> dict[str, Any]:
    magic, version, _, count = struct.unpack_from("<4sIQQ", data)
    if magic != b"GGUF":
        raise ValueError("it doesn't begin with GGUF")
    if version not in {2, 3}:
        raise ValueError(f"its version is {version}")
    cursor = _Cursor(data, 24)
    return {cursor.string(): cursor.value(cursor.number("<u4")) for _ in range(count)}


class _Cursor:
    """Reads values one after another."""

    def __init__(self, data: mmap.mmap, offset: int) -> None:
        self.data = data
        self.offset = offset

    def take(self, count: int) -> bytes:
        start, self.offset = self.offset, self.offset + count
        if self.offset > len(self.data):
            raise ValueError("it is cut off")
        return self.data[start : self.offset]

    def number(self, kind: str) -> Any:
        dtype = np.dtype(kind)
        return np.frombuffer(self.take(dtype.itemsize), dtype)[0].item()

    def string(self) -> str:
        # UnicodeDecodeError is a ValueError
        return self.take(int.from_bytes(self.take(8), "little")).decode()

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY and depth < _DEEPEST:
            return self.array(depth)
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        raise ValueError(f"it has a value of the unknown type {kind}")

    def array(self, depth: int) -> list[Any]:
        kind, count = self.number("<u4"), self.number("<u8")
        if kind in _NUMBERS:
            dtype = np.dtype(_NUMBERS[kind])
            values: list[Any] = np.frombuffer(self.take(count * dtype.itemsize), dtype).tolist()
            return values
        return [self.value(kind, depth + 1) for _ in range(count)]
