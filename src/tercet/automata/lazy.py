r"""Lazy repeats, where it matters which text a match ends with: `".*?"` ends at the next quote.

A lazy repeat goes on only where what follows it can't begin: `a*?b` is `(?:(?!b)a)*b`. So the
lookahead that `lookaround` takes out afterwards is all that is needed. What follows is the rest of
the pattern; inside of another repeat that is more copies, then the rest.
"""

from __future__ import annotations

from tercet.automata.looks import Look
from tercet.automata.regex import (
    EMPTY,
    Concat,
    Regex,
    Repeat,
    Union,
    concat,
    postorder,
    repeat,
    union,
)


class Lazy(Regex):
    """`body` as often as it must be, at least `min` and at most `max` times (None: no bound)."""

    __slots__ = ("body", "min", "max")
    body: Regex
    min: int
    max: int | None

    def _is_nullable(self) -> bool:
        return self.min == 0 or self.body.nullable

    def _children(self) -> tuple[Regex, ...]:
        return (self.body,)


def without_lazy(regex: Regex) -> Regex:
    """The texts with which a match may end, the lazy repeats written with lookahead.

    >>> from tercet.automata.regex import ANY_CHAR, text
    >>> without_lazy(concat(Lazy(text("a"), 0, None), text("b"))) is concat(
    ...     repeat(concat(Look(text("b"), True, True), text("a"))), text("b"))
    True
    """
    return _ending(regex, EMPTY) if _has_lazy(regex) else regex


def _has_lazy(regex: Regex) -> bool:
    return any(isinstance(node, Lazy) for node in postorder(regex))


def _ending(regex: Regex, rest: Regex) -> Regex:
    """The regex with `rest` behind it, which has no lazy repeats any more."""
    if not _has_lazy(regex):
        return regex
    match regex:
        case Concat(parts=parts):
            done: Regex = EMPTY
            for part in reversed(parts):
                done = concat(_ending(part, concat(done, rest)), done)
            return done
        case Union(options=options):
            return union(*(_ending(option, rest) for option in options))
        case Repeat(body=body, min=least, max=most):
            more = concat(repeat(_greedy(body), 0, most), rest)
            return repeat(_ending(body, more), least, most)
        case Lazy(body=body, min=least, max=most):
            one = _ending(body, concat(repeat(_greedy(body), 0, most), rest))
            left = None if most is None else most - least
            goes_on = Look(rest, True, True)
            return concat(repeat(one, least, least), repeat(concat(goes_on, one), 0, left))
    return _greedy(regex)  # a look: it ends nothing


def _greedy(regex: Regex) -> Regex:
    """The same language, without lazy repeats."""
    done: dict[Regex, Regex] = {}
    for node in postorder(regex):
        parts = [done[child] for child in node.children]
        match node:
            case Lazy() | Repeat():
                done[node] = repeat(parts[0], node.min, node.max)
            case Concat():
                done[node] = concat(*parts)
            case Union():
                done[node] = union(*parts)
            case Look():
                done[node] = Look(parts[0], node.ahead, node.negative)
            case _:
                done[node] = node
    return done[regex]
