"""Work that is shared out among threads is done once each, whether threads come or not."""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial
from threading import Event

import pytest

from tercet.engines import workers


@pytest.mark.parametrize("count", range(12))
def test_everything_is_run_once(count: int) -> None:
    ran: list[int] = []

    def job(number: int) -> int:
        ran.append(number)
        return number

    total = workers.run_all([partial(job, number) for number in range(count)])
    assert total == sum(range(count))
    assert sorted(ran) == list(range(count))


def test_jobs_that_no_thread_begins_are_taken_back() -> None:
    pool, gate = workers._made(), Event()
    busy = [pool.submit(gate.wait) for _ in range(workers._MOST - 1)]
    try:
        assert workers.run_all([lambda: 1, lambda: 2, lambda: 3]) == 6
    finally:
        gate.set()
        wait(busy)
