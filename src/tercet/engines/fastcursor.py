"""A cursor of the fast engine: one small record that kernels move, fill and follow from.

Its states are numbers in the memory of a generation. When that has been let go, a kernel says
STALE; then the states are made again from the tokens, in the generation that is current by now.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tercet.engines.cursors import Place
from tercet.engines.generation import Generation
from tercet.kernels import layout as at
from tercet.kernels.cursors import advance_cursor, fill_cursor, fill_draft
from tercet.kernels.pointers import address_of

if TYPE_CHECKING:
    from tercet.engines.generations import Generations

_CAPACITY = 32
_NO_EPOCH = -1


class FastCursor:
    """Where one sequence stands; `address` is its record, what kernels take."""

    __slots__ = ("_history", "_lease", "_record", "_source", "address")

    def __init__(self, source: Generations) -> None:
        generation = source.current()
        self._source = source
        self._lease = generation.lease()
        # The states, then the tokens: the first state, and the start of the record.
        self._history = array("i", bytes(4 * (2 * _CAPACITY + 1)))
        self._history[0] = generation.start
        self._record = array("q", (source.handle, generation.epoch, 0, _CAPACITY, 0, 0))
        self.address: int = self._record.buffer_info()[0]
        self._point()

    def _point(self) -> None:
        """Tell the record where the history lies."""
        states = self._history.buffer_info()[0]
        self._record[at.CURSOR_STATES] = states
        self._record[at.CURSOR_TOKENS] = states + 4 * (self._record[at.CURSOR_CAPACITY] + 1)

    @property
    def handle(self) -> int:
        """What names its grammar to kernels."""
        return self._record[at.CURSOR_HANDLE]

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return self._record[at.CURSOR_LENGTH]

    @property
    def tokens(self) -> list[int]:
        """The tokens so far: a copy."""
        first = self._record[at.CURSOR_CAPACITY] + 1
        return self._history[first : first + self._record[at.CURSOR_LENGTH]].tolist()

    @property
    def has_ended(self) -> bool:
        """Whether the last token ended the sequence."""
        return self._history[self._record[at.CURSOR_LENGTH]] <= at.ENDED

    def place(self) -> Place:
        """The recognizer of the current generation, and the state in it."""
        with self._source.pinned() as generation:
            if self._record[at.CURSOR_EPOCH] != generation.epoch:
                self._replay(generation)
            state = self._history[self._record[at.CURSOR_LENGTH]]
            return generation.recognizer, at.ENDED - state if state <= at.ENDED else state

    def advance(self, token: int) -> bool:
        """Take one more token, unless it is refused."""
        taken: int = advance_cursor(self.address, token)
        return (taken if taken >= 0 else self._insist(advance_cursor, token)) == 1

    def fill(self, address: int) -> None:
        """Write the mask to the int32 words at an address."""
        if fill_cursor(self.address, address) < 0:
            self._insist(fill_cursor, address)

    def follow(
        self, tokens: NDArray[np.int64], parents: NDArray[np.int32], address: int, stride: int
    ) -> list[bool]:
        """Try a tree of tokens in one kernel call."""
        states = np.empty(len(tokens) + 1, np.int32)
        places = (address_of(tokens), address_of(parents), address_of(states), address, stride)
        request = array("q", (len(tokens), *places))
        if fill_draft(self.address, request.buffer_info()[0]) < 0:
            self._insist(fill_draft, request.buffer_info()[0])
        taken: list[bool] = (states[1:] != at.DEAD).tolist()
        return taken

    def rollback(self, count: int) -> None:
        """Take back the last tokens."""
        self._record[at.CURSOR_LENGTH] -= count

    def fork(self) -> FastCursor:
        """Another cursor at the same place."""
        twin = FastCursor.__new__(FastCursor)
        twin._source, twin._lease = self._source, self._lease
        twin._history, twin._record = self._history[:], self._record[:]
        twin.address = twin._record.buffer_info()[0]
        twin._point()
        return twin

    def _insist(self, kernel: Callable[[int, int], int], argument: int) -> int:
        """Call a kernel again until it has done its work, and answer what it lacks."""
        with self._source.pinned() as generation:
            while (result := kernel(self.address, argument)) < 0:
                if result == at.STALE:
                    self._replay(generation)
                elif result == at.FULL:
                    self._lengthen()
                else:
                    generation.recognizer.answer_trap()
            return result

    def _replay(self, generation: Generation) -> None:
        """Make the states again from the tokens; what that takes is no fault of the cache."""
        record, tokens, before = self._record, self.tokens, generation.recognizer.size
        try:
            record[at.CURSOR_EPOCH], record[at.CURSOR_LENGTH] = generation.epoch, 0
            self._history[0] = generation.start
            for token in tokens:
                while (taken := advance_cursor(self.address, token)) < 0:
                    generation.recognizer.answer_trap()
                assert taken, "a token that was taken once is taken again"
        except BaseException:
            record[at.CURSOR_EPOCH], record[at.CURSOR_LENGTH] = _NO_EPOCH, len(tokens)
            raise
        self._lease = generation.lease()
        generation.base += generation.recognizer.size - before

    def _lengthen(self) -> None:
        """Make room for twice as many tokens."""
        capacity = self._record[at.CURSOR_CAPACITY]
        states, tokens = self._history[: capacity + 1], self._history[capacity + 1 :]
        more = array("i", bytes(4 * capacity))
        self._history = states + more + tokens + more
        self._record[at.CURSOR_CAPACITY] = 2 * capacity
        self._point()
