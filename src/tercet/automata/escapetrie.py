r"""The escapes of JSON strings as parts of the tree of `bytetrie`.

`needed_escapes` has the one spelling of each character that can't stand as itself; `all_escapes`
has every escape of RFC 8259: the short ones, ``\u00e9`` with digits of either case, and pairs of
surrogates for characters beyond U+FFFF. Half a pair spells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from tercet.automata.charset import MAX_CODE_POINT, CharSet
from tercet.automata.jsontext import ESCAPES, SHORT_ESCAPES
from tercet.automata.segments import Node, Nodes, Piece, Segment, blocks, within

_BACKSLASH = 0x5C
_BASIC = 0xFFFF
_HIGH, _LOW = 0xD800, 0xDC00  # the first of each kind of surrogate


def needed_escapes(classes: tuple[CharSet, ...], nodes: Nodes) -> list[Segment]:
    """What a backslash means where only what must be escaped is."""
    words = {
        ESCAPES[char].encode(): number
        for number, charset in enumerate(classes)
        for char in ESCAPES
        if ord(char) in charset
    }
    return _spelled(words, nodes)


def _spelled(words: dict[bytes, int], nodes: Nodes) -> list[Segment]:
    """The segments of a set of byte strings, none a prefix of another."""
    rests: dict[int, dict[bytes, int]] = {}
    for word, number in words.items():
        rests.setdefault(word[0], {})[word[1:]] = number
    return [
        (byte, byte, rest[b""] if b"" in rest else nodes.node(_spelled(rest, nodes)))
        for byte, rest in rests.items()
    ]


def all_escapes(pieces: list[Piece], nodes: Nodes) -> list[Segment]:
    """What a backslash means where everything may be escaped."""
    segments: list[Segment] = [
        (ord(escape), ord(escape), number)
        for escape, char in SHORT_ESCAPES.items()
        for low, high, number in pieces
        if low <= ord(char) <= high
    ]
    digits = _digits(_units(pieces, nodes), 12, nodes)
    if digits:
        segments.append((ord("u"), ord("u"), nodes.node(digits)))
    return [(_BACKSLASH, _BACKSLASH, nodes.node(segments))] if segments else []


def _digits(pieces: list[Piece], shift: int, nodes: Nodes) -> list[Segment]:
    """Hexadecimal digits, the first of which is above the lowest `shift` bits."""
    found: list[Segment] = []
    for first, last, inside in blocks(pieces, shift):
        child = nodes.node(_digits(inside, shift - 4, nodes)) if shift else inside[0][2]
        found += _digit_bytes(first, last, child)
    return found


def _digit_bytes(first: int, last: int, child: int | Node) -> Iterator[Segment]:
    """The bytes of a range of digits, letters in both cases."""
    if first < 10:
        yield 0x30 + first, 0x30 + min(last, 9), child
    if last >= 10:
        for letter in b"Aa":
            yield letter + max(first, 10) - 10, letter + last - 10, child


def _units(pieces: list[Piece], nodes: Nodes) -> list[Piece]:
    """What each number of 16 bits means: a class, or one after the second half of a pair."""
    units = within(pieces, 0, _BASIC)
    beyond = within(pieces, _BASIC + 1, MAX_CODE_POINT)
    offsets = [(low - _BASIC - 1, high - _BASIC - 1, number) for low, high, number in beyond]
    for first, last, inside in blocks(offsets, 10):
        halves = [(_LOW + low, _LOW + high, number) for low, high, number in inside]
        second = nodes.node(_digits(halves, 12, nodes))
        units.append((_HIGH + first, _HIGH + last, nodes.after(b"\\u", second)))
    return sorted(units, key=itemgetter(0))
