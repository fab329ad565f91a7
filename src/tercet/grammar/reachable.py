"""Which rules a language needs: both engines look only at those."""

from __future__ import annotations

from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Lexed,
    Node,
    Repeat,
    Rule,
    Scope,
    Sequence,
)


def reachable_rules(language: Language) -> list[str]:
    """The names of all rules that the root can reach, the last found first.

    >>> from tercet.grammar.nodes import lit, seq
    >>> reachable_rules(Language(Rule("a"), {"a": seq(lit("x"), Rule("b")), "b": lit("y")}))
    ['b', 'a']
    """
    return list(reversed(reachable_nodes(language, None) or {}))


def reachable_nodes(language: Language, most: int | None) -> dict[str, Node] | None:
    """The rules that the root can reach, as found; None if they hold more than `most` references.

    Rules that are written when they are read may be without number.
    """
    found: dict[str, Node] = {}
    todo, count = references(language.root), 0
    while todo:
        name = todo.pop()
        if name not in found:
            node = found[name] = language.rules[name]
            others = references(node)
            count += len(others)
            if most is not None and count > most:
                return None
            todo += others
    return found


def references(node: Node) -> list[str]:
    """The rules that a node refers to, once for each time.

    >>> from tercet.grammar.nodes import lit, seq
    >>> references(seq(Rule("a"), lit("x"), Rule("b")))
    ['a', 'b']
    """
    match node:
        case Sequence(parts=children) | Choice(options=children):
            return [name for child in children for name in references(child)]
        case Repeat(body=body) | Scope(body=body) | Composite(body=body) | Lexed(body=body):
            return references(body)
        case Rule(name=name):
            return [name]
    return []
