r"""How disjoint classes of characters are spelled in bytes, as a minimal decision tree.

A `Node` maps each byte to another node, to a class number (the character is complete) or to
nothing. The tree depends on the classes and the encoding only, so it is built once and shared by
every state of every automaton with these classes; `bytedfa` puts states in place of classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Literal

from tercet.automata.charset import CharSet
from tercet.automata.jsontext import ESCAPES

Encoding = Literal["utf8", "json"]

_Segment = tuple[int, int, "int | Node"]  # first byte, last byte, class number or node
Segments = tuple[_Segment, ...]
_Pieces = list[tuple[int, int, int]]  # first code point, last code point, class number

_ESCAPED = CharSet.of("".join(ESCAPES))

# (bits below the lead byte, what marks the lead byte, first and last code point)
_FORMS = (
    (0, 0x00, 0, 0x7F),
    (6, 0xC0, 0x80, 0x7FF),
    (12, 0xE0, 0x800, 0xFFFF),
    (18, 0xF0, 0x10000, 0x10FFFF),
)


class Node:
    """What each next byte means, and which classes can come of it.

    Compared by identity: a tree holds no two nodes with the same segments.
    """

    __slots__ = ("classes", "segments")
    classes: tuple[int, ...]
    segments: Segments

    def __init__(self, segments: Segments) -> None:
        self.segments = segments
        found: set[int] = set()
        for _, _, child in segments:
            found.update(child.classes if isinstance(child, Node) else (child,))
        self.classes = tuple(sorted(found))


@lru_cache(maxsize=1024)
def byte_tree(classes: tuple[CharSet, ...], encoding: Encoding) -> Node:
    """The tree that spells disjoint classes in UTF-8; "json" uses the escapes of `jsontext`."""
    nodes: dict[Segments, Node] = {}
    escapes: dict[bytes, int] = {}
    if encoding == "json":
        for number, charset in enumerate(classes):
            for char in charset & _ESCAPED:
                escapes[ESCAPES[chr(char)].encode()] = number
        classes = tuple([charset - _ESCAPED for charset in classes])
    pieces = sorted((low, high, c) for c, chars in enumerate(classes) for low, high in chars.ranges)
    segments = _spelled(escapes, nodes)
    for shift, mark, first, last in _FORMS:
        inside = [
            (max(low, first), min(high, last), number)
            for low, high, number in pieces
            if low <= last and first <= high
        ]
        segments += _level(inside, shift, mark, nodes)
    return Node(_joined(segments))


def _level(pieces: _Pieces, shift: int, mark: int, nodes: dict[Segments, Node]) -> list[_Segment]:
    """What the byte above the lowest `shift` bits means; the pieces agree on the bits above it."""
    if not shift:
        return [(mark + low, mark + high, number) for low, high, number in pieces]
    blocks: list[tuple[int, int, _Pieces]] = []
    for first, last, piece in _blocks(pieces, shift):
        if blocks and blocks[-1][0] == first:
            blocks[-1][2].append(piece)
        else:
            blocks.append((first, last, [piece]))
    return [
        (mark + first, mark + last, _node(_level(inside, shift - 6, 0x80, nodes), nodes))
        for first, last, inside in blocks
    ]


def _blocks(pieces: _Pieces, shift: int) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
    """Cut pieces at multiples of 2**shift: first and last block, and what one block holds."""
    top = (1 << shift) - 1
    for low, high, number in pieces:
        first, last = low >> shift, high >> shift
        if first == last:
            yield first, last, (low & top, high & top, number)
            continue
        if low & top:
            yield first, first, (low & top, top, number)
            first += 1
        if high & top < top:
            last -= 1
        if first <= last:
            yield first, last, (0, top, number)
        if high & top < top:
            yield last + 1, last + 1, (0, high & top, number)


def _spelled(words: dict[bytes, int], nodes: dict[Segments, Node]) -> list[_Segment]:
    """The segments of a set of byte strings, none a prefix of another."""
    rests: dict[int, dict[bytes, int]] = {}
    for word, number in words.items():
        rests.setdefault(word[0], {})[word[1:]] = number
    return [
        (byte, byte, rest[b""] if b"" in rest else _node(_spelled(rest, nodes), nodes))
        for byte, rest in rests.items()
    ]


def _node(segments: list[_Segment], nodes: dict[Segments, Node]) -> Node:
    joined = _joined(segments)
    if joined not in nodes:
        nodes[joined] = Node(joined)
    return nodes[joined]


def _joined(segments: list[_Segment]) -> Segments:
    """In the order of bytes, neighbours with the same meaning as one."""
    result: list[_Segment] = []
    for first, last, child in sorted(segments, key=itemgetter(0)):
        if result and result[-1][1] + 1 == first and result[-1][2] == child:
            result[-1] = result[-1][0], last, child
        else:
            result.append((first, last, child))
    return tuple(result)
