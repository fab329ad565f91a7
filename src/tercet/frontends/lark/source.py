"""A grammar as lark reads it: terminals, rules, and what is ignored between terminals.

Everything that lark's language has (imports, templates, priorities, `%extend`, repeats) is lark's
own business; here its result is taken over, and its complaints become ours, with their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tercet.automata.parse import parse
from tercet.automata.regex import Regex
from tercet.errors import GrammarError


class Terminal(NamedTuple):
    """What a terminal matches, and what decides between terminals that match in one place."""

    name: str
    regex: Regex
    order: tuple[int, int, int, str]  # the least one wins: priority, then longer patterns
    words: frozenset[str]  # strings among the terminals that this pattern matches too
    pattern: str  # as Python's re reads it


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
        grammar, _ = load_grammar(  # type: ignore[no-untyped-call]
            text, "<string>", [], global_keep_all_tokens=True
        )
        terminals, rules, ignored = grammar.compile([start], set())
    except (LarkError, AssertionError, RecursionError) as error:
        raise _refused(text, error) from error
    if not any(rule.origin.name == start for rule in rules):
        known = ", ".join(sorted({str(rule.origin.name) for rule in rules})) or "none"
        raise GrammarError(
            f"the grammar has no rule {start!r}", why=f"its rules: {known}", hint="pass start="
        )
    found = {str(t.name): _terminal(t, _words(t, terminals)) for t in terminals}
    productions = tuple(
        Production(str(rule.origin.name), tuple(str(s.name) for s in rule.expansion))
        for rule in rules
    )
    declared = {
        str(s.name) for rule in rules for s in rule.expansion if s.is_term and s.name not in found
    }
    return Source(start, found, productions, tuple(map(str, ignored)), frozenset(declared))


def _words(definition: Any, others: Iterable[Any]) -> frozenset[str]:
    """The string terminals that a pattern reads as itself unless they are asked for by name."""
    if definition.pattern.type != "re":
        return frozenset()
    matching = re.compile(definition.pattern.to_regexp())
    strings = [o for o in others if o.pattern.type == "str" and o.priority == definition.priority]
    found = {str(o.name): matching.match(o.pattern.value) for o in strings}
    return frozenset(name for name, match in found.items() if match and match.end() == match.endpos)


def _terminal(definition: Any, words: frozenset[str]) -> Terminal:
    pattern, name = definition.pattern, str(definition.name)
    try:
        regex = parse(pattern.to_regexp(), "python", as_match_ends=True)
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
    order = (-int(definition.priority), -int(pattern.max_width), -len(pattern.value), name)
    return Terminal(name, regex, order, words, pattern.to_regexp())


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
