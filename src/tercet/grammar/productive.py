"""Parts of a language that match no text are cut off, so that engines never start them.

A rule is productive once its node has a text, given the rules known to be so far: the least such
set. Whether a leaf has a text is its maker's business; leaves count as having one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tercet.grammar.nodes import (
    EMPTY,
    NOTHING,
    Choice,
    Composite,
    Language,
    Lexed,
    Node,
    Repeat,
    Rule,
    Scope,
    Sequence,
    alt,
    rep,
    seq,
)
from tercet.grammar.reachable import reachable_nodes, reachable_rules
from tercet.grammar.textual import least_rules


def productive_rules(language: Language) -> frozenset[str]:
    """The reachable rules that match some text.

    >>> from tercet.grammar.nodes import lit
    >>> rules = {"a": alt(lit("x"), Rule("b")), "b": seq(lit("y"), Rule("b"))}
    >>> sorted(productive_rules(Language(Rule("a"), rules)))
    ['a']
    """
    return least_rules(reachable_nodes(language, None) or {}, _has_text)


def _has_text(node: Node, is_productive: Callable[[str], bool]) -> bool:
    """Whether a node matches some text, when these rules do."""
    match node:
        case Sequence(parts=parts):
            return all(_has_text(part, is_productive) for part in parts)
        case Choice(options=options):
            return any(_has_text(option, is_productive) for option in options)
        case Repeat(body=body, min=least):
            return least == 0 or _has_text(body, is_productive)
        case Scope(body=body) | Composite(body=body) | Lexed(body=body):
            return _has_text(body, is_productive)
        case Rule(name=name):
            return is_productive(name)
        case _:
            return True


def pruned(language: Language) -> Language:
    """The same texts, without rules and alternatives that match none; the root may be NOTHING.

    >>> from tercet.grammar.nodes import lit
    >>> rules = {"a": alt(lit("x"), Rule("b")), "b": seq(lit("y"), Rule("b"))}
    >>> pruned(Language(Rule("a"), rules)).rules
    {'a': Literal(b'x')}
    """
    rules = productive_rules(language)
    names = [name for name in reachable_rules(language) if name in rules]
    nodes = {name: _pruned(language.rules[name], rules) for name in names}
    return replace(language, root=_pruned(language.root, rules), rules=nodes)


def _pruned(node: Node, rules: frozenset[str]) -> Node:
    match node:
        case Sequence(parts=parts):
            return seq(*(_pruned(part, rules) for part in parts))
        case Choice(options=options):
            kept = (_pruned(option, rules) for option in options)
            return alt(*(option for option in kept if option is not NOTHING))
        case Repeat(body=body, min=least, max=most):
            return rep(_pruned(body, rules), least, most)
        case Scope(body=body) | Lexed(body=body):
            inside = _pruned(body, rules)
            if inside in (NOTHING, EMPTY):
                return inside
            return Scope(inside) if isinstance(node, Scope) else Lexed(node.lexer, inside)
        case Composite(body=body, kind=kind, is_new=is_new):
            inside = _pruned(body, rules)
            return NOTHING if inside is NOTHING else Composite(inside, kind, is_new)
        case Rule(name=name):
            return node if name in rules else NOTHING
        case _:
            return node
