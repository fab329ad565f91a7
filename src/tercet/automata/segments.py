"""The nodes of the decision trees that spell characters in bytes, and how they are put together.

Apart from `bytetrie` and `escapetrie`, which both build with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

Segment = tuple[int, int, "int | Node"]  # first byte, last byte, class number or node
Segments = tuple[Segment, ...]
Piece = tuple[int, int, "int | Node"]  # first code point, last code point, what they mean


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


class Nodes:
    """The nodes of one tree, each once."""

    def __init__(self) -> None:
        self._known: dict[Segments, Node] = {}

    def node(self, segments: list[Segment]) -> Node:
        """The node with these segments, in any order."""
        segments_ = joined(segments)
        if segments_ not in self._known:
            self._known[segments_] = Node(segments_)
        return self._known[segments_]

    def after(self, data: bytes, node: Node) -> Node:
        """Exactly these bytes, and then the node."""
        for byte in reversed(data):
            node = self.node([(byte, byte, node)])
        return node


def joined(segments: list[Segment]) -> Segments:
    """In the order of bytes, neighbours with the same meaning as one."""
    result: list[Segment] = []
    for first, last, child in sorted(segments, key=itemgetter(0)):
        if result and result[-1][1] + 1 == first and result[-1][2] == child:
            result[-1] = result[-1][0], last, child
        else:
            result.append((first, last, child))
    return tuple(result)


def within(pieces: list[Piece], first: int, last: int) -> list[Piece]:
    """The parts of the pieces between two code points."""
    return [
        (max(low, first), min(high, last), number)
        for low, high, number in pieces
        if low <= last and first <= high
    ]


def blocks(pieces: list[Piece], shift: int) -> list[tuple[int, int, list[Piece]]]:
    """The values above the lowest `shift` bits, and what each leaves to the lower ones.

    A value or a range of values comes with pieces cut down to the lower bits.
    """
    found: list[tuple[int, int, list[Piece]]] = []
    for first, last, piece in _cut(pieces, shift):
        if found and found[-1][0] == first:
            found[-1][2].append(piece)
        else:
            found.append((first, last, [piece]))
    return found


def _cut(pieces: list[Piece], shift: int) -> Iterator[tuple[int, int, Piece]]:
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
