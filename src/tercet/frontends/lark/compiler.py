"""A lark grammar becomes a language whose lexemes are read in context.

Every rule is written once for each LALR state that it may start in (`name@state`): then the state,
and with it the lexer's context, is known at each of its terminals. What is ignored may follow every
terminal, in the context after it.
"""

from __future__ import annotations

from functools import cached_property

from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.lark.dead_ends import check
from tercet.frontends.lark.source import Source, read
from tercet.frontends.lark.states import states_of
from tercet.grammar.lexer import Lexer
from tercet.grammar.nodes import NOTHING, Language, Lexed, Lexeme, Node, Rule, alt, rep, seq
from tercet.grammar.recursion import without_left_recursion


def lower(text: str, start: str = "start") -> Language:
    """The language of a grammar in lark's notation, with a contextual lexer.

    Raises:
        GrammarError: lark refuses the grammar, or a text could lead into a dead end.
        UnsatisfiableError: no text matches.
    """
    source = read(text, start)
    if source.declared:
        raise GrammarError(
            f"terminal {min(source.declared)} is declared, but nothing makes it",
            why="%declare leaves terminals to Python code, which is not run",
            hint="give it a pattern",
        )
    language = without_left_recursion(_Compiler(source).language())
    if language.root is NOTHING:
        raise UnsatisfiableError("no text matches the grammar", at=f"rule {start}")
    return language


class _Compiler:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._states = states_of(source)
        self._rules: dict[str, Node] = {}
        self._expansions: dict[str, list[tuple[str, ...]]] = {}
        for origin, parts in source.productions:
            self._expansions.setdefault(origin, []).append(parts)

    @cached_property
    def _lexer(self) -> Lexer:
        ordered = sorted(self._source.terminals.values(), key=lambda t: (not t.is_string, t.rank))
        terminals = {terminal.name: terminal.regex for terminal in ordered}
        known, ignored = frozenset(terminals), frozenset(self._source.ignored)
        reads = [state.reads(known) | ignored for state in self._states]
        return Lexer(
            terminals,
            tuple(tuple(name for name in terminals if name in names) for names in reads),
            {terminal.name: terminal.priority for terminal in ordered},
        )

    def language(self) -> Language:
        check(self._lexer, self._states, frozenset(self._source.ignored))
        start = seq(self._ignored(0), self._nonterminal(self._source.start, 0))
        waiting = [(self._source.start, 0)]
        seen = set(waiting)
        for origin, state in waiting:
            options = []
            for parts in self._expansions[origin]:
                node, starts = self._production(parts, state)
                options.append(node)
                waiting += [place for place in starts if place not in seen]
                seen.update(starts)
            self._rules[f"{origin}@{state}"] = alt(*options)
        return Language(Lexed(self._lexer, start), self._rules)

    def _production(self, parts: tuple[str, ...], state: int) -> tuple[Node, list[tuple[str, int]]]:
        """An expansion from a state, and the rules that it starts, with their states."""
        nodes: list[Node] = []
        starts = []
        for part in parts:
            after = self._states[state].moves[part]
            if part in self._expansions:
                nodes.append(self._nonterminal(part, state))
                starts.append((part, state))
            else:
                nodes += Lexeme(self._lexer, part, after), self._ignored(after)
            state = after
        return seq(*nodes), starts

    def _nonterminal(self, name: str, state: int) -> Node:
        return Rule(f"{name}@{state}")

    def _ignored(self, state: int) -> Node:
        return rep(alt(*(Lexeme(self._lexer, name, state) for name in self._source.ignored)))
