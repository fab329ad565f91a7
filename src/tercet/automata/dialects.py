"""What a dialect of regular expressions has to tell the parser, and flags.

`parse` walks the pattern; everything in which Python and ECMAScript differ is asked of a `Dialect`,
of which `python_syntax` and `ecma_syntax` are the two.
"""

from __future__ import annotations

from typing import Literal, Protocol

from tercet.automata.charset import CharSet
from tercet.automata.looks import Look
from tercet.automata.regex import Regex
from tercet.automata.source import Source

Flags = frozenset[str]  # letters, as in (?i)
Opened = Literal["", "(", "?=", "?!", "?<=", "?<!"]  # no group, a plain one, or lookaround


class Dialect(Protocol):
    """The part of a syntax that isn't common to all."""

    bracket_may_lead: bool
    """Whether ``]`` is a member when it comes first in a class."""

    def dot(self, flags: Flags) -> CharSet:
        """What ``.`` matches."""

    def escape(self, source: Source, flags: Flags) -> Regex | CharSet | int:
        """Read an escape, behind its backslash: an assertion, a set or one character."""

    def class_escape(self, source: Source, flags: Flags) -> CharSet | int:
        """The same inside of a class."""

    def anchor(self, source: Source, char: str, flags: Flags) -> Regex:
        """What ``^`` or ``$``, just read, stands for."""

    def ignoring_case(self, charset: CharSet, flags: Flags) -> CharSet:
        """The set with the partners of its members, if the flags ask for them."""

    def check_member(self, source: Source, charset: CharSet, flags: Flags, start: int) -> None:
        """Refuse a member of a class, if need be."""

    def dash_beside_class(self, source: Source, start: int) -> None:
        """Refuse a dash between a set and another member, or let it be a member itself."""

    def group(self, source: Source, flags: Flags, *, at_start: bool) -> tuple[Flags, Opened]:
        """Read what follows ``(``: the flags from here on, and the group that is open now."""

    def check_look(self, source: Source, look: Look, start: int) -> bool:
        """Refuse lookaround, if need be; whether a quantifier may stand behind it."""

    def bounds(self, source: Source, start: int) -> tuple[int, int | None] | None:
        """Read a count, behind its brace; None if the brace is a plain character."""

    def no_possessive(self, source: Source, start: int) -> None:
        """Refuse a ``+`` behind a quantifier if that is what comes next."""


def opened(source: Source) -> Opened:
    """Read the beginning of a plain group or of lookaround, behind its parenthesis."""
    if source.match("?:"):
        return "("
    looks: tuple[Opened, ...] = ("?=", "?!", "?<=", "?<!")
    for kind in looks:
        if source.match(kind):
            return kind
    return "" if source.peek() == "?" else "("
