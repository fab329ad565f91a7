"""Zeroed address space for the arrays of compiled grammars, handed on from one to the next.

The system lays out a page of memory when it is first written to, which takes a microsecond or two:
as long as a mask. So more is reserved than most grammars ever use, and nothing is copied when
arrays grow; and what a grammar has used is cleaned when it is dropped, for the next one, which then
finds its pages there. What lies where is `memory`'s business.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from typing import Any

import numpy as np

_KEPT = 4
_LARGEST_KEPT = 16 << 20  # bytes used: a larger one goes back to the system


def reserved(size: int) -> np.ndarray[Any, Any]:
    """New zeroed bytes; what isn't written to takes no memory.

    Raises:
        OSError: the system doesn't promise that much.
    """
    if not hasattr(mmap, "MAP_PRIVATE"):  # Windows
        return np.frombuffer(mmap.mmap(-1, size), np.uint8)
    space = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        # A huge page takes a hundred microseconds, and there are forty arrays.
        with suppress(OSError):
            space.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(space, np.uint8)


class Arenas:
    """Arenas of one size that wait for their next use."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._free: list[np.ndarray[Any, Any]] = []
        self._lock = Lock()

    def take(self) -> np.ndarray[Any, Any]:
        """A zeroed arena.

        Raises:
            OSError: the system doesn't promise that much memory.
        """
        with self._lock:
            if self._free:
                return self._free.pop()
        return reserved(self.size)

    def give_back(
        self, arena: np.ndarray[Any, Any], used: Iterable[tuple[int, int]], dirty: int
    ) -> None:
        """Take an arena of which only these spans were written to; `dirty` is their whole size.

        Pages of what needs no cleaning may be left out of `used`, but not out of `dirty`.
        """
        if dirty > _LARGEST_KEPT or len(self._free) >= _KEPT:
            return
        for start, end in used:
            arena[start:end] = 0
        with self._lock:
            self._free.append(arena)
