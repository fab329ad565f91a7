r"""How disjoint classes of characters are spelled in bytes, as a minimal decision tree.

A `Node` maps each byte to another node, to a class number (the character is complete) or to
nothing. The tree depends on the classes and the encoding only, so it is built once and shared by
every state of every automaton with these classes; `bytedfa` puts states in place of classes.
Escapes are built in `escapetrie`.
"""

from __future__ import annotations

from functools import lru_cache

from tercet.automata.charset import CharSet
from tercet.automata.escapetrie import all_escapes, needed_escapes
from tercet.automata.jsontext import ESCAPES, Encoding
from tercet.automata.segments import Node, Nodes, Piece, Segment, blocks, within

_ESCAPED = CharSet.of("".join(ESCAPES))

# (bits below the lead byte, what marks the lead byte, first and last code point)
_FORMS = (
    (0, 0x00, 0, 0x7F),
    (6, 0xC0, 0x80, 0x7FF),
    (12, 0xE0, 0x800, 0xFFFF),
    (18, 0xF0, 0x10000, 0x10FFFF),
)


@lru_cache(maxsize=1024)
def byte_tree(classes: tuple[CharSet, ...], encoding: Encoding) -> Node:
    """The tree that spells disjoint classes in an `Encoding`."""
    nodes = Nodes()
    segments: list[Segment] = []
    if encoding == "json":
        segments = needed_escapes(classes, nodes)
    elif encoding == "json-any":
        segments = all_escapes(_pieces(classes), nodes)
    if encoding != "utf8":
        classes = tuple([charset - _ESCAPED for charset in classes])
    pieces = _pieces(classes)
    for shift, mark, first, last in _FORMS:
        segments += _level(within(pieces, first, last), shift, mark, nodes)
    return nodes.node(segments)


def _pieces(classes: tuple[CharSet, ...]) -> list[Piece]:
    return sorted((low, high, c) for c, chars in enumerate(classes) for low, high in chars.ranges)


def _level(pieces: list[Piece], shift: int, mark: int, nodes: Nodes) -> list[Segment]:
    """What the byte above the lowest `shift` bits means; the pieces agree on the bits above it."""
    if not shift:
        return [(mark + low, mark + high, number) for low, high, number in pieces]
    return [
        (mark + first, mark + last, nodes.node(_level(inside, shift - 6, 0x80, nodes)))
        for first, last, inside in blocks(pieces, shift)
    ]
