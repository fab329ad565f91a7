"""A lark grammar with a contextual lexer becomes a language of lexemes.

Every rule is written once for each LALR state that it may start in (`name@state`): then the state,
and with it the lexer's context, is known at each of its terminals. What is ignored may follow every
terminal, in the context after it.
"""

from __future__ import annotations

from functools import cached_property

from tercet.frontends.lark.dead_ends import check
from tercet.frontends.lark.denied import with_denied
from tercet.frontends.lark.precedence import ranks
from tercet.frontends.lark.source import Source
from tercet.frontends.lark.states import states_of
from tercet.grammar.lexer import Lexer
from tercet.grammar.nodes import NOTHING, Language, Lexed, Lexeme, Node, Rule, alt, rep, seq
from tercet.grammar.productive import pruned


def language_of(source: Source) -> Language:
    """The texts that lark's contextual lexer and parser accept; rules may be left recursive.

    Raises:
        GrammarError: a text could lead into a dead end.
    """
    compiler = _Compiler(source)
    language = pruned(compiler.language())
    if language.root is not NOTHING:
        compiler.check()
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
        known, ignored = frozenset(self._source.terminals), frozenset(self._source.ignored)
        terminals = with_denied(self._source.terminals)
        reads = [state.reads(known) | ignored for state in self._states]
        reads = [names | {f"{name} denied" for name in names} & set(terminals) for names in reads]
        return Lexer(
            {name: terminal.regex for name, terminal in terminals.items()},
            tuple(ranks(terminals[name] for name in names) for names in reads),
        )

    def check(self) -> None:
        """Raise if the lexer could lead into a dead end."""
        check(self._lexer, self._states, frozenset(self._source.ignored))

    def language(self) -> Language:
        """The rules by state, from a lexer's start on."""
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
