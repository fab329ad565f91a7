"""One sequence under a grammar, for any engine: its tokens, and the states that it came through.

`Cursor` is what a matcher asks of an engine. It knows end-of-sequence tokens, which recognizers
don't: to them a text just stops. `PlainCursor` works with any recognizer and says what is meant;
the fast engine has its own (`fastcursor.py`), whose every method is one kernel call.
"""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tercet.engines.select import Recognizer
from tercet.kernels.bits import packed
from tercet.vocabulary.vocabulary import Vocabulary

Place = tuple[Recognizer, Any]


class Cursor(Protocol):
    """Where one sequence stands."""

    @property
    def tokens(self) -> list[int]:
        """The tokens so far: a copy."""

    @property
    def length(self) -> int:
        """How many they are."""

    @property
    def has_ended(self) -> bool:
        """Whether the last one ended the sequence."""

    def place(self) -> Place:
        """A recognizer, and the state of the text in it, to be used together."""

    def advance(self, token: int) -> bool:
        """Take one more token, unless it is refused."""

    def fill(self, address: int) -> None:
        """Write the mask to the int32 words at an address."""

    def follow(
        self, tokens: NDArray[np.int64], parents: NDArray[np.int32], address: int, stride: int
    ) -> list[bool]:
        """Try a tree of tokens; nothing changes. Says of each whether it can be taken.

        Entry i comes after entry parents[i], an earlier one, or after this place if that is -1. If
        `address` isn't 0, the masks here and after each entry that can be taken are written to
        rows `stride` bytes apart.
        """

    def rollback(self, count: int) -> None:
        """Take back the last tokens, of which there are as many."""

    def fork(self) -> Cursor:
        """Another cursor at the same place."""


class CursorSource(Protocol):
    """What a compiled grammar gives to its matchers."""

    def cursor(self) -> Cursor:
        """A cursor at the start of a text."""


class PlainCursor:
    """A cursor over any recognizer."""

    def __init__(self, recognizer: Recognizer, vocabulary: Vocabulary) -> None:
        self._recognizer = recognizer
        self._vocabulary = vocabulary
        self._words = (vocabulary.size + 31) // 32
        self._end = packed(np.array(sorted(vocabulary.eos)), self._words)
        self._states: list[Any] = [recognizer.start()]
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return len(self.tokens)

    @property
    def has_ended(self) -> bool:
        """Whether the last token ended the sequence."""
        return bool(self.tokens) and self.tokens[-1] in self._vocabulary.eos

    def place(self) -> Place:
        """The recognizer and the state."""
        return self._recognizer, self._states[-1]

    def advance(self, token: int) -> bool:
        """Take one more token, unless it is refused."""
        state = self._states[-1]
        if self.has_ended:
            return False
        if token not in self._vocabulary.eos:
            state = self._recognizer.advance(state, token)
        elif not self._recognizer.is_accepting(state):
            return False
        if state is None:
            return False
        self._states.append(state)
        self.tokens.append(int(token))
        return True

    def fill(self, address: int) -> None:
        """Write the mask."""
        row = np.ctypeslib.as_array((ctypes.c_int32 * self._words).from_address(address))
        if self.has_ended:
            row[:] = self._end
        else:
            self._recognizer.fill(self._states[-1], row)

    def follow(
        self, tokens: NDArray[np.int64], parents: NDArray[np.int32], address: int, stride: int
    ) -> list[bool]:
        """Try a tree of tokens, each with a cursor of its own."""
        places: list[PlainCursor | None] = [self]
        for token, parent in zip(tokens.tolist(), parents.tolist(), strict=True):
            before = places[parent + 1]
            after = None if before is None else before.fork()
            places.append(after if after is not None and after.advance(token) else None)
        for number, place in enumerate(places):
            if place is not None and address:
                place.fill(address + number * stride)
        return [place is not None for place in places[1:]]

    def rollback(self, count: int) -> None:
        """Take back the last tokens."""
        if count:
            del self._states[-count:]
            del self.tokens[-count:]

    def fork(self) -> PlainCursor:
        """Another cursor at the same place."""
        twin = PlainCursor.__new__(PlainCursor)
        twin._recognizer, twin._vocabulary = self._recognizer, self._vocabulary
        twin._words, twin._end = self._words, self._end
        twin._states, twin.tokens = self._states.copy(), self.tokens.copy()
        return twin


class PlainSource:
    """Gives plain cursors over one recognizer."""

    def __init__(self, recognizer: Recognizer, vocabulary: Vocabulary) -> None:
        self._recognizer = recognizer
        self._vocabulary = vocabulary

    def cursor(self) -> PlainCursor:
        """A cursor at the start of a text."""
        return PlainCursor(self._recognizer, self._vocabulary)
