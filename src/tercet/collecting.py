"""No garbage collection in the middle of a compilation.

Compiling makes thousands of small objects that stay, which sets the cyclic collector off again and
again: it took a fifth of all time to the first mask and, where a program holds a million objects,
as one with transformers in it does, single pauses of 50 to 200 ms. It runs as usual afterwards.
"""

from __future__ import annotations

import gc
from contextlib import AbstractContextManager
from threading import Lock


class _Pause:
    """Counts who is inside, as threads compile side by side; the last one switches it on again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._was_enabled = False

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._was_enabled:
                gc.enable()


_PAUSE = _Pause()


def uncollected() -> AbstractContextManager[None]:
    """Keep the cyclic collector from running inside of a block.

    >>> import gc
    >>> with uncollected():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    return _PAUSE
