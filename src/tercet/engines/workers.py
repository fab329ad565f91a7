"""A few threads that stay, for kernels that don't hold the interpreter lock.

Waking a thread costs about as much as writing some dozens of rows, so callers use them from a size
on that they have measured. On a single core there are none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock

_MOST = 8

_LOCK = Lock()
_pool: ThreadPoolExecutor | None = None


def workers() -> int:
    """How many threads there are, the calling one included."""
    return min(_MOST, _cores())


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run_all(jobs: Sequence[Callable[[], int]]) -> int:
    """Run all jobs, the first one in this thread, and add up what they return.

    A job that no thread has begun when this one is free is taken back: where other work keeps the
    cores busy, a thread that was woken may come milliseconds later.
    """
    futures: list[Future[int]] = []
    try:
        if len(jobs) > 1:
            pool = _made()
            futures = [pool.submit(job) for job in jobs[1:]]
        total = jobs[0]() if jobs else 0
        for job, future in zip(jobs[:0:-1], reversed(futures), strict=True):
            if future.cancel():
                total += job()
    finally:
        begun = [future for future in futures if not future.cancelled()]
        wait(begun)  # they write to the caller's arrays
    return total + sum(future.result() for future in begun)


def _made() -> ThreadPoolExecutor:
    global _pool  # noqa: PLW0603 - one pool for the process
    with _LOCK:
        if _pool is None:
            _pool = ThreadPoolExecutor(_MOST - 1, thread_name_prefix="tercet")
        return _pool


def _forget() -> None:
    """After a fork the child has the pool but none of its threads."""
    global _pool, _LOCK
    _pool, _LOCK = None, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
