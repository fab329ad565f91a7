"""A text to quote from: where quotes may begin and end.

A quote begins where a unit begins, ends where a unit ends, and is in between as the text is. This
file knows places only; `kernels.unfolding` follows quotes through the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet.errors import GrammarError

Unit = Literal["char", "word", "line"]
Bytes = NDArray[np.uint8]

_SPACES = [code for code in range(0x3001) if chr(code).isspace()]
_BETWEEN: dict[str, list[int]] = {"char": [], "word": _SPACES, "line": [0x0A, 0x0D]}


class Corpus:
    """All quotes from a text, none of them empty; iterating takes quadratic time.

    >>> sorted(Corpus("to be or", "word"))
    [b'be', b'be or', b'or', b'to', b'to be', b'to be or']
    """

    def __init__(self, text: str, unit: Unit, missing: Iterable[int] = ()) -> None:
        """Quotes have none of the `missing` bytes.

        Raises:
            GrammarError: the text holds half of a surrogate pair.
        """
        self.text, self.unit = text, unit
        encoded = _utf8(text)
        self.data: Bytes = np.frombuffer(encoded or b"\0", np.uint8)[: len(encoded)]
        first = np.flatnonzero((self.data & 0xC0) != 0x80)  # where each character begins
        bounds = np.append(first, len(self.data))
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        if unit == "char":
            begins, finishes = np.arange(len(codes)), np.arange(1, len(codes) + 1)
        else:
            inside = np.concatenate([[False], ~np.isin(codes, _BETWEEN[unit]), [False]])
            changes = np.flatnonzero(inside[1:] != inside[:-1])
            begins, finishes = changes[::2], changes[1::2]
        self.ends: Bytes = np.zeros(len(self.data) + 1, np.uint8)
        self.ends[bounds[finishes]] = 1
        self.alive = self._alive(bounds[finishes], list(missing))
        starts = bounds[begins]
        self.starts: NDArray[np.int32] = starts[self.alive[starts] == 1].astype(np.int32)

    def _alive(self, ends: NDArray[np.int64], missing: list[int]) -> Bytes:
        """For each place whether the text goes on from there to the end of a unit."""
        places = np.arange(len(self.data))
        after = np.append(ends, len(self.data) + 1)[np.searchsorted(ends, places, side="right")]
        (gaps,) = np.nonzero(np.isin(self.data, missing))
        gap = np.append(gaps, len(self.data))[np.searchsorted(gaps, places)]
        return (after <= gap).astype(np.uint8)

    def without(self, missing: frozenset[int]) -> Corpus:
        """The quotes that have none of these bytes."""
        return Corpus(self.text, self.unit, missing)

    @property
    def least(self) -> int:
        """A quote has at least so many bytes."""
        return 1

    def __bool__(self) -> bool:
        return len(self.starts) > 0

    def __iter__(self) -> Iterator[bytes]:
        data, found = self.data.tobytes(), set[bytes]()
        for start in self.starts.tolist():
            for stop in range(start + 1, len(data) + 1):
                if not self.alive[stop - 1]:
                    break
                if self.ends[stop]:
                    found.add(data[start:stop])
        return iter(sorted(found))

    def __len__(self) -> int:
        """How many quotes there are at most: equal ones count as often as they occur."""
        return len(self.starts) * int(self.ends.sum())

    def __contains__(self, quote: object) -> bool:
        return isinstance(quote, bytes) and bool(quote) and quote in set(self)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise GrammarError(
            "the text cannot be written as UTF-8",
            at=f"character {error.start}",
            why="it is half of a surrogate pair",
            hint="write the whole character, or take the half out",
        ) from None
