"""Runs `following.py` over many (schema, engine) pairs, and outlives what it doesn't.

A pair that takes longer than the limit, or ends the process, is recorded as failed; the rest goes
on in a new process. Nothing is measured here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, Self

Entry = dict[str, Any]
Pair = tuple[str, str]

_START_SECONDS = 300  # imports, vocabularies, kernels the first time
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def turns(names: list[str], engines: list[str]) -> list[Pair]:
    """Each schema with each engine; who goes first changes with every schema.

    >>> turns(["a", "b"], ["x", "y"])
    [('a', 'x'), ('a', 'y'), ('b', 'y'), ('b', 'x')]
    """
    return [
        (name, engines[(turn + k) % len(engines)])
        for turn, name in enumerate(names)
        for k in range(len(engines))
    ]


def records(job: Entry, pairs: list[Pair], seconds: float, *, log: Path) -> Iterator[Entry]:
    """First what the process prepared, then one record for each pair, as they are done.

    A step may take so many seconds. What the engines print goes to the log.
    """
    left = list(pairs)
    introduced = False
    while left:
        with log.open("a") as printed, _Worker({**job, "pairs": left}, printed) as worker:
            ready = worker.line(_START_SECONDS)
            if ready is None or "ready" not in ready:
                raise RuntimeError(f"the measuring process doesn't start: {worker.ending()}")
            if not introduced:
                yield ready
                introduced = True
            while left:
                found = _next(worker, seconds)
                name, engine = left.pop(0)
                yield {"name": name, "engine": engine, **found}
                if "failed" in found:
                    break


def _next(worker: _Worker, seconds: float) -> Entry:
    """The record of the pair that comes next."""
    step = ""
    while True:
        line = worker.line(seconds)
        if line is None:
            return {"failed": worker.ending(seconds), "step": step}
        if "next" not in line and "begin" not in line:
            return line
        step = line.get("begin", step)


class _Worker:
    """The process, with its lines in a queue so that waiting for one can end."""

    def __init__(self, job: Entry, log: IO[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("following.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **_ONE_THREAD},
        )
        self._lines: Queue[str] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def line(self, seconds: float) -> Entry | None:
        """The next line, or None when the process has ended or nothing came in time."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            return None
        return json.loads(line) if line else None

    def ending(self, seconds: float = _START_SECONDS) -> str:
        """How it ended; it is ended if it still runs."""
        try:
            code = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return f"no answer within {seconds:g} s"
        return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
