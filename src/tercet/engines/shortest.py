"""How short the texts of a language can be: a lower bound in bytes for its nodes and rules.

Lower bounds guide the search for a short way to finish a text (`samplers.waysout`); the nearer they
are, the less has to be looked at. A terminal counts as what its number of characters says, without
making its automaton; rules are read as far as a limit allows, and beyond it they count as nothing.
"""

from __future__ import annotations

from tercet.automata.corpus import Corpus
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
from tercet.grammar.reachable import references

_MOST_AT_ONCE = 4000  # references that are followed for one rule: some tenths of a second
_MOST_AHEAD = 20_000  # in all; with order="any" there is a rule for each set of members
NEVER = 1 << 30  # bytes of what has no text


class Shortest:
    """Lower bounds for one language; what is found out is kept.

    >>> from tercet.grammar.nodes import alt, lit, seq
    >>> rules = {"list": seq(lit("["), alt(Rule("list"), lit("x")), lit("]"))}
    >>> Shortest(Language(Rule("list"), rules)).rule("list")
    3
    """

    def __init__(self, language: Language) -> None:
        self._language = language
        self._rules: dict[str, int] = {}
        self._ahead = _MOST_AHEAD

    def rule(self, name: str) -> int:
        """Return the bytes that a text of the rule has at least."""
        if name not in self._rules and self._ahead > 0:
            self._settle(name)
        return self._rules.get(name, 0)

    def _settle(self, name: str) -> None:
        """Read the rules that are reached from here; then the greatest values that fit together."""
        found, place = {name: self._language.rules[name]}, 0
        names, left = [name], min(_MOST_AT_ONCE, self._ahead)
        while place < len(names) and left > 0:
            others = references(found[names[place]])
            for other in others:
                if other not in found and other not in self._rules:
                    found[other] = self._language.rules[other]
                    names.append(other)
            left -= len(others)
            self._ahead -= len(others)
            place += 1
        self._rules.update(dict.fromkeys(found, NEVER))
        changed = True
        while changed:
            changed = False
            for known in reversed(names):
                least = self.node(found[known])
                changed |= least < self._rules[known]
                self._rules[known] = least

    def node(self, node: Node) -> int:
        """Return the bytes that a text of the node has at least."""
        match node:
            case Literal(data=data):
                return len(data)
            case Marker(name=name):
                return len(name.encode())
            case Words(options=options):
                return options.least if isinstance(options, Corpus) else min(map(len, options))
            case Terminal(regex=regex, min_chars=least):
                return max(least, 0 if regex.nullable else 1)
            case Sequence(parts=parts):
                return min(sum(map(self.node, parts)), NEVER)
            case Choice(options=options):
                return min(map(self.node, options), default=NEVER)
            case Repeat(body=body, min=least):
                return min(least * self.node(body), NEVER) if least else 0
            case Scope(body=body) | Composite(body=body) | Lexed(body=body):
                return self.node(body)
            case Lexeme(lexer=lexer, name=name):
                return 0 if lexer.terminals[name].nullable else 1
            case Unseen(terminal=terminal) | Noted(terminal=terminal):
                return self.node(terminal)
            case Rule(name=name):
                return self._rules.get(name, 0)
        raise TypeError(f"not a node of the grammar: {node!r}")
