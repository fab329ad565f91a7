"""A lark grammar without a lexer becomes a language of characters.

A text is in it if it can be cut into terminals in any way at all, as lark's Earley parser sees it
with `lexer="dynamic_complete"`. What is ignored may stand before every terminal and at the end.
"""

from __future__ import annotations

from tercet.automata.regex import repeat, union
from tercet.frontends.lark.source import Source
from tercet.grammar.nodes import Language, Node, Rule, alt, seq, term


def language_of(source: Source) -> Language:
    """The texts of the rules, read as a grammar of characters; they may be left recursive."""
    origins = {production.origin for production in source.productions}
    ignored = term(repeat(union(*(source.terminals[name].regex for name in source.ignored))))
    symbols: dict[str, Node] = {name: Rule(name) for name in origins}
    for name, terminal in source.terminals.items():
        symbols[name] = (
            seq(ignored, term(terminal.regex)) if source.ignored else term(terminal.regex)
        )
    rules = {
        origin: alt(
            *(
                seq(*(symbols[part] for part in production.parts))
                for production in source.productions
                if production.origin == origin
            )
        )
        for origin in origins
    }
    start = Rule(source.start)
    return Language(seq(start, ignored) if source.ignored else start, rules)
