"""Many cursors at once: one call writes all their masks, or takes a token with each.

Rows that are known are only copied, so any thread may write any of them. The others are computed,
which writes to the arrays of their grammars; then each grammar's rows belong to one thread. What a
kernel can't do by itself (a rule to compile, arrays to grow, states to make again) is left to the
cursors, one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tercet.engines.cursors import Cursor
from tercet.engines.exclusive import exclusive
from tercet.engines.fastcursor import FastCursor
from tercet.engines.workers import run_all, workers
from tercet.kernels import layout as at
from tercet.kernels.cursors import advance_many, fill_many
from tercet.kernels.pointers import address_of

_COPIES = 48  # known rows from which on another thread pays
_COMPUTED = 4  # rows to be computed


class CursorBatch(Protocol):
    """Cursors that are worked on together."""

    def fill(self, addresses: NDArray[np.int64]) -> None:
        """Write the mask of each to the int32 words at its address; the rows don't overlap."""

    def advance(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Take one token with each; False for those that refuse theirs and stay where they are."""


class PlainBatch:
    """Cursors of any engine, one after another."""

    def __init__(self, cursors: Sequence[Cursor]) -> None:
        self._cursors = cursors

    def fill(self, addresses: NDArray[np.int64]) -> None:
        """Write the mask of each."""
        for cursor, address in zip(self._cursors, addresses.tolist(), strict=True):
            cursor.fill(address)

    def advance(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Take one token with each."""
        pairs = zip(self._cursors, tokens.tolist(), strict=True)
        return np.array([cursor.advance(token) for cursor, token in pairs], np.bool_)


class FastBatch:
    """Cursors of the fast engine; their addresses are gathered once."""

    def __init__(self, cursors: Sequence[FastCursor]) -> None:
        count = len(cursors)
        self._cursors = cursors
        self._arrays = np.zeros((at.MANY_SLOTS, count), np.int64)
        self._arrays[at.MANY_CURSORS] = [cursor.address for cursor in cursors]
        self._arrays[at.MANY_ORDER] = np.arange(count)
        self._record = array("q", (address_of(row) for row in self._arrays))
        self._request: int = self._record.buffer_info()[0]

    def fill(self, addresses: NDArray[np.int64]) -> None:
        """Write the mask of each, in several threads where it is worth it."""
        count, results = len(self._cursors), self._arrays[at.MANY_RESULTS]
        self._arrays[at.MANY_VALUES] = addresses
        with exclusive():
            parts = _even_parts(count, count // _COPIES)
            if not self._run(parts, may_learn=False):
                return
            self._compute(np.flatnonzero(results == at.UNKNOWN))
        for number in np.flatnonzero(results < 0).tolist():
            self._cursors[number].fill(int(addresses[number]))

    def _compute(self, missing: NDArray[np.int64]) -> None:
        """Compute rows, those of a grammar in one thread."""
        handles = np.array([self._cursors[number].handle for number in missing.tolist()], np.int64)
        order = np.argsort(handles, kind="stable")
        self._record[at.MANY_ORDER] = address_of(numbers := missing[order])
        begins = [0, *(np.flatnonzero(np.diff(handles[order])) + 1).tolist(), len(numbers)]
        parts = _even_parts(len(numbers), len(numbers) // _COMPUTED)
        places = [begins[int(np.searchsorted(begins, place))] for place in parts]
        self._run(places, may_learn=True)
        self._record[at.MANY_ORDER] = address_of(self._arrays[at.MANY_ORDER])

    def _run(self, places: Sequence[int], *, may_learn: bool) -> int:
        """Fill what lies between neighbouring places of the order; returns how many rows lack."""
        spans = [(a, b) for a, b in pairwise(places) if a < b]
        return run_all([partial(fill_many, self._request, *span, may_learn) for span in spans])

    def advance(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Take one token with each."""
        results = self._arrays[at.MANY_RESULTS]
        self._arrays[at.MANY_VALUES] = tokens
        advance_many(self._request, len(self._cursors))
        for number in np.flatnonzero(results < 0).tolist():
            results[number] = self._cursors[number].advance(int(tokens[number]))
        taken: NDArray[np.bool_] = results.astype(np.bool_)
        return taken


def _even_parts(count: int, most: int) -> list[int]:
    """Bounds of at most `most` parts of about the same size, and of no more than threads."""
    parts = max(1, min(most, workers()))
    return [count * part // parts for part in range(parts + 1)]


def together(cursors: Sequence[Cursor]) -> CursorBatch:
    """A batch of these cursors."""
    fast = [cursor for cursor in cursors if isinstance(cursor, FastCursor)]
    return FastBatch(fast) if len(fast) == len(cursors) else PlainBatch(cursors)
