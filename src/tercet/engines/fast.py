"""The fast engine: a lazily built pushdown automaton over bytes, with masks over tokens.

States are small integers; what a state is, how it steps and what its mask is stands in the
kernels. This file answers their traps: it grows arrays, compiles rules that are called for the
first time, and builds terminal tables that a mask needs. Threads may share a recognizer: see
`exclusive.py`, and a kernel whose trap another thread has answered is just called again.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.engines.distance import Distances
from tercet.engines.exclusive import exclusive
from tercet.engines.memory import GrammarMemory
from tercet.engines.program import Program
from tercet.engines.terminals import terminal_tables
from tercet.grammar.nodes import Language
from tercet.kernels import layout as at
from tercet.kernels.masks import fill_row
from tercet.kernels.pointers import address_of
from tercet.kernels.steps import advance_token, list_live, start_state, step_byte
from tercet.vocabulary.vocabulary import Vocabulary


class FastRecognizer:
    """Recognises one language over one vocabulary; states are shared by all its matchers."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self._language = language
        self._tables = terminal_tables(vocabulary)
        with exclusive():
            self._program = Program(language, self._tables, vocabulary.unspellable)
        self._memory = GrammarMemory(self._tables.address, self._tables.words, self._tables.longest)
        self.address = self._memory.address
        self._counts = self._memory.counts
        self._flags = self._memory.array(at.S_FLAGS)
        self._publish_program()
        while (first := start_state(self.address)) == at.TRAPPED:
            self.answer_trap()
        self._start = int(first)

    def start(self) -> int:
        """The state before the first byte."""
        return self._start

    def step(self, state: int, byte: int) -> int | None:
        """The state after one more byte, or None."""
        while (after := step_byte(self.address, state, byte)) == at.TRAPPED:
            self.answer_trap()
        return after if after >= 0 else None

    def advance(self, state: int, token: int) -> int | None:
        """The state after the bytes of one more token, or None; EOS is not text."""
        after: int = advance_token(self.address, state, token)
        while after == at.TRAPPED:
            self.answer_trap()
            after = advance_token(self.address, state, token)
        return after if after >= 0 else None

    def fill(self, state: int, row: NDArray[Any]) -> None:
        """Write the mask into a contiguous int32 row of as many words as the vocabulary needs."""
        self.fill_at(state, address_of(row))

    def fill_at(self, state: int, address: int) -> None:
        """Write the mask to the int32 words at an address."""
        while fill_row(self.address, state, address) == at.TRAPPED:
            self.answer_trap()

    def is_accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return bool(self._flags[state] & at.FLAG_ACCEPTING)

    def is_finished(self, state: int) -> bool:
        """Whether the text is complete and nothing can follow."""
        return bool(self._flags[state] & at.FLAG_FINISHED)

    def live_bytes(self, state: int) -> list[int]:
        """The bytes that may come next."""
        found = np.empty(256, np.uint8)
        while (count := list_live(self.address, state, address_of(found))) == at.TRAPPED:
            self.answer_trap()
        live: list[int] = found[:count].tolist()
        return live

    def least_bytes(self, state: int) -> int:
        """Less than these bytes don't complete the text."""
        with exclusive():
            return self._distances.of(state)

    @cached_property
    def _distances(self) -> Distances:
        return Distances(self._language, self._program, self._tables, self._memory)

    @property
    def size(self) -> int:
        """Bytes that its states and rows take."""
        return self._memory.size

    def _publish_program(self) -> None:
        for slot, code in self._program.slots.items():
            self._memory.context[slot] = code.buffer_info()[0]
        for slot, value in self._program.lexemes.slots.items():
            self._memory.context[slot] = value

    def answer_trap(self) -> None:
        """Do what a kernel that came back TRAPPED has asked for; then call it again."""
        with exclusive():
            self._settle_trap()

    def _settle_trap(self) -> None:
        trap, argument = int(self._counts[at.TRAP]), int(self._counts[at.TRAP_ARGUMENT])
        self._counts[at.TRAP] = at.NO_TRAP
        if trap == at.TRAP_GROW:
            self._memory.grow(argument)
            self._flags = self._memory.array(at.S_FLAGS)
        elif trap == at.TRAP_RULE:
            self._program.compile_rule(argument)
            self._publish_program()
        elif trap == at.TRAP_LEXER:
            self._program.lexemes.answer(argument)
            self._publish_program()
        elif trap == at.TRAP_UNFOLD:
            self._program.tries.unfold(argument)
            self._publish_program()
        elif trap == at.TRAP_TABLE:
            self._tables.build(argument)
        elif trap == at.TRAP_EXIT:
            self._tables.build_exits(argument >> 8, argument & 255)
        elif trap == at.TRAP_COST:
            self._tables.build_costs(argument)
