r"""Sets of characters as sorted, disjoint ranges of code points.

Characters are Unicode scalar values: surrogates are dropped wherever they appear, because no UTF-8
text can hold one. Sets are interned, so equality is identity and a set can key any memo table.
Names of sets (``\d``, ``\p{L}``) live in `unicode_sets`; encodings live in `bytetrie`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Self
from weakref import WeakValueDictionary

Ranges = tuple[tuple[int, int], ...]

MAX_CODE_POINT = 0x10FFFF
_BEFORE_SURROGATES = 0xD7FF
_AFTER_SURROGATES = 0xE000


def _scalar_values(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same ranges, cut to 0..10FFFF and without the surrogates."""
    for low, high in ranges:
        first, last = max(low, 0), min(high, MAX_CODE_POINT)
        if first <= min(last, _BEFORE_SURROGATES):
            yield first, min(last, _BEFORE_SURROGATES)
        if max(first, _AFTER_SURROGATES) <= last:
            yield max(first, _AFTER_SURROGATES), last


def _normalise(ranges: Iterable[tuple[int, int]]) -> Ranges:
    ordered = sorted(ranges)
    if any(not _is_scalar(low, high) for low, high in ordered):
        ordered = list(_scalar_values(ordered))
    merged: list[tuple[int, int]] = []
    end = -2
    for low, high in ordered:
        if low > end + 1:
            merged.append((low, high))
            end = high
        elif high > end:
            merged[-1] = merged[-1][0], high
            end = high
    return tuple(merged)


def _is_scalar(low: int, high: int) -> bool:
    """Whether a range is one, and holds scalar values only."""
    return 0 <= low <= high <= MAX_CODE_POINT and (
        high <= _BEFORE_SURROGATES or low >= _AFTER_SURROGATES
    )


class CharSet:
    """An immutable set of characters.

    >>> CharSet([(97, 99), (98, 122)]) is CharSet([(97, 122)])
    True
    >>> ord("b") in CharSet.of("abc") - CharSet.single(ord("b"))
    False
    """

    __slots__ = ("__weakref__", "_hash", "ranges")
    ranges: Ranges
    _hash: int
    ANY: CharSet
    NONE: CharSet

    def __new__(cls, ranges: Iterable[tuple[int, int]] = ()) -> Self:
        """The interned set with these ranges, in any order, overlapping or not."""
        return cls._intern(_normalise(ranges))

    @classmethod
    def _intern(cls, ranges: Ranges) -> Self:
        """The one set with these ranges, which are normalised already."""
        found: Self | None = _SETS.get(ranges)
        if found is None:
            found = object.__new__(cls)
            object.__setattr__(found, "ranges", ranges)
            object.__setattr__(found, "_hash", hash(ranges))
            return _SETS.setdefault(ranges, found)  # type: ignore[no-any-return]
        return found

    @classmethod
    def of(cls, text: str) -> CharSet:
        """The characters of `text`."""
        return cls((ord(char), ord(char)) for char in text)

    @classmethod
    def single(cls, code_point: int) -> CharSet:
        """Exactly this character."""
        return cls(((code_point, code_point),))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("CharSet is immutable")

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[CharSet], tuple[Ranges]]:
        return CharSet, (self.ranges,)

    def __repr__(self) -> str:
        inside = ", ".join(f"(0x{low:X}, 0x{high:X})" for low, high in self.ranges)
        return f"CharSet([{inside}])"

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for low, high in self.ranges:
            yield from range(low, high + 1)

    def __contains__(self, code_point: int) -> bool:
        index = bisect_right(self.ranges, (code_point, MAX_CODE_POINT)) - 1
        return index >= 0 and code_point <= self.ranges[index][1]

    def __or__(self, other: CharSet) -> CharSet:
        if not other or self is other:
            return self
        return CharSet(self.ranges + other.ranges) if self else other

    def __and__(self, other: CharSet) -> CharSet:
        return CharSet._intern(tuple(_common(self.ranges, other.ranges)))

    def __invert__(self) -> CharSet:
        ends = [-1, *(high for _, high in self.ranges)]
        starts = [*(low for low, _ in self.ranges), MAX_CODE_POINT + 1]
        return CharSet((end + 1, start - 1) for end, start in zip(ends, starts, strict=True))

    def __sub__(self, other: CharSet) -> CharSet:
        return self & ~other

    def nth(self, index: int) -> int:
        """The code point at `index` in ascending order.

        >>> chr(CharSet([(97, 122)]).nth(2))
        'c'
        """
        for low, high in self.ranges:
            if index <= high - low:
                return low + index
            index -= high - low + 1
        raise IndexError("character index out of range")


_SETS: WeakValueDictionary[Ranges, Any] = WeakValueDictionary()
CharSet.ANY = CharSet([(0, MAX_CODE_POINT)])
CharSet.NONE = CharSet()


def _common(left: Ranges, right: Ranges) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            yield low, high
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1


@lru_cache(maxsize=4096)
def partition(sets: tuple[CharSet, ...]) -> tuple[tuple[CharSet, ...], tuple[tuple[int, ...], ...]]:
    """The coarsest disjoint classes that tell the sets apart, and the classes inside each set.

    Characters in none of the sets are in no class; classes are ordered by their least character.

    >>> classes, members = partition((CharSet.of("ab"), CharSet.of("bc")))
    >>> [len(c) for c in classes], members
    ([1, 1, 1], ((0, 1), (1, 2)))
    """
    toggles: list[tuple[int, int]] = []  # (code point where membership changes, bit of the set)
    for index, charset in enumerate(sets):
        for low, high in charset.ranges:
            toggles += (low, 1 << index), (high + 1, 1 << index)
    toggles.sort()
    pieces: dict[int, list[tuple[int, int]]] = {}  # which sets, as bits -> their ranges
    inside, start = 0, 0
    for point, bit in toggles:
        if inside and start < point:
            pieces.setdefault(inside, []).append((start, point - 1))
        inside, start = inside ^ bit, point
    classes = tuple(CharSet(ranges) for ranges in pieces.values())
    members: list[list[int]] = [[] for _ in sets]
    for number, owners in enumerate(pieces):
        while owners:
            low_bit = owners & -owners
            members[low_bit.bit_length() - 1].append(number)
            owners ^= low_bit
    return classes, tuple(map(tuple, members))
