"""Regular parts of a language become terminals, which engines read fastest.

A grammar of characters spells out what a lexer would call one terminal: `"-"? [0-9]+`, a rule for
strings. A terminal is one automaton with tables of its own, where the same as nodes is a thread for
every way of reading it. Only what stays small is joined, since an automaton can be exponentially
larger than its expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from tercet.automata.chardfa import compile_regex
from tercet.automata.regex import NEVER, Regex, concat, postorder, repeat, text, union
from tercet.automata.regex import Repeat as RegexRepeat
from tercet.errors import GrammarError
from tercet.grammar.nodes import (
    EMPTY,
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
    rep,
    seq,
    term,
)
from tercet.grammar.reachable import reachable_rules

_MOST_POSITIONS = 400  # of characters in an expression
_MOST_STATES = 1_000


def with_terminals(language: Language) -> Language:
    """The same texts; what is regular and small, rules included, is one terminal each.

    >>> from tercet.automata.regex import chars
    >>> from tercet.grammar.nodes import lit
    >>> rules = {"list": seq(rep(Rule("digit"), 1), rep(seq(lit(","), Rule("list")), 0, 1)),
    ...          "digit": term(chars("0-9"))}
    >>> list(with_terminals(Language(Rule("list"), rules)).rules)
    ['list']
    """
    fusing = _Fusing(language)
    rules = {name: fusing.node(language.rules[name]) for name in reachable_rules(language)}
    fused = replace(language, root=fusing.node(language.root), rules=rules)
    return replace(fused, rules={name: rules[name] for name in reachable_rules(fused)})


class _Fusing:
    def __init__(self, language: Language) -> None:
        self._rules = language.rules
        self._known: dict[str, Regex | None] = {}

    def node(self, node: Node) -> Node:
        """A node with terminals for its regular parts."""
        if isinstance(node, Literal | Terminal | Words) or node is EMPTY:
            return node
        regex = self._small(node)
        if regex is not None:
            return term(regex)
        match node:
            case Sequence(parts=parts):
                return self._sequence(parts)
            case Choice(options=options):
                return self._choice(options)
            case Repeat(body=body, min=least, max=most):
                return rep(self.node(body), least, most)
        return node

    def _sequence(self, parts: tuple[Node, ...]) -> Node:
        """Neighbours that are regular together become one terminal."""
        found: list[Node] = []
        run: list[Node] = []
        for part in parts:
            if self._regex(part) is not None and self._small(seq(*run, part)) is not None:
                run.append(part)
                continue
            found.append(self.node(seq(*run)))
            run = [part] if self._small(part) is not None else []
            if not run:
                found.append(self.node(part))
        return seq(*found, self.node(seq(*run)))

    def _choice(self, options: tuple[Node, ...]) -> Node:
        regular = [option for option in options if self._regex(option) is not None]
        if len(regular) < 2 or self._small(alt(*regular)) is None:
            return alt(*map(self.node, options))
        others = [self.node(option) for option in options if self._regex(option) is None]
        return alt(self.node(alt(*regular)), *others)

    def _small(self, node: Node) -> Regex | None:
        """The expression of a node, if its automaton is small and reads something."""
        regex = self._regex(node)
        if regex is None or regex in (NEVER, concat()):
            return None
        try:
            compile_regex(regex, budget=_MOST_STATES)
        except GrammarError:
            return None
        return regex

    def _regex(self, node: Node) -> Regex | None:
        """The texts of a node as an expression, if it is regular and not too long."""
        regex = self._read(node)
        return None if regex is None or _positions(regex) > _MOST_POSITIONS else regex

    def _read(self, node: Node) -> Regex | None:
        match node:
            case Literal(data=data):
                return _decoded([data])
            case Words(options=options):
                return _decoded(options)
            case Terminal():
                is_plain = node == term(node.regex)
                return node.regex if is_plain else None
            case Sequence(parts=parts):
                return _joined(concat, map(self._regex, parts))
            case Choice(options=options):
                return _joined(union, map(self._regex, options))
            case Repeat(body=body, min=least, max=most):
                inside = self._regex(body)
                return None if inside is None else repeat(inside, least, most)
            case Rule(name=name):
                if name not in self._known:
                    self._known[name] = None  # while it is being read: then it is recursive
                    self._known[name] = self._regex(self._rules[name])
                return self._known[name]
        return None


def _joined(join: Callable[..., Regex], parts: Iterable[Regex | None]) -> Regex | None:
    found: list[Regex] = []
    for part in parts:
        if part is None:
            return None
        found.append(part)
    return join(*found)


def _decoded(options: Iterable[bytes]) -> Regex | None:
    """Byte strings as texts, if all of them are."""
    try:
        return union(*(text(option.decode()) for option in options))
    except UnicodeDecodeError:
        return None


def _positions(regex: Regex) -> int:
    """How many characters the expression has, its counts written out."""
    sizes: dict[Regex, int] = {}
    for node in postorder(regex):
        inside = sum(sizes[child] for child in node.children) + (not node.children)
        copies = max(node.min, node.max or 1) if isinstance(node, RegexRepeat) else 1
        sizes[node] = inside * copies
    return sizes[regex]
