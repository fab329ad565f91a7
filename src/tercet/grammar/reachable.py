"""Which rules a language needs: both engines look only at those."""

from __future__ import annotations

from tercet.grammar.nodes import (
    Choice,
    Composite,
    Language,
    Lexed,
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
    found: dict[str, None] = {}
    stack = [language.root]
    while stack:
        node = stack.pop()
        match node:
            case Sequence(parts=children) | Choice(options=children):
                stack += children
            case Repeat(body=body) | Scope(body=body) | Composite(body=body) | Lexed(body=body):
                stack.append(body)
            case Rule(name=name) if name not in found:
                found[name] = None
                stack.append(language.rules[name])
    return list(reversed(found))
