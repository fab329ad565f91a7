"""Matchers that go on together: the rows and the tokens of a whole batch in one call each.

Separate from `matcher.py`, which knows one sequence. What rows are is said in `bitmask.py`, and how
many are written at once in `engines/batches.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tercet.bitmask import Bitmask
from tercet.engines.batches import together
from tercet.errors import TercetError

if TYPE_CHECKING:
    from tercet.matcher import Matcher


class Batch:
    """Matchers over one vocabulary, of any constraints; they stay usable on their own.

    Making one costs some microseconds, so one may be made for every step; it is cheaper to keep it
    while the same sequences run. Calls run in several threads from the size at which that pays.

    >>> from tercet import Grammar, compile
    >>> from tercet.testing import byte_vocabulary
    >>> specs = Grammar.choice(["yes", "no"]), Grammar.regex("[0-9]+")
    >>> batch = Batch([compile(spec, byte_vocabulary()).matcher() for spec in specs])
    >>> bits = np.zeros((2, 9), np.int32)
    >>> batch.fill_bitmask(bits)
    >>> batch.advance([ord("n"), ord("n")]).tolist()
    [True, False]

    Raises:
        TercetError: the matchers are of different vocabularies.
    """

    def __init__(self, matchers: Sequence[Matcher]) -> None:
        self._matchers = list(matchers)
        vocabularies = {id(m._vocabulary): m._vocabulary for m in self._matchers}
        if len({vocabulary.fingerprint for vocabulary in vocabularies.values()}) > 1:
            named = ", ".join(sorted(map(repr, vocabularies.values())))
            raise TercetError(
                "a batch has matchers of different vocabularies",
                why=f"they are {named}",
                hint="make a batch for each model",
            )
        size = next((v.size for v in vocabularies.values()), 0)
        self._bitmask = Bitmask(size)
        self._cursors = together([m._cursor for m in self._matchers])
        self._rows = np.arange(len(self._matchers))

    def __len__(self) -> int:
        return len(self._matchers)

    def fill_bitmask(self, out: Any, /, rows: Sequence[int] | None = None) -> None:
        """Write the allowed tokens of each matcher into its row of packed bits.

        `out` is as in `Matcher.fill_bitmask`. Matcher i writes row rows[i], or row i; other rows
        stay as they are. While it runs, matchers in other threads wait.

        Raises:
            TercetError: `out` has another type or shape; a row is not in it or comes twice.
        """
        numbers = self._rows if rows is None else np.asarray(rows, np.int64)
        self._check_count(numbers, "rows")
        self._cursors.fill(self._bitmask.rows(out, numbers))

    def advance(self, tokens: Sequence[int], /) -> NDArray[np.bool_]:
        """Take one token with each matcher; returns which of them took theirs.

        One that refuses its token stays where it is, and the others go on: `Matcher.explain` says
        why.

        Raises:
            TercetError: there are more or fewer tokens than matchers.
        """
        taken = np.asarray(tokens, np.int64)
        self._check_count(taken, "tokens")
        return self._cursors.advance(taken)

    def _check_count(self, given: NDArray[np.int64], what: str) -> None:
        if given.shape != (len(self._matchers),):
            raise TercetError(
                f"there are {given.size} {what} for {len(self._matchers)} matchers",
                hint=f"pass one of the {what} for each matcher, in their order",
            )
