"""What a context-free language and a regular one have in common, which is context-free again.

Every rule becomes one for each pair of states of the automaton: the texts of the rule that lead the
automaton from the one to the other (Bar-Hillel, Perles and Shamir, 1961). Only the pairs that the
root comes to are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tercet.automata.automaton import explore
from tercet.automata.chardfa import CharDFA, compile_regex
from tercet.automata.charset import partition
from tercet.automata.regex import Regex, both
from tercet.errors import GrammarError
from tercet.grammar.fusing import with_terminals
from tercet.grammar.nodes import (
    EMPTY,
    NOTHING,
    Choice,
    Language,
    Literal,
    Node,
    Repeat,
    Rule,
    Sequence,
    Terminal,
    Words,
    alt,
    lit,
    seq,
    term,
    words,
)
from tercet.grammar.reachable import reachable_nodes
from tercet.grammar.recursion import without_left_recursion
from tercet.grammar.regular import NotRegularError, written

_MOST_PAIRS = 20_000  # of a rule and a state: half a minute of work at most
_MOST_REFERENCES = 50_000  # among the rules: with order="any" there is one for each set of members
_MOST_COPIES = 1_000  # of what is repeated so often


def product(language: Language, regex: Regex) -> Language:
    """The texts of a language that an expression matches too; the root is NOTHING without any.

    >>> from tercet.automata.parse import parse
    >>> nested = Language(Rule("n"), {"n": alt(lit("x"), seq(lit("("), Rule("n"), lit(")")))})
    >>> product(nested, parse("..?")).root
    Terminal(Chars(CharSet([(0x78, 0x78)])), 'utf8', 0, None, ())

    Raises:
        NotRegularError: the language is more than rules and terminals.
        GrammarError: there would be too many rules.
    """
    dfa = compile_regex(regex)
    if dfa.is_empty:
        return Language(NOTHING, {})
    pairs = _Pairs(_Binary(language).rules, dfa)
    finals = [q for q in sorted(pairs.ends(Rule(_ROOT), 0)) if dfa.accept[q]]
    root = alt(*(pairs.node(Rule(_ROOT), 0, q) for q in finals))
    found = without_left_recursion(Language(root, pairs.made()))
    return found if found.root is NOTHING else with_terminals(found)


_ROOT = "root"


class _Binary:
    """Rules in which nothing is repeated and a sequence has two parts."""

    def __init__(self, language: Language) -> None:
        self.rules: dict[str, Node] = {}
        nodes = reachable_nodes(language, _MOST_REFERENCES)
        if nodes is None:
            raise _too_large(f"its rules refer to each other more than {_MOST_REFERENCES:,} times")
        for name, node in nodes.items():
            self.rules[f"={name}"] = self._node(node)
        self.rules[_ROOT] = self._node(language.root)

    def _node(self, node: Node) -> Node:
        match node:
            case Rule(name=name):
                return Rule(f"={name}")
            case Choice(options=options):
                return Choice(tuple(map(self._node, options)))
            case Sequence(parts=(first, *rest)) if rest:
                return Sequence((self._node(first), self._named(self._node(seq(*rest)))))
            case Repeat(body=body, min=least, max=most):
                return self._repeated(self._node(body), least, most)
            case Literal() | Words() | Terminal():
                return node
        if node is EMPTY:
            return node
        raise NotRegularError(
            "& doesn't know such a grammar",
            why="it is read by a lexer, asks for special tokens, or remembers what came before",
            hint='without a lexer (lexer="dynamic_complete") a grammar is rules and terminals',
        )

    def _named(self, node: Node) -> Node:
        if not isinstance(node, Sequence) or node is EMPTY:
            return node
        name = f"#{len(self.rules)}"
        self.rules[name] = node
        return Rule(name)

    def _repeated(self, body: Node, least: int, most: int | None) -> Node:
        copies = least if most is None else most
        if copies > _MOST_COPIES:
            raise _too_large(f"something is repeated {copies} times")
        rest: Node = EMPTY
        if most is None:
            name = f"#{len(self.rules)}"
            self.rules[name] = Choice((Sequence((body, Rule(name))), EMPTY))
            rest = Rule(name)
        for number in range(copies - 1, -1, -1):
            name = f"#{len(self.rules)}"
            again = Sequence((body, rest))
            self.rules[name] = again if number < least else Choice((again, EMPTY))
            rest = Rule(name)
        return rest


class _Pairs:
    """Where each rule leads from each state, and the nodes for it."""

    def __init__(self, rules: Mapping[str, Node], dfa: CharDFA) -> None:
        self._rules = rules
        self._dfa = dfa
        self._ends: dict[tuple[str, int], frozenset[int]] = {}
        self._leaves: dict[tuple[Node, int], dict[int, Node]] = {}
        self._paths: dict[tuple[int, int], Regex] = {}
        self._made: dict[str, Node] = {}
        self._waiting: list[tuple[str, int, int]] = []
        self._readers: dict[tuple[str, int], set[tuple[str, int]]] = {}
        self._find(_ROOT, 0)

    def _find(self, name: str, state: int) -> None:
        """The least sets of ends: each is looked at again when one that it read has grown."""
        queue = [(name, state)]
        self._ends[name, state] = frozenset()
        while queue:
            self._reading = queue.pop()
            before = set(self._ends)
            found = self.ends(self._rules[self._reading[0]], self._reading[1])
            queue += self._ends.keys() - before
            if len(self._ends) > _MOST_PAIRS:
                raise _too_large(f"they make more than {_MOST_PAIRS} rules together")
            if found != self._ends[self._reading]:
                self._ends[self._reading] = found
                queue += self._readers.get(self._reading, ())

    def ends(self, node: Node, state: int) -> frozenset[int]:
        """The states to which texts of a node lead, as far as they are known."""
        match node:
            case Rule(name=name):
                self._readers.setdefault((name, state), set()).add(self._reading)
                return self._ends.setdefault((name, state), frozenset())
            case Choice(options=options):
                return frozenset().union(*(self.ends(option, state) for option in options))
            case Sequence(parts=(first, second)):
                middles = self.ends(first, state)
                return frozenset().union(*(self.ends(second, middle) for middle in middles))
        return frozenset(self._leaf(node, state))

    def node(self, node: Node, start: int, end: int) -> Node:
        """The texts of a node that lead from one state to another."""
        match node:
            case Rule(name=name):
                if end not in self._ends.get((name, start), ()):
                    return NOTHING
                self._waiting.append((name, start, end))
                return Rule(f"{name} {start} {end}")
            case Choice(options=options):
                return alt(*(self.node(option, start, end) for option in options))
            case Sequence(parts=(first, second)):
                return alt(
                    *(
                        seq(self.node(first, start, middle), self.node(second, middle, end))
                        for middle in sorted(self.ends(first, start))
                        if end in self.ends(second, middle)
                    )
                )
        return self._leaf(node, start).get(end, NOTHING)

    def made(self) -> dict[str, Node]:
        """The rules that the nodes so far lead to."""
        while self._waiting:
            name, start, end = self._waiting.pop()
            key = f"{name} {start} {end}"
            if key not in self._made:
                self._made[key] = NOTHING
                self._made[key] = self.node(self._rules[name], start, end)
                if len(self._made) > _MOST_PAIRS:
                    raise _too_large(f"they make more than {_MOST_PAIRS} rules together")
        return self._made

    def _leaf(self, node: Node, state: int) -> dict[int, Node]:
        found = self._leaves.get((node, state))
        if found is None:
            found = self._leaves[node, state] = self._read(node, state)
        return found

    def _read(self, node: Node, state: int) -> dict[int, Node]:
        """Where a leaf leads from a state, and with which of its texts."""
        match node:
            case Literal(data=data):
                end = self._after(state, data.decode())
                return {} if end < 0 else {end: lit(data)}
            case Words(options=options):
                if len(options) > _MOST_PAIRS:
                    raise _too_large(f"there is a choice of {len(options)} words")
                ends: dict[int, list[bytes]] = {}
                for word in options:
                    ends.setdefault(self._after(state, word.decode()), []).append(word)
                return {end: words(some) for end, some in ends.items() if end >= 0}
            case Terminal():
                regex = written(node)
                ends_of = self._meeting(compile_regex(regex), state)
                return {end: term(both(regex, self._path(state, end))) for end in ends_of}
        return {state: EMPTY}

    def _after(self, state: int, text: str) -> int:
        for char in text:
            if state >= 0:
                state = self._dfa.step(state, ord(char))
        return state

    def _meeting(self, other: CharDFA, state: int) -> list[int]:
        """The states in which the automaton is when another accepts."""
        classes, _ = partition((*other.classes, *self._dfa.classes))
        chars = [charset.ranges[0][0] for charset in classes]
        seen = {(0, state): None}
        queue = [(0, state)]
        for theirs, ours in queue:  # grows while it is read
            for char in chars:
                pair = other.step(theirs, char), self._dfa.step(ours, char)
                if min(pair) >= 0 and pair not in seen:
                    seen[pair] = None
                    queue.append(pair)
        return _distinct(ours for theirs, ours in queue if other.accept[theirs])

    def _path(self, start: int, end: int) -> Regex:
        """What leads from one state to another."""
        if (start, end) not in self._paths:
            dfa = self._dfa
            alphabet = "".join(chr(charset.ranges[0][0]) for charset in dfa.classes)

            def step(state: int, char: str) -> int | None:
                target = dfa.step(state, ord(char))
                return None if target < 0 else target

            path = explore(start, step, lambda state: state == end, alphabet, dfa.classes)
            self._paths[start, end] = path
        return self._paths[start, end]


def _distinct(states: Iterable[int]) -> list[int]:
    return sorted(set(states))


def _too_large(why: str) -> GrammarError:
    return GrammarError(
        "the two grammars are too large to be met",
        why=why,
        hint="let the regular one be simpler, or check it on the value, after it was read",
    )
