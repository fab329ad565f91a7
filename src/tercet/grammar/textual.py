"""Which rules have a text, where some leaves have none: for vocabularies that lack some bytes.

A rule has a text if its node has one, given the rules that have one: the least such set. All rules
that can be reached are looked at before the first token, however lazily they are written: what is
found out in the middle of a text would be found out too late. So there may not be too many.
"""

from __future__ import annotations

from collections.abc import Callable

from tercet.errors import GrammarError
from tercet.grammar.nodes import Language, Node
from tercet.grammar.reachable import reachable_nodes

MOST_REFERENCES = 250_000  # to rules: ten seconds or so; an object in declared order has hundreds

HasText = Callable[[Node, Callable[[str], bool]], bool]


def textual_rules(language: Language, has_text: HasText) -> frozenset[str]:
    """The reachable rules that have a text.

    `has_text(node, is_textual)` says whether a node has one, given which rules have.

    Raises:
        GrammarError: the rules refer to each other more than MOST_REFERENCES times.

    >>> from tercet.grammar.nodes import Rule, Sequence, lit, seq
    >>> def has_text(node, is_textual):
    ...     match node:
    ...         case Sequence(parts=parts):
    ...             return all(has_text(part, is_textual) for part in parts)
    ...         case Rule(name=name):
    ...             return is_textual(name)
    ...     return True
    >>> rules = {"a": seq(Rule("b"), Rule("c")), "b": lit("y"), "c": seq(lit("z"), Rule("c"))}
    >>> textual_rules(Language(Rule("a"), rules), has_text)
    frozenset({'b'})
    """
    nodes = reachable_nodes(language, MOST_REFERENCES)
    if nodes is None:
        raise _too_many()
    return least_rules(nodes, has_text)


def least_rules(nodes: dict[str, Node], has_text: HasText) -> frozenset[str]:
    """The least set of rules that holds each whose node has a text, given the others in it.

    `nodes` come as they were found: those found late are looked at first, as others need them.
    """
    names, found = list(reversed(nodes)), set[str]()
    is_textual = found.__contains__
    changed = True
    while changed:
        before = len(found)
        for name in names:
            if name not in found and has_text(nodes[name], is_textual):
                found.add(name)
        changed = len(found) > before
    return frozenset(found)


def _too_many() -> GrammarError:
    return GrammarError(
        "cannot show that every text can be finished with this vocabulary",
        why="it has no single-byte token for some bytes, so every rule has to be looked at, and "
        f"those refer to each other more than {MOST_REFERENCES:,} times",
        hint='use a tokenizer with byte fallback, or order="schema", or smaller counts',
    )
