"""Grammars as pictures: railroad diagrams of rules, and automata of what is small and regular."""

from __future__ import annotations

from tercet.automata.chardfa import compile_regex
from tercet.drawing.automaton import automaton_svg
from tercet.drawing.railroad import railroad_svg
from tercet.errors import GrammarError
from tercet.grammar.nodes import Language
from tercet.grammar.regular import regular

_MOST_STATES = 40  # more are no picture any more


def drawn(language: Language) -> str:
    """A language as SVG: its automaton if that is small, else its rules.

    Raises:
        TercetError: there are rules to draw, and railroad-diagrams isn't installed.
    """
    try:
        dfa = compile_regex(regular(language), budget=20 * _MOST_STATES)
    except GrammarError:
        return railroad_svg(language)
    return automaton_svg(dfa) if len(dfa.rows) <= _MOST_STATES else railroad_svg(language)
