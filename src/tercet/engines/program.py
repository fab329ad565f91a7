"""The IR as a program: calls, splits and counted loops over literals and terminals.

Rules are compiled when a kernel first calls them, so the first token never waits for a whole
schema. Code only grows; literals with equal bytes share one trie. What the operations mean is
written where they run, in `kernels/closures.py`.
"""

from __future__ import annotations

from array import array

import numpy as np

from tercet.automata.corpus import Corpus
from tercet.automata.lexicon import Dawg, Lexicon
from tercet.engines.lexemes import Lexemes
from tercet.engines.possible import Possible, Strings, terminal_automaton
from tercet.engines.quotes import Quotes
from tercet.engines.terminals import TerminalTables
from tercet.errors import GrammarError
from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Lexed,
    Lexeme,
    Literal,
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
from tercet.kernels.growth import sibling_edges
from tercet.kernels.trie import build_trie

_DEEPEST = 400  # nested nodes inside one rule: Python's own recursion limit stands behind this


class Program:
    """Compiled code of one language: the arrays that kernels read, and the names of its rules."""

    def __init__(
        self, language: Language, tables: TerminalTables, forbidden: frozenset[int]
    ) -> None:
        self._language = language
        self._tables = tables
        self._forbidden = forbidden
        self._possible = Possible(language, forbidden)
        self.lexemes = Lexemes(tables, forbidden)
        self._op, self._a, self._b, self._c = array("i"), array("i"), array("i"), array("i")
        self._rule_pc = array("i")
        self.rule_names: list[str] = []
        self._rule_numbers: dict[str, int] = {}
        self._start, self._count, self._end = array("i"), array("i"), array("B")
        self._edge_byte, self._edge_to = array("B"), array("i")
        self._tries: dict[Strings, int] = {}
        self._quotes: dict[int, Quotes] = {}  # by every node that isn't unfolded yet
        self.slots = {
            at.G_OP: self._op,
            at.G_A: self._a,
            at.G_B: self._b,
            at.G_C: self._c,
            at.G_RULE: self._rule_pc,
            at.X_START: self._start,
            at.X_COUNT: self._count,
            at.X_END: self._end,
            at.E_BYTE: self._edge_byte,
            at.E_TO: self._edge_to,
        }
        self._emit(at.OP_RETURN)
        self._possible.require(language.root)
        self._compile_body(language.root)

    def compile_rule(self, number: int) -> None:
        """Compile the rule that a kernel trapped for, and the rules it begins with.

        A kernel needs those next, and starts its closure anew at every trap: an object with 10,000
        optional members, each a rule of its own, would take seconds one by one.
        """
        waiting = [number]
        while waiting:
            number = waiting.pop()
            if self._rule_pc[number] >= 0:
                continue
            pc = len(self._op)
            node = self._language.rules[self.rule_names[number]]
            self._compile_body(node)
            self._rule_pc[number] = pc
            waiting += map(self._rule_number, self._first_rules(node))

    def _first_rules(self, node: Node) -> list[str]:
        """The rules that a node may begin with."""
        names, nodes = [], [node]
        while nodes:
            first = nodes.pop()
            if not self._possible(first):
                continue
            match first:
                case Rule(name=name):
                    names.append(name)
                case Choice(options=options):
                    nodes += options
                case Repeat(body=body) | Scope(body=body) | Composite(body=body) | Lexed(body=body):
                    nodes.append(body)
                case Sequence(parts=parts):
                    for part in parts:
                        nodes.append(part)
                        if not self._possible.is_nullable(part):
                            break
        return names

    def _compile_body(self, node: Node) -> None:
        self._compile(node, 0)
        self._emit(at.OP_RETURN)

    def _emit(self, op: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        self._op.append(op)
        self._a.append(a)
        self._b.append(b)
        self._c.append(c)
        return len(self._op) - 1

    def _compile(self, node: Node, depth: int) -> None:
        if depth > _DEEPEST:
            raise GrammarError(
                f"the grammar nests more than {_DEEPEST} nodes inside one rule",
                hint="give its inner parts names (rules)",
            )
        match node:
            case Literal(data=data):
                self._emit(at.OP_LITERAL, self._trie((data,)))
            case Words(options=options):
                self._emit(at.OP_LITERAL, self._words(self._possible.words(options)))
            case Terminal():
                self._compile_terminal(node)
            case Sequence(parts=parts):
                for part in parts:
                    self._compile(part, depth + 1)
            case Choice(options=options):
                self._compile_choice(self._possible.options(options), depth)
            case Repeat(body=body, min=least, max=most):
                self._compile_repeat(body, (least, most), depth)
            case Scope(body=body):
                self._compile_scope(body, depth, at.OP_UNSCOPE)
            case Composite(body=body, kind=kind, is_new=is_new):
                self._compile_scope(body, depth, at.OP_COMPOSED, 2 * (kind == "object") + is_new)
            case Unseen(terminal=terminal) | Noted(terminal=terminal):
                self._emit(at.OP_UNSEEN, at.KINDS[type(node).__name__, node.kind])
                self._compile_terminal(terminal)
            case Lexed(lexer=lexer, body=body):
                self._emit(at.OP_CONTEXT, self.lexemes.context(lexer, 0), 1)
                self._compile(body, depth + 1)
                self._emit(at.OP_UNLEXED)
            case Lexeme(lexer=lexer, name=name, context=context):
                self._emit(at.OP_LEXEME, self.lexemes.terminal(lexer, name))
                self._emit(at.OP_CONTEXT, self.lexemes.context(lexer, context))
            case Rule(name=name):
                self._emit(at.OP_CALL, self._rule_number(name))
            case _:
                raise TypeError(f"not a node of the grammar: {node!r}")

    def _rule_number(self, name: str) -> int:
        number = self._rule_numbers.get(name)
        if number is None:
            number = self._rule_numbers[name] = len(self.rule_names)
            self.rule_names.append(name)
            self._rule_pc.append(-1)
        return number

    def _compile_choice(self, options: list[Node], depth: int) -> None:
        jumps = []
        for option in options[:-1]:
            split = self._emit(at.OP_SPLIT, len(self._op) + 1)
            self._compile(option, depth + 1)
            jumps.append(self._emit(at.OP_JUMP))
            self._b[split] = len(self._op)
        self._compile(options[-1], depth + 1)
        for jump in jumps:
            self._a[jump] = len(self._op)

    def _compile_repeat(self, body: Node, counts: tuple[int, int | None], depth: int) -> None:
        least, most = counts
        if not self._possible(body):
            most = 0
        if most == 0:
            return
        if self._possible.is_nullable(body):
            least = 0
        self._emit(at.OP_ENTER, 0, least, -1 if most is None else most)
        loop = self._emit(at.OP_LOOP, len(self._op) + 1)
        self._compile(body, depth + 1)
        self._emit(at.OP_RETURN)
        self._b[loop] = len(self._op)

    def _compile_scope(self, body: Node, depth: int, end: int, how: int = 0) -> None:
        scope = self._emit(at.OP_SCOPE, len(self._op) + 1)
        self._compile(body, depth + 1)
        self._emit(at.OP_RETURN)
        self._b[scope] = self._emit(end, how)

    def _compile_terminal(self, node: Terminal) -> None:
        dfa, low, high = terminal_automaton(node, self._forbidden)
        start = self._tables.start_of(dfa)
        if not node.exclude:
            self._emit(at.OP_TERMINAL, start, low, -1 if high is None else high)
            return
        self._emit(at.OP_EXCLUDE, start, self._trie(self._possible.excluded(node)))

    def _words(self, options: Strings) -> int:
        """The root of a trie, an automaton, or a trie that is unfolded on demand."""
        root = self._tries.get(options)
        if root is None and isinstance(options, Lexicon):
            root = self._tries[options] = self._add_dawg(options.dawg)
        elif root is None and isinstance(options, Corpus):
            root = self._tries[options] = self._add_quotes(Quotes(options))
        return self._trie(tuple(options)) if root is None else root

    def _trie(self, options: tuple[bytes, ...]) -> int:
        root = self._tries.get(options)
        if root is None:
            add = self._add_chain if len(options) == 1 else self._add_trie
            root = self._tries[options] = len(self._start)
            add(options)
        return root

    def _add_dawg(self, dawg: Dawg) -> int:
        """Here all nodes come before those that they lead to, so the order is turned around."""
        root, edge = len(self._start), len(self._edge_byte)
        self._start.frombytes((dawg.first[::-1] + np.int32(edge)).tobytes())
        self._count.frombytes(dawg.count[::-1].tobytes())
        self._end.frombytes(dawg.end[::-1].tobytes())
        self._edge_byte.frombytes(dawg.byte.tobytes())
        self._edge_to.frombytes((np.int32(root + len(dawg.first) - 1) - dawg.to).tobytes())
        return root

    def _add_quotes(self, quotes: Quotes) -> int:
        root = len(self._start)
        self._start.append(0)
        self._count.append(-1)
        self._end.append(0)
        quotes.add_root(root)
        self._quotes[root] = quotes
        self.unfold(root)  # kernels unfold what they step into, and nobody steps into a root
        return root

    def unfold(self, node: int) -> None:
        """Make the edges of a node in a trie of quotes, and some of what is below."""
        if self._count[node] >= 0:  # another thread has done it
            return
        quotes = self._quotes.pop(node)
        first, edge = len(self._start), len(self._edge_byte)
        made = quotes.unfold(node, first)
        self._edge_byte.frombytes(made.byte.tobytes())
        self._edge_to.extend(range(first, first + len(made.byte)))
        self._start[node], self._count[node] = edge + int(made.start[0]), int(made.count[0])
        self._start.frombytes((made.start[1:] + np.int32(edge)).tobytes())
        self._count.frombytes(made.count[1:].tobytes())
        self._end.frombytes(made.end[1:].tobytes())
        (folded,) = np.nonzero(made.count[1:] < 0)
        self._quotes.update(dict.fromkeys((folded + first).tolist(), quotes))

    def _add_chain(self, options: tuple[bytes, ...]) -> None:
        (data,) = options
        node, edge = len(self._start), len(self._edge_byte)
        self._start.extend(range(edge, edge + len(data) + 1))
        self._count.extend([1] * len(data) + [0])
        self._end.frombytes(bytes(len(data)) + b"\1")
        self._edge_byte.frombytes(data)
        self._edge_to.extend(range(node + 1, node + len(data) + 1))

    def _add_trie(self, options: tuple[bytes, ...]) -> None:
        data = np.frombuffer(b"".join(options) or b"\0", np.uint8)
        length = np.array([len(option) for option in options], np.int32)
        start = np.zeros(len(options), np.int32)
        np.cumsum(length[:-1], out=start[1:])
        ids = np.zeros(len(options), np.int32)
        byte, skip, _, first, _, _ = build_trie(data, start, length, ids)
        edge_start, count, child = sibling_edges(byte, skip)
        node, edge = len(self._start), len(self._edge_byte)
        ends = np.zeros(len(byte) + 1, np.uint8)
        ends[1:] = first[1:] > first[:-1]
        ends[0] = bool((length == 0).any())
        self._start.frombytes((edge_start + np.int32(edge)).tobytes())
        self._count.frombytes(count.tobytes())
        self._end.frombytes(ends.tobytes())
        self._edge_byte.frombytes(byte[child - 1].tobytes())
        self._edge_to.frombytes((child + np.int32(node)).tobytes())
