r"""Words that a terminal denies itself: `/(?!(if|else)\b)[a-z]+/` is any name but these two.

Lark's `re` looks ahead over the text, sees the word, and the terminal doesn't match there at all:
not even the beginning of the word, `i` of `if`. As a set of lexemes the pattern would have that
beginning. So what is denied is read as a terminal of its own, as long as the name would have been.
Strings of the grammar that are among the words stand before it; nothing else can be done with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from tercet.automata.chardfa import compile_regex
from tercet.automata.parse import parse
from tercet.automata.regex import Regex, both, negate
from tercet.frontends.lark.source import Terminal

_AHEAD = "(?!"


def with_denied(terminals: Mapping[str, Terminal]) -> dict[str, Terminal]:
    r"""The terminals, and one more for each that denies itself finitely many words.

    >>> from tercet.frontends.lark.source import read
    >>> source = read('start: "if" NAME\nNAME: /(?!(if|else)\\b)[a-z]+/', "start")
    >>> sorted(with_denied(source.terminals)["NAME"].words)
    ['IF', 'NAME denied']
    """
    found = dict(terminals)
    for terminal in terminals.values():
        denied = _denied(terminal)
        if denied is None:
            continue
        name = f"{terminal.name} denied"
        inside = {
            other.name
            for other in terminals.values()
            if other.order[0] == terminal.order[0]
            and compile_regex(denied).includes(compile_regex(other.regex))
        }
        last = (terminal.order[0], 0, 0, name)  # after all strings
        found[name] = Terminal(name, denied, last, frozenset(), "")
        found[terminal.name] = terminal._replace(words=terminal.words | inside | {name})
    return found


def _denied(terminal: Terminal) -> Regex | None:
    """The texts that only the lookahead at the beginning of a pattern keeps out, if few."""
    rest = _after_lookahead(terminal.pattern)
    if rest is None:
        return None
    denied = both(parse(rest, "python", as_match_ends=True), negate(terminal.regex))
    automaton = compile_regex(denied)
    return denied if automaton.is_finite and not automaton.is_empty else None


def _after_lookahead(pattern: str) -> str | None:
    """The pattern without the negative lookahead that it begins with; None if it has none."""
    flags = pattern[: pattern.index(":") + 1] if pattern.startswith("(?i:") else ""
    inside = pattern[len(flags) : -1] if flags else pattern
    if not inside.startswith(_AHEAD):
        return None
    tops = _top_level(inside)
    end = tops.find(")", 1)
    return None if "|" in tops else flags + inside[end + 1 :] + (")" if flags else "")


def _top_level(pattern: str) -> str:
    """The pattern with a space for whatever is escaped, in a class, or in a group but its end."""
    found, depth, in_class, is_escaped = "", 0, False, False
    for char in pattern:
        closes = char == ")" and not in_class and not is_escaped
        depth -= closes
        plain = depth == 0 and not in_class and not is_escaped and char not in "[\\"
        found += char if plain else " "
        if is_escaped:
            is_escaped = False
        elif char == "\\":
            is_escaped = True
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            depth += 1
    return found
