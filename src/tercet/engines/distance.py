"""How far a state of the fast engine is from the end of the text: a lower bound in bytes.

A state is a set of threads, a thread a place inside a leaf and a stack of what comes after. So its
distance is the least over threads of what is left of the leaf and of the stack, and what is left of
a stack node is that of its place in the program and of the nearest of its callers.
"""

from __future__ import annotations

from array import array

from tercet.engines.memory import GrammarMemory
from tercet.engines.program import Program
from tercet.engines.shortest import NEVER, Shortest
from tercet.engines.terminals import TerminalTables
from tercet.grammar.nodes import Language
from tercet.kernels import layout as at


class Distances:
    """Lower bounds for the states of one recognizer.

    `memory` has its states and stacks.
    """

    def __init__(
        self, language: Language, program: Program, tables: TerminalTables, memory: GrammarMemory
    ) -> None:
        self._shortest, self._tables, self._memory = Shortest(language), tables, memory
        self._code, self._rule_names = program.slots, program.rule_names
        self._places = array("q")  # by pc: to the return from the rule
        self._tries = array("q")  # by node of a literal's trie: to the end of a word
        self._nodes: dict[int, int] = {}

    def of(self, state: int) -> int:
        """Return the bytes that complete the text of a state at least."""
        self._read_code()
        least = self._tables.array(at.Q_LEAST)
        first = int(self._memory.array(at.S_OFFSET)[state])
        count = int(self._memory.array(at.S_LENGTH)[state])
        threads = self._memory.array(at.S_POOL)[4 * first : 4 * (first + count)].tolist()
        nearest = NEVER
        for j in range(0, len(threads), 4):
            position, characters, node = threads[j], threads[j + 1], threads[j + 3]
            if position == at.END_POSITION:
                return 0
            leaf = (
                self._tries[position]
                if position >= 0
                else max(int(least[-1 - position]), characters)
            )
            nearest = min(nearest, leaf + self._node(node))
        return nearest

    def _node(self, node: int) -> int:
        """What follows a stack node; callers are older than what they called."""
        if node not in self._nodes:
            pcs, parents = self._memory.array(at.K_PC), self._memory.array(at.K_PARENTS)
            lows = self._memory.array(at.K_LOW)
            waiting = [node]
            while waiting:
                callers = self._callers(int(parents[waiting[-1]]))
                unknown = [caller for caller in callers if caller not in self._nodes]
                if unknown:
                    waiting += unknown
                    continue
                done = waiting.pop()
                after = min((self._nodes[caller] for caller in callers), default=0)
                self._nodes[done] = self._place(int(pcs[done]), int(lows[done])) + after
        return self._nodes[node]

    def _callers(self, parents: int) -> list[int]:
        if parents < 0:
            return []
        if parents & 1 == 0:
            return [parents >> 1]
        start = int(self._memory.array(at.L_OFFSET)[parents >> 1])
        size = int(self._memory.array(at.L_LENGTH)[parents >> 1])
        callers: list[int] = self._memory.array(at.L_POOL)[start : start + size].tolist()
        return callers

    def _place(self, pc: int, low: int) -> int:
        if self._code[at.G_OP][pc] != at.OP_LOOP:
            return self._places[pc]
        body, after = self._code[at.G_A][pc], self._code[at.G_B][pc]
        return min(low * self._places[body], NEVER) + self._places[after]

    def _read_code(self) -> None:
        """Read what is new of the program, from its end: places only lead to later ones."""
        known, count = len(self._tries), len(self._code[at.X_START])
        self._tries.extend([0] * (count - known))
        for node in range(count - 1, known - 1, -1):
            self._tries[node] = self._rest_of_word(node)
        known, count = len(self._places), len(self._code[at.G_OP])
        self._places.extend([0] * (count - known))
        for pc in range(count - 1, known - 1, -1):
            self._places[pc] = min(self._to_return(pc), NEVER)

    def _rest_of_word(self, node: int) -> int:
        if self._code[at.X_END][node]:
            return 0
        start, count = self._code[at.X_START][node], self._code[at.X_COUNT][node]
        if count < 0:  # of a quote, and not unfolded yet
            return 1
        targets = self._code[at.E_TO][start : start + count]
        return 1 + min((self._tries[target] for target in targets), default=NEVER)

    def _to_return(self, pc: int) -> int:
        op, a, b = self._code[at.G_OP][pc], self._code[at.G_A][pc], self._code[at.G_B][pc]
        places = self._places
        if op == at.OP_RETURN:
            return 0
        if op == at.OP_JUMP:
            return places[a]
        if op == at.OP_SPLIT:
            return min(places[a], places[b])
        if op == at.OP_ENTER:
            return self._place(pc + 1, b)
        if op == at.OP_LOOP:  # comes after its ENTER, or waits in a stack with a count of its own
            return places[b]
        if op == at.OP_SCOPE:
            return places[a] + places[b]
        own = 0
        if op == at.OP_CALL:
            own = self._shortest.rule(self._rule_names[a])
        elif op == at.OP_LITERAL:
            own = self._tries[a]
        elif op == at.OP_TERMINAL:
            own = b
        elif op == at.OP_LEXEME:
            own = 1
        return own + places[pc + 1]
