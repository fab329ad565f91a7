"""A grammar as lark reads it: terminals, rules, and what is ignored between terminals.

Everything that lark's language has (imports, templates, priorities, `%extend`, repeats) is lark's
own business; here its result is taken over, and its complaints become ours, with their place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tercet.automata.parse import parse
from tercet.automata.regex import Regex
from tercet.errors import GrammarError


class Terminal(NamedTuple):
    """What a terminal matches, and what decides between terminals that match the same text."""

    name: str
    regex: Regex
    priority: int
    is_string: bool
    rank: tuple[int, int, str]  # longer patterns first, as lark orders them


class Production(NamedTuple):
    """One expansion of a rule, by names; terminals are upper case."""

    origin: str
    parts: tuple[str, ...]


class Source(NamedTuple):
    """A whole grammar; `declared` are terminals that have no pattern (`%declare`)."""

    start: str
    terminals: dict[str, Terminal]
    productions: tuple[Production, ...]
    ignored: tuple[str, ...]
    declared: frozenset[str]


def read(text: str, start: str) -> Source:
    """Read a grammar with lark.

    Raises:
        GrammarError: lark refuses it, it has no rule `start`, or a terminal isn't regular.
    """
    from lark.exceptions import LarkError
    from lark.load_grammar import load_grammar

    try:
        grammar, _ = load_grammar(text, "<string>", [], global_keep_all_tokens=True)
        terminals, rules, ignored = grammar.compile([start], set())
    except (LarkError, AssertionError, RecursionError) as error:
        raise _refused(text, error) from error
    names = {name for rule in rules for name in [symbol.name for symbol in rule.expansion]}
    if not any(rule.origin.name == start for rule in rules):
        known = ", ".join(sorted({str(rule.origin.name) for rule in rules})) or "none"
        raise GrammarError(
            f"the grammar has no rule {start!r}", why=f"its rules: {known}", hint="pass start="
        )
    found = {str(t.name): _terminal(t) for t in terminals}
    productions = tuple(
        Production(str(rule.origin.name), tuple(str(s.name) for s in rule.expansion))
        for rule in rules
    )
    declared = {
        str(s.name) for rule in rules for s in rule.expansion if s.is_term and s.name not in found
    }
    _ = names
    return Source(start, found, productions, tuple(map(str, ignored)), frozenset(declared))


def _terminal(definition: object) -> Terminal:
    pattern = definition.pattern  # type: ignore[attr-defined]
    name = str(definition.name)  # type: ignore[attr-defined]
    try:
        regex = parse(pattern.to_regexp(), "python")
    except GrammarError as error:
        raise GrammarError(
            f"terminal {name} can't be used",
            at=f"terminal {name}",
            excerpt=error.excerpt,
            span=error.span,
            why=str(error.args[0]) if error.args else "",
            hint=error.hint,
        ) from error
    if regex.nullable:
        raise GrammarError(
            f"terminal {name} matches the empty text",
            at=f"terminal {name}",
            why="a lexer would read it again and again without coming further",
            hint=f"let it match at least one character, and write `{name}?` where it may be absent",
        )
    rank = (-int(pattern.max_width), -len(pattern.value), name)
    is_string = type(pattern).__name__ == "PatternStr"
    return Terminal(name, regex, int(definition.priority), is_string, rank)  # type: ignore[attr-defined]


_PLACE = re.compile(r"line (\d+),? col(?:umn)? (\d+)")


def _refused(text: str, error: Exception) -> GrammarError:
    """Lark's complaint, with a caret where it names a place."""
    message = str(error).strip() or type(error).__name__
    line, column = getattr(error, "line", None), getattr(error, "column", None)
    place = _PLACE.search(message)
    if not isinstance(line, int) and place:
        line, column = int(place[1]), int(place[2])
    why = message.splitlines()[0]
    lines: Sequence[str] = text.splitlines()
    if not isinstance(line, int) or not isinstance(column, int) or not 0 < line <= len(lines):
        return GrammarError("this is not a grammar in lark's language", why=why)
    excerpt = lines[line - 1]
    at = min(max(column - 1, 0), len(excerpt))
    return GrammarError(
        "this is not a grammar in lark's language",
        at=f"line {line}, column {column}",
        excerpt=excerpt or " ",
        span=(at, at + 1),
        why=why,
    )
