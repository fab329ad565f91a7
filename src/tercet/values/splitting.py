"""How a text of a combined grammar falls into parts, so that each part can be read.

Where several ways of cutting fit, what is read is as long as possible: the answer after `>>`, and
each item of a repeat from the left, as greedy repeats of regular expressions do it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tercet.values.judge import Judge

_Bounds = tuple[int, int | None]
_Way = tuple[int, int | None]


def answer_start(before: Judge, answer: Judge, data: bytes) -> int:
    """Where the answer begins that follows a text of `before`: as early as it can."""
    for place in before.ends(data, 0):
        if answer.mismatch(data[place:]) is None:
            return place
    raise AssertionError("the text is in the concatenation")


def items(
    item: Judge, separator: Judge, data: bytes, bounds: tuple[int, int | None]
) -> list[bytes]:
    """The items of a repeat that makes up the text.

    >>> from tercet.grammar.nodes import EMPTY, Language, lit, rep
    >>> a_or_aa, nothing = Judge(Language(rep(lit("a"), 1, 2), {})), Judge(Language(EMPTY, {}))
    >>> items(a_or_aa, nothing, b"aaa", (0, None)), items(a_or_aa, nothing, b"aaa", (3, 3))
    ([b'aa', b'a'], [b'a', b'a', b'a'])
    """
    least, most = bounds
    if not data and not least:
        return []
    starts, ends, ways = [0], [0], [_ways(item, separator, data, 0)]
    seen = {(0, 0)}  # where an item began, after how many: what failed there fails again
    while ways:
        ends[-1], following = next(ways[-1], (0, -1))
        if following == -1:
            starts.pop(), ends.pop(), ways.pop()
        elif following is None:
            if len(starts) >= least:
                return [data[start:end] for start, end in zip(starts, ends, strict=True)]
        elif most is None or len(starts) < most:
            place = following, min(len(starts), least) if most is None else len(starts)
            if place not in seen:
                seen.add(place)
                starts.append(following)
                ends.append(following)
                ways.append(_ways(item, separator, data, following))
    raise AssertionError("the text is in the repeat")


def _ways(item: Judge, separator: Judge, data: bytes, start: int) -> Iterator[_Way]:
    """Ends of the item that begins here, the last first, and where the next begins (None: none)."""
    for end in reversed(item.ends(data, start)):
        if end == len(data):
            yield end, None
        for following in separator.ends(data, end):
            yield end, following
