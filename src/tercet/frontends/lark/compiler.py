"""A grammar in lark's language becomes a language, with the lexer that it is meant for."""

from __future__ import annotations

from typing import Literal

from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.lark import contextual, dynamic
from tercet.frontends.lark.source import read
from tercet.grammar.fusing import with_terminals
from tercet.grammar.nodes import NOTHING, Language
from tercet.grammar.recursion import without_left_recursion

LarkLexer = Literal["contextual", "dynamic_complete"]
_LANGUAGES = {"contextual": contextual.language_of, "dynamic_complete": dynamic.language_of}


def lower(text: str, start: str = "start", lexer: LarkLexer = "contextual") -> Language:
    """The language of a grammar in lark's notation.

    Raises:
        GrammarError: lark refuses the grammar, a terminal has no pattern or isn't regular, or a
            text could lead into a dead end.
        UnsatisfiableError: no text matches.
    """
    if lexer not in _LANGUAGES:
        raise GrammarError(f"there is no lexer {lexer!r}", hint=f"one of {', '.join(_LANGUAGES)}")
    source = read(text, start)
    if source.declared:
        raise GrammarError(
            f"terminal {min(source.declared)} is declared, but nothing makes it",
            why="%declare leaves terminals to Python code, which is not run",
            hint="give it a pattern",
        )
    language = without_left_recursion(_LANGUAGES[lexer](source))
    if language.root is NOTHING:
        raise UnsatisfiableError("no text matches the grammar", at=f"rule {start}")
    return with_terminals(language)
