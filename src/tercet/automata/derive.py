"""Brzozowski derivatives: what may follow once a character has been read.

J. A. Brzozowski, "Derivatives of Regular Expressions" (1964). A few lines a node kind, complements
and intersections included, and nothing shared with the automata of `chardfa`: the reference engine
steps with these, so each checks the other. Slow on purpose; nothing here minimises.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tercet.automata.automaton import DEAD, Automaton
from tercet.automata.charset import CharSet, partition
from tercet.automata.regex import (
    EMPTY,
    NEVER,
    And,
    Chars,
    Concat,
    Not,
    Regex,
    Repeat,
    Union,
    both,
    concat,
    negate,
    postorder,
    repeat,
    union,
)
from tercet.errors import GrammarError

_EMPTINESS_BUDGET = 20_000


def nullable(regex: Regex) -> bool:
    """Whether the empty string is in the language."""
    return regex.nullable


def _first(regex: Regex) -> tuple[Regex, ...]:
    """The children in which the next character may be read."""
    if not isinstance(regex, Concat):
        return regex.children
    for count, part in enumerate(regex.parts, 1):
        if not part.nullable:
            return regex.parts[:count]
    return regex.parts


@lru_cache(maxsize=1 << 16)
def derive(regex: Regex, code_point: int) -> Regex:
    """The strings that complete this character to a string of the language.

    >>> from tercet.automata.regex import text
    >>> derive(text("ab"), ord("a")) is text("b")
    True
    """
    after: dict[Regex, Regex] = {}
    for node in postorder(regex, _first):
        after[node] = _after(node, code_point, after)
    return after[regex]


def _after(regex: Regex, code_point: int, after: dict[Regex, Regex]) -> Regex:
    """The derivative of one node, given those of its first children."""
    match regex:
        case Chars():
            return EMPTY if code_point in regex.charset else NEVER
        case Concat():
            rests = (regex.parts[index:] for index in range(1, len(regex.parts) + 1))
            read = (after[part] for part in _first(regex))
            return union(*(concat(head, *rest) for head, rest in zip(read, rests, strict=False)))
        case Union():
            return union(*(after[option] for option in regex.options))
        case Repeat():
            most = None if regex.max is None else regex.max - 1
            return concat(after[regex.body], repeat(regex.body, max(regex.min - 1, 0), most))
        case And():
            return both(*(after[part] for part in regex.parts))
        case Not():
            return negate(after[regex.body])
        case Automaton():
            return regex.after(code_point)
    raise TypeError(f"no derivative for {type(regex).__name__}")


@lru_cache(maxsize=1 << 14)
def classes(regex: Regex) -> tuple[CharSet, ...]:
    """A partition of all characters such that those of one class have the same derivative."""
    sets = [charset for node in postorder(regex, _first) for charset in _first_sets(node)]
    parts, _ = partition(tuple(dict.fromkeys(sets)))
    rest = ~CharSet([span for part in parts for span in part.ranges])
    return (*parts, rest) if rest else parts


def _first_sets(regex: Regex) -> Iterable[CharSet]:
    if isinstance(regex, Chars):
        return (regex.charset,)
    if isinstance(regex, Automaton):
        row = regex.table.rows[regex.state]
        moves = zip(regex.table.classes, row, strict=True)
        return [charset for charset, target in moves if target != DEAD]
    return ()


@lru_cache(maxsize=1 << 14)
def is_empty(regex: Regex) -> bool:
    """Whether no string at all is in the language.

    >>> from tercet.automata.regex import chars, negate, text
    >>> is_empty(both(text("a"), negate(chars("a-z"))))
    True

    Raises:
        GrammarError: 20,000 derivatives did not decide it.
    """
    known = _empty_by_shape(regex)
    if known is not None:
        return known
    seen = {regex}
    queue = [regex]
    for node in queue:
        if _empty_by_shape(node) is False:
            return False
        for charset in classes(node):
            target = derive(node, charset.ranges[0][0])
            if target not in seen:
                seen.add(target)
                queue.append(target)
        if len(queue) > _EMPTINESS_BUDGET:
            raise GrammarError(
                "cannot tell whether the expression matches anything",
                why=f"it has more than {_EMPTINESS_BUDGET} derivatives",
                hint="use smaller counts in what is intersected or negated",
            )
    return True


def _empty_by_shape(regex: Regex) -> bool | None:
    """The answer where no intersection or complement stands in the way, else None."""
    empty: dict[Regex, bool | None] = {}
    for node in postorder(regex):
        empty[node] = False if node.nullable else _shape(node, [empty[c] for c in node.children])
    return empty[regex]


def _shape(regex: Regex, parts: list[bool | None]) -> bool | None:
    """Emptiness of a node that isn't nullable, given that of its children."""
    if isinstance(regex, Chars | Automaton):
        return False
    if isinstance(regex, Union):
        return False if False in parts else (None if None in parts else True)
    if isinstance(regex, Concat | Repeat):
        return True if True in parts else (None if None in parts else False)
    return None
