"""Where whitespace may stand in JSON and how much: policies as nodes.

Endless whitespace is what people complain about most, so the default is bounded. A policy says what
may stand at each kind of place; `lowering` puts it there.
"""

from __future__ import annotations

from dataclasses import dataclass

from tercet.automata.regex import chars, repeat
from tercet.errors import GrammarError
from tercet.frontends.regex import lower as lower_regex
from tercet.grammar.nodes import EMPTY, Node, alt, lit, seq, term

INDENTATION = 40
"""The most spaces and tabs that may follow a line break under the policy "bounded"."""


@dataclass(frozen=True, slots=True)
class Whitespace:
    """`gap` is inside brackets and before commas and colons; the others say where they are."""

    gap: Node = EMPTY
    after_comma: Node = EMPTY
    after_colon: Node = EMPTY
    outside: Node = EMPTY


_BLANKS = repeat(chars(" \t"))
_BOUNDED = alt(EMPTY, lit(" "), seq(lit("\n"), term(_BLANKS, "utf8", 0, INDENTATION)))
_ANY = term(repeat(chars(" \t\n\r")))

POLICIES = {
    "bounded": Whitespace(_BOUNDED, _BOUNDED, _BOUNDED),
    "compact": Whitespace(),
    "spaced": Whitespace(after_comma=lit(" "), after_colon=lit(" ")),
    "any": Whitespace(_ANY, _ANY, _ANY, _ANY),
}


def whitespace(policy: str) -> Whitespace:
    """The policy of a name, or of a regular expression for every place inside the value.

    >>> whitespace("compact").gap
    Sequence(())

    Raises:
        GrammarError: it is neither, or matches something other than whitespace.
    """
    if policy in POLICIES:
        return POLICIES[policy]
    inside = lower_regex(policy).root
    if not only_whitespace(policy):
        raise GrammarError(
            f"the whitespace {policy!r} matches more than whitespace",
            why="JSON allows space, tab, line feed and carriage return between its parts",
            hint=f"use {', '.join(map(repr, POLICIES))} or an expression such as '[ ]?'",
        )
    return Whitespace(inside, inside, inside)


def only_whitespace(pattern: str) -> bool:
    """Whether everything that a pattern matches is JSON whitespace."""
    from tercet.automata.chardfa import compile_regex
    from tercet.automata.parse import parse

    return compile_regex(repeat(chars(" \t\n\r"))).includes(compile_regex(parse(pattern, "python")))
