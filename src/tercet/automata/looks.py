r"""Lookaround as nodes: what stands before or after a place in the text, without reading it.

A `Look` may stand anywhere in what `parse` reads; `lookaround` writes the same language without
it. Word boundaries are looks at one character to each side. Anchors have nodes of their own,
because `anchors` can take those out without an automaton.
"""

from __future__ import annotations

from tercet.automata.anchors import Anchor
from tercet.automata.charset import CharSet
from tercet.automata.regex import (
    ANY_CHAR,
    Chars,
    Concat,
    Regex,
    Repeat,
    Union,
    chars,
    concat,
    optional,
    postorder,
    text,
    union,
)

_UNBOUNDED = 1 << 32


class Look(Regex):
    """The empty string at the places where `body` matches just before or just after."""

    __slots__ = ("body", "ahead", "negative")
    body: Regex
    ahead: bool
    negative: bool

    def _children(self) -> tuple[Regex, ...]:
        return (self.body,)


def boundary(word: CharSet) -> Regex:
    r"""``\b``: a word begins or ends here."""
    inside = chars(word)
    return union(
        concat(Look(inside, False, False), Look(inside, True, True)),
        concat(Look(inside, False, True), Look(inside, True, False)),
    )


def no_boundary(word: CharSet, *, in_empty_text: bool) -> Regex:
    r"""``\B``: the opposite, except that Python before 3.14 finds no ``\B`` in an empty text."""
    inside, outside = chars(word), chars(~word)
    within = concat(Look(inside, False, False), Look(inside, True, False))
    if in_empty_text:
        return union(within, concat(Look(inside, False, True), Look(inside, True, True)))
    return union(
        within,
        concat(Look(outside, False, False), Look(inside, True, True)),
        concat(Look(inside, False, True), Look(outside, True, False)),
    )


def as_look(anchor: Anchor) -> Regex:
    """An anchor by what stands around it."""
    if anchor.kind == "start":
        return Look(ANY_CHAR, False, True)
    end = Look(ANY_CHAR, True, True)
    return end if anchor.kind == "end" else Look(concat(optional(text("\n")), end), True, False)


def looks_in(regex: Regex) -> tuple[bool, bool]:
    """Whether something in the regex depends on the text before it, and on the text after it."""
    before = after = False
    for node in postorder(regex):
        if isinstance(node, Look):
            before, after = before or not node.ahead, after or node.ahead
        elif isinstance(node, Anchor):
            before, after = before or node.kind == "start", after or node.kind != "start"
    return before, after


def has_look(regex: Regex) -> bool:
    """Whether there is lookaround other than anchors."""
    return any(isinstance(node, Look) for node in postorder(regex))


def is_fixed_width(regex: Regex) -> bool:
    """Whether all texts have one length, as Python demands behind ``(?<=``."""
    spans: dict[Regex, tuple[int, int]] = {}
    for node in postorder(regex):
        spans[node] = _span(node, [spans[child] for child in node.children])
    low, high = spans[regex]
    return low == high


def _span(regex: Regex, parts: list[tuple[int, int]]) -> tuple[int, int]:
    """The least and the greatest length, given those of the children."""
    match regex:
        case Chars():
            return 1, 1
        case Concat():
            return sum(low for low, _ in parts), sum(high for _, high in parts)
        case Union() if parts:
            return min(low for low, _ in parts), max(high for _, high in parts)
        case Repeat():
            most = _UNBOUNDED if regex.max is None else regex.max
            return parts[0][0] * regex.min, parts[0][1] * most
    return 0, 0  # assertions, and sets without characters
