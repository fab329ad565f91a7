"""The IR as a program: calls, splits and counted loops over literals and terminals.

Rules are compiled when a kernel first calls them, so the first token never waits for a whole
schema. Code only grows; literals with equal bytes share one trie. What the operations mean is
written where they run, in `kernels/closures.py`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from tercet.collecting import uncollected
from tercet.engines.lexemes import Lexemes
from tercet.engines.possible import Possible, terminal_automaton
from tercet.engines.terminals import TerminalTables
from tercet.engines.tries import Tries
from tercet.errors import GrammarError
from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Lexed,
    Lexeme,
    Literal,
    Marker,
    Node,
    Noted,
    Repeat,
    Rule,
    Scope,
    Sequence,
    Terminal,
    Unseen,
    Words,
)
from tercet.kernels import layout as at
from tercet.vocabulary.vocabulary import Vocabulary

_DEEPEST = 400  # nested nodes inside one rule: Python's own recursion limit stands behind this

_A, _B = 1, 2  # columns of the code
_KINDS: dict[tuple[type, str], int] = {
    (Unseen, "string"): at.KIND_STRING,
    (Unseen, "number"): at.KIND_NUMBER,
    (Noted, "string"): at.NOTED_STRING,
    (Noted, "number"): at.NOTED_NUMBER,
    (Noted, "word"): at.NOTED_WORD,
    (Noted, "key"): at.KIND_KEY,
}
_LEAVES = frozenset(
    {Literal, Marker, Words, Terminal, Unseen, Noted, Lexeme}
)  # they begin with no rule


class Program:
    """Compiled code of one language: the arrays that kernels read, and the names of its rules."""

    def __init__(self, language: Language, tables: TerminalTables, vocabulary: Vocabulary) -> None:
        self._language = language
        self._tables = tables
        self._forbidden = vocabulary.unspellable
        self._spelling = vocabulary.spelling
        self._possible = Possible(language, vocabulary)
        self.lexemes = Lexemes(tables, vocabulary.unspellable)
        self._op, self._a, self._b, self._c = array("i"), array("i"), array("i"), array("i")
        self._rule_pc = array("i")
        self.rule_names: list[str] = []
        self._rule_numbers: dict[str, int] = {}
        self.tries = Tries()
        self._code: list[int] = []  # what isn't in the four arrays yet, in fours
        self.slots = {
            at.G_OP: self._op,
            at.G_A: self._a,
            at.G_B: self._b,
            at.G_C: self._c,
            at.G_RULE: self._rule_pc,
            **self.tries.slots,
        }
        self._writers: dict[type[Node], Callable[[Any, int], None]] = {
            Literal: self._write_literal,
            Marker: self._write_marker,
            Words: self._write_words,
            Terminal: self._write_terminal,
            Sequence: self._write_sequence,
            Choice: self._write_choice,
            Repeat: self._write_repeat,
            Scope: self._write_scope,
            Unseen: self._write_unseen,
            Noted: self._write_unseen,
            Composite: self._write_composite,
            Lexed: self._write_lexed,
            Lexeme: self._write_lexeme,
            Rule: self._write_call,
        }
        self._emit(at.OP_RETURN)
        self._compile_root(language.root)

    def _compile_root(self, root: Node) -> None:
        self._possible.require(root)
        self._write_body(root)
        self._compile_all([self._rule_number(name) for name in self._first_rules(root)])

    def compile_rule(self, number: int) -> None:
        """Compile the rule that a kernel trapped for, and the rules it begins with.

        A kernel needs those next, and starts its closure anew at every trap: an object with 10,000
        optional members, each a rule of its own, would take seconds one by one.
        """
        self._compile_all([number])

    def _compile_all(self, waiting: list[int]) -> None:
        try:
            with uncollected():
                while waiting:
                    self._compile_one(waiting.pop(), waiting)
        finally:
            for column, values in enumerate((self._op, self._a, self._b, self._c)):
                values.extend(self._code[column::4])
            self._code.clear()

    def _compile_one(self, number: int, waiting: list[int]) -> None:
        if self._rule_pc[number] >= 0:
            return
        pc = self._here
        node = self._language.rules[self.rule_names[number]]
        self._write_body(node)
        self._rule_pc[number] = pc
        waiting += map(self._rule_number, self._first_rules(node))

    def _first_rules(self, node: Node) -> list[str]:
        """The rules that a node may begin with."""
        names, nodes = [], [node]
        while nodes:
            first = nodes.pop()
            kind = type(first)
            if kind in _LEAVES or not self._possible(first):
                continue
            if isinstance(first, Rule):
                names.append(first.name)
            elif isinstance(first, Choice):
                nodes += first.options
            elif isinstance(first, (Repeat, Scope, Composite, Lexed)):
                nodes.append(first.body)
            elif isinstance(first, Sequence):
                for part in first.parts:
                    nodes.append(part)
                    if not self._possible.is_nullable(part):
                        break
        return names

    # Writing code: one method a kind of node, found by its type, as a match takes longer

    @property
    def _here(self) -> int:
        return len(self._op) + len(self._code) // 4

    def _emit(self, op: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        here = len(self._op) + len(self._code) // 4
        self._code += (op, a, b, c)
        return here

    def _set(self, pc: int, column: int, value: int) -> None:
        """Fill in where a place leads to, which was not known when it was written."""
        self._code[4 * (pc - len(self._op)) + column] = value

    def _write(self, node: Node, depth: int) -> None:
        writer = self._writers.get(type(node))
        if writer is None:
            raise TypeError(f"not a node of the grammar: {node!r}")
        if depth > _DEEPEST:
            raise GrammarError(
                f"the grammar nests more than {_DEEPEST} nodes inside one rule",
                hint="give its inner parts names (rules)",
            )
        writer(node, depth + 1)

    def _write_body(self, node: Node) -> None:
        self._write(node, 0)
        self._emit(at.OP_RETURN)

    def _write_literal(self, node: Literal, _: int) -> None:
        self._emit(at.OP_LITERAL, self.tries.root((node.data,)))

    def _write_marker(self, node: Marker, _: int) -> None:
        self._emit(at.OP_LITERAL, self.tries.root((self._spelling(node.name),)))

    def _write_words(self, node: Words, _: int) -> None:
        self._emit(at.OP_LITERAL, self.tries.words(self._possible.words(node.options)))

    def _write_sequence(self, node: Sequence, depth: int) -> None:
        for part in node.parts:
            self._write(part, depth)

    def _write_call(self, node: Rule, _: int) -> None:
        self._emit(at.OP_CALL, self._rule_number(node.name))

    def _rule_number(self, name: str) -> int:
        number = self._rule_numbers.get(name)
        if number is None:
            number = self._rule_numbers[name] = len(self.rule_names)
            self.rule_names.append(name)
            self._rule_pc.append(-1)
        return number

    def _write_choice(self, node: Choice, depth: int) -> None:
        *options, last = self._possible.options(node.options)
        jumps = []
        for option in options:
            split = self._emit(at.OP_SPLIT, self._here + 1)
            self._write(option, depth)
            jumps.append(self._emit(at.OP_JUMP))
            self._set(split, _B, self._here)
        self._write(last, depth)
        for jump in jumps:
            self._set(jump, _A, self._here)

    def _write_repeat(self, node: Repeat, depth: int) -> None:
        if node.max == 0 or not self._possible(node.body):
            return
        least = 0 if self._possible.is_nullable(node.body) else node.min
        self._emit(at.OP_ENTER, 0, least, -1 if node.max is None else node.max)
        loop = self._emit(at.OP_LOOP, self._here + 1)
        self._write(node.body, depth)
        self._emit(at.OP_RETURN)
        self._set(loop, _B, self._here)

    def _write_scope(self, node: Scope, depth: int) -> None:
        self._write_inside(node.body, depth, at.OP_UNSCOPE)

    def _write_composite(self, node: Composite, depth: int) -> None:
        how = 2 * (node.kind == "object") + node.is_new
        self._write_inside(node.body, depth, at.OP_COMPOSED, how)

    def _write_inside(self, body: Node, depth: int, end: int, how: int = 0) -> None:
        scope = self._emit(at.OP_SCOPE, self._here + 1)
        self._write(body, depth)
        self._emit(at.OP_RETURN)
        self._set(scope, _B, self._emit(end, how))

    def _write_unseen(self, node: Unseen | Noted, depth: int) -> None:
        self._emit(at.OP_UNSEEN, _KINDS[type(node), node.kind])
        self._write_terminal(node.terminal, depth)

    def _write_lexed(self, node: Lexed, depth: int) -> None:
        self._emit(at.OP_CONTEXT, self.lexemes.context(node.lexer, 0), 1)
        self._write(node.body, depth)
        self._emit(at.OP_UNLEXED)

    def _write_lexeme(self, node: Lexeme, _: int) -> None:
        self._emit(at.OP_LEXEME, self.lexemes.terminal(node.lexer, node.name))
        self._emit(at.OP_CONTEXT, self.lexemes.context(node.lexer, node.context))

    def _write_terminal(self, node: Terminal, _: int) -> None:
        dfa, low, high = terminal_automaton(node, self._forbidden)
        start = self._tables.start_of(dfa)
        if not node.exclude:
            self._emit(at.OP_TERMINAL, start, low, -1 if high is None else high)
            return
        self._emit(at.OP_EXCLUDE, start, self.tries.root(self._possible.excluded(node)))
