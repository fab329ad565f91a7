"""One lock for whatever kernels read: who changes arrays keeps everybody else out of them.

Kernels for one sequence hold the interpreter lock, so none is running while Python is; but one may
be called between two steps of a change, or while kernels for many sequences run, which don't hold
it. It then comes back TRAPPED at once, and its caller waits here and calls again.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from threading import RLock

import numpy as np

from tercet.kernels.pointers import address_of

_LOCK = RLock()
_BUSY = np.zeros(1, np.int64)
BUSY_ADDRESS = address_of(_BUSY)


class _Exclusive:
    """A class, as a generator takes ten times as long, and this is entered for every trap."""

    def __enter__(self) -> None:
        _LOCK.acquire()
        _BUSY[0] += 1

    def __exit__(self, *_: object) -> None:
        _BUSY[0] -= 1
        _LOCK.release()


_EXCLUSIVE = _Exclusive()


def exclusive() -> AbstractContextManager[None]:
    """Keep kernels in other threads out."""
    return _EXCLUSIVE
