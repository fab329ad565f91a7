"""How a node's texts can begin: its *heads*, and which nodes match the empty text.

A head is a leaf or a rule that takes the first bytes, with the nodes that come after it. What left
recursion is, and how it goes, is `recursion`'s; this file only takes nodes apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tercet.automata.regex import EMPTY as EMPTY_REGEX
from tercet.automata.regex import both, negate
from tercet.grammar.nodes import (
    EMPTY,
    Choice,
    Composite,
    Lexed,
    Node,
    Repeat,
    Rule,
    Scope,
    Sequence,
    Terminal,
    Words,
    rep,
    seq,
    term,
    words,
)

Head = tuple[Node, Node]  # what the text begins with (never the empty text), and what follows


def nullable_rules(rules: Mapping[str, Node], names: Iterable[str]) -> frozenset[str]:
    """The rules that match the empty text.

    >>> from tercet.grammar.nodes import lit, opt
    >>> sorted(nullable_rules({"a": opt(lit("x")), "b": Rule("a"), "c": lit("y")}, "abc"))
    ['a', 'b']
    """
    names, found = list(names), set[str]()
    while new := {name for name in names if is_nullable(rules[name], found)} - found:
        found |= new
    return frozenset(found)


def is_nullable(node: Node, rules: Iterable[str]) -> bool:
    """Whether the empty text matches, when these rules match it."""
    match node:
        case Sequence(parts=parts):
            return all(is_nullable(part, rules) for part in parts)
        case Choice(options=options):
            return any(is_nullable(option, rules) for option in options)
        case Repeat(body=body, min=least):
            return least == 0 or is_nullable(body, rules)
        case Scope(body=body) | Composite(body=body) | Lexed(body=body):
            return is_nullable(body, rules)
        case Words(options=options):
            return b"" in options
        case Terminal(regex=regex, min_chars=least, exclude=exclude):
            return regex.nullable and least == 0 and "" not in exclude
        case Rule(name=name):
            return name in rules
        case _:
            return False


def heads(node: Node, nullable: frozenset[str]) -> list[Head]:
    """Every way in which a text of the node that is not empty can begin.

    >>> from tercet.grammar.nodes import lit, opt
    >>> heads(seq(opt(lit("a")), Rule("b")), frozenset())
    [(Literal(b'a'), Rule('b')), (Rule('b'), Sequence(()))]
    """
    match node:
        case Sequence(parts=parts):
            return _of_sequence(parts, nullable)
        case Choice(options=options):
            return [head for option in options for head in heads(option, nullable)]
        case Repeat(body=body, min=least, max=most):
            least = 0 if is_nullable(body, nullable) else max(least - 1, 0)
            again = rep(body, least, None if most is None else most - 1)
            return [(head, seq(rest, again)) for head, rest in heads(body, nullable)]
        case Words(options=options) if b"" in options:
            return [(words(word for word in options if word), EMPTY)]
        case Terminal() if is_nullable(node, ()):
            regex = both(node.regex, negate(EMPTY_REGEX))
            return [(term(regex, node.encoding, 0, node.max_chars, node.exclude), EMPTY)]
        case _:
            return [(node, EMPTY)]


def _of_sequence(parts: tuple[Node, ...], nullable: frozenset[str]) -> list[Head]:
    found: list[Head] = []
    for index, part in enumerate(parts):
        after = seq(*parts[index + 1 :])
        found += [(head, seq(rest, after)) for head, rest in heads(part, nullable)]
        if not is_nullable(part, nullable):
            break
    return found
