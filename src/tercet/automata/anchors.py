"""Anchors resolved: the same language, written without ``^`` and ``$``.

Whether an anchor holds depends on where a part of the text lies. So each part is rewritten once for
each situation: whether it begins where the text begins, and whether the text goes on after it. At
the top, the text is everything there is. This is exact wherever the anchors stand, `a|^b` included.

The situation to the right has a third value, for Python's ``$``, which also holds before a line
end that ends the text.
"""

from __future__ import annotations

from functools import reduce
from itertools import groupby
from typing import Literal

from tercet.automata.derive import derive
from tercet.automata.regex import (
    ANY_CHAR,
    EMPTY,
    NEVER,
    Concat,
    Regex,
    Repeat,
    Union,
    both,
    concat,
    postorder,
    repeat,
    text,
    union,
)

MORE, LINE_END, NOTHING = 0, 1, 2  # what the text still holds after a part
_Situation = tuple[bool, int]  # whether a part begins where the text begins, and what comes after
_SITUATIONS = [(first, after) for first in (False, True) for after in (MORE, LINE_END, NOTHING)]
_Views = dict[_Situation, Regex]
_MOST_COPIES = 32
_NEWLINE = text("\n")


class Anchor(Regex):
    """The empty string at certain places: "start", "end", or "final" for Python's ``$``."""

    __slots__ = ("kind",)
    kind: Literal["start", "end", "final"]

    def views(self) -> _Views:
        """The empty string where the anchor holds, nothing elsewhere."""
        holds = {
            "start": [key for key in _SITUATIONS if key[0]],
            "end": [key for key in _SITUATIONS if key[1] == NOTHING],
            "final": [key for key in _SITUATIONS if key[1] != MORE],
        }
        return {key: EMPTY if key in holds[self.kind] else NEVER for key in _SITUATIONS}


class RepeatedAnchorError(Exception):
    """A repeat of an anchored part that can't be written out; `parse` says where."""


def resolve(regex: Regex) -> Regex:
    """The strings that match from the beginning to the end of the text.

    >>> resolve(concat(Anchor("start"), text("a"), Anchor("end"))) is text("a")
    True

    Raises:
        RepeatedAnchorError: a large counted repeat holds an anchor.
    """
    views: dict[Regex, _Views] = {}
    for node in postorder(regex):
        parts = [views[child] for child in node.children]
        if isinstance(node, Anchor):
            views[node] = node.views()
        elif all(views[child][True, NOTHING] is child for child in node.children):
            views[node] = _constant(node)  # no anchor in any part
        elif isinstance(node, Concat):
            views[node] = _sequence(parts)
        elif isinstance(node, Union):
            views[node] = {key: union(*(part[key] for part in parts)) for key in parts[0]}
        elif isinstance(node, Repeat):
            views[node] = _repeated(node, parts[0])
        else:
            raise TypeError(f"no anchors expected in {type(node).__name__}")
    return views[regex][True, NOTHING]


def _constant(regex: Regex) -> _Views:
    return dict.fromkeys(_SITUATIONS, regex)


def _is_constant(views: _Views) -> bool:
    return len(set(views.values())) == 1


def _sequence(parts: list[_Views]) -> _Views:
    """One part after another, neighbours without anchors first put together."""
    joined: list[_Views] = []
    for constant, group in groupby(parts, key=_is_constant):
        if constant:
            joined.append(_constant(concat(*(part[True, NOTHING] for part in group))))
        else:
            joined += group
    return reduce(lambda right, left: _pair(left, right), reversed(joined))


def _pair(left: _Views, right: _Views) -> _Views:
    return {situation: _joined(left, right, situation) for situation in _SITUATIONS}


def _joined(left: _Views, right: _Views, situation: _Situation) -> Regex:
    """Every way of cutting the text in two, by which halves are empty or the last line end."""
    start, after = situation
    head = right[start, after]  # the right part when nothing has been read before it
    tail = right[False, after]
    whole, more = left[start, after], left[start, MORE]
    before = left[start, LINE_END] if after == NOTHING else more
    if whole is more is before:
        # the cut doesn't matter to the left part
        if head is tail:
            return concat(whole, head)
        return union(head if whole.nullable else NEVER, concat(_some(whole), tail))
    if head is tail:
        options = [concat(more, _some(tail)), whole if tail.nullable else NEVER]
    else:
        options = [
            concat(_some(more), _some(tail)),
            _some(head) if more.nullable else NEVER,
            _some(whole) if tail.nullable else NEVER,
            EMPTY if head.nullable and whole.nullable else NEVER,
        ]
    if before is not more:
        # what the left part allows before a line end that ends the text
        if derive(tail, ord("\n")).nullable:
            options.append(concat(_some(before), _NEWLINE))
        if before.nullable and derive(head, ord("\n")).nullable:
            options.append(_NEWLINE)
    return union(*options)


def _some(regex: Regex) -> Regex:
    """The strings that aren't empty."""
    if not regex.nullable:
        return regex
    if regex is EMPTY:
        return NEVER
    if isinstance(regex, Repeat) and not regex.body.nullable:
        return repeat(regex.body, 1, regex.max)
    if isinstance(regex, Union) and all(
        option is EMPTY or not option.nullable for option in regex.options
    ):
        return union(*(option for option in regex.options if option is not EMPTY))
    return both(regex, repeat(ANY_CHAR, 1))


def _repeated(regex: Repeat, body: _Views) -> _Views:
    """A few copies written out; without bound, all but the first and last are in the middle."""
    if max(regex.min, regex.max or 0) > _MOST_COPIES:
        raise RepeatedAnchorError
    copies = [body] * regex.min
    if regex.max is None:
        return _sequence([*copies, _star(body)])
    rest = _constant(EMPTY)
    for _ in range(regex.max - regex.min):
        rest = {key: union(EMPTY, regex_) for key, regex_ in _pair(body, rest).items()}
    return _sequence([*copies, rest])


def _star(body: _Views) -> _Views:
    if any(body[start, MORE] is not body[start, LINE_END] for start in (False, True)):
        raise RepeatedAnchorError
    middle = repeat(_some(body[False, MORE]))
    return {
        (start, after): union(
            EMPTY,
            _some(body[start, after]),
            concat(_some(body[start, MORE]), middle, _some(body[False, after])),
        )
        for start, after in body
    }
