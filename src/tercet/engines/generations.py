"""A grammar over a vocabulary for as long as it is used, though its memory comes and goes.

The fast engine's states live in one recognizer's memory. When the ledger asks for it, that
recognizer is let go, and the next one begins with nothing: a *generation*. Cursors notice by the
epoch in the grammar's handle, and make their states again from their tokens. Whoever still works
with an old recognizer, by a reference of its own, goes on undisturbed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager

from tercet.engines.exclusive import exclusive
from tercet.engines.fast import FastRecognizer
from tercet.engines.fastcursor import FastCursor
from tercet.engines.generation import Generation
from tercet.engines.ledger import LEDGER
from tercet.grammar.nodes import Language
from tercet.kernels import layout as at
from tercet.vocabulary.vocabulary import Vocabulary


class Generations:
    """One language over one vocabulary; `handle` is the address that its cursors know it by."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self._language = language
        self._vocabulary = vocabulary
        self._record = array("q", [0] * at.HANDLE_SLOTS)
        self.handle: int = self._record.buffer_info()[0]
        self._pins = 0
        self._generation: Generation | None = None
        self._key = LEDGER.enter(self)
        with self.pinned():
            pass

    def current(self) -> Generation:
        """The generation to begin with; made if there is none."""
        generation = self._generation
        if generation is None:
            recognizer = FastRecognizer(self._language, self._vocabulary)
            with exclusive():
                generation = self._generation or self._begin(recognizer)
        LEDGER.touch(self._key)
        return generation

    def _begin(self, recognizer: FastRecognizer) -> Generation:
        generation = Generation(recognizer, self._record[at.HANDLE_EPOCH])
        self._record[at.HANDLE_CONTEXT] = recognizer.address
        self._generation = generation
        return generation

    def cursor(self) -> FastCursor:
        """A cursor at the start of a text."""
        return FastCursor(self)

    @contextmanager
    def pinned(self) -> Iterator[Generation]:
        """The current generation, which isn't let go meanwhile; afterwards the limit is kept."""
        with exclusive():
            self._pins += 1
        try:
            yield self.current()
        finally:
            with exclusive():
                self._pins -= 1
                LEDGER.note(self._key, self.size)
            LEDGER.settle()

    @property
    def size(self) -> int:
        """Bytes held now."""
        return 0 if self._generation is None else self._generation.recognizer.size

    @property
    def base(self) -> int:
        """Bytes that the texts in hand needed when this generation began."""
        return 0 if self._generation is None else self._generation.base

    @property
    def is_idle(self) -> bool:
        """Whether no cursor has states in it."""
        return self._generation is None or not self._generation.is_leased

    def let_go(self) -> bool:
        """End this generation; False while somebody is at work on it."""
        with exclusive():
            if self._pins:
                return False
            self._generation = None
            self._record[at.HANDLE_CONTEXT] = 0
            self._record[at.HANDLE_EPOCH] += 1
        return True
