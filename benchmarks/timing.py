"""What benchmarks measure and how it is summed up: clocks, percentiles, verdicts.

Pure functions and small records, tested in tests/unit/benchmarks; nothing here runs an engine.

A token's time (TBM, time between masks) is its mask and its advance through an engine's public
Python interface, a token that is refused included; the time to the first mask (TTFM) is from the
schema, as a dict, to a filled row. Each is taken twice: wall time, and the CPU time of the process,
which a busy machine distorts less.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from time import perf_counter_ns, process_time_ns
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Summary = dict[str, float]

QUANTILES = {"p25": 25, "p50": 50, "p75": 75, "p90": 90, "p99": 99, "p99.9": 99.9, "max": 100}
# Denser towards the tail, for plots: 0 to 90 by 2, then 90, 99, 99.9 ... in tenths of what is left.
CURVE = [
    *range(0, 90, 2),
    *(100 - 10 ** (1 - step / 20) for step in range(60)),
    100,
]


def percentiles(nanoseconds: Iterable[int]) -> Summary:
    """Percentiles, mean and count, in microseconds.

    >>> percentiles([1000, 2000, 3000])["p50"]
    2.0
    """
    values = np.fromiter(nanoseconds, np.float64) / 1000
    if not len(values):
        return {"count": 0}
    found = {name: rounded(np.percentile(values, q)) for name, q in QUANTILES.items()}
    return {**found, "mean": rounded(values.mean()), "count": len(values)}


def curve(nanoseconds: Iterable[int]) -> list[float]:
    """The values at each percentile of `CURVE`, in microseconds."""
    values = np.fromiter(nanoseconds, np.float64) / 1000
    return [rounded(v) for v in np.percentile(values, CURVE)] if len(values) else []


def rounded(value: Any) -> float:
    """Four significant digits: more would be noise.

    >>> rounded(1234567.0), rounded(0.00123456)
    (1235000.0, 0.001235)
    """
    return float(f"{value:.4g}")


def timed(work: Callable[[], T]) -> tuple[T, int, int]:
    """What `work` gives, and its wall and CPU time in nanoseconds."""
    cpu, wall = process_time_ns(), perf_counter_ns()
    result = work()
    wall = perf_counter_ns() - wall
    return result, wall, process_time_ns() - cpu


def clock_ns() -> int:
    """What reading the CPU clock adds to each CPU time."""
    return int(np.median([timed(lambda: None)[2] for _ in range(1001)]))


def pin(core: int | None = None) -> int | None:
    """Keep this process on one core, by default the last that it may use; None where it can't."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    chosen = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen})
    return chosen


def verdict(*, valid: bool, accepted: bool) -> str:
    """What judging an instance came to, as the tables call it."""
    return f"{'valid' if valid else 'invalid'} {'accepted' if accepted else 'refused'}"


def is_passing(judged: Iterable[tuple[bool, bool]]) -> bool:
    """Whether a schema passes: every (valid, accepted) of its instances agrees.

    >>> is_passing([(True, True), (False, False)]), is_passing([(True, True), (False, True)])
    (True, False)
    """
    return all(valid == accepted for valid, accepted in judged)
