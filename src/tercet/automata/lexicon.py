"""Many byte strings in one buffer, and the smallest automaton that has exactly those.

A tuple of a million byte strings takes seconds to make, sort and hash. This takes none of that
where nobody asks: it is a sequence for whoever reads it string by string, as the reference engine
does, and an automaton for the fast one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tercet.automata.jsontext import json_escape
from tercet.kernels.dawg import build_dawg
from tercet.kernels.sorting import fast_order

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Dawg:
    """An acyclic automaton; targets come before the nodes that lead to them, the root is last."""

    first: Ints  # [nodes] first edge
    count: Ints  # [nodes] edges
    end: Bytes  # [nodes] a string ends here
    byte: Bytes  # [edges]
    to: Ints  # [edges]


class Lexicon(Sequence[bytes]):
    """Distinct strings, in byte order when they are read one by one.

    >>> list(Lexicon(["b", "a", "ab"]))
    [b'a', b'ab', b'b']
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Of distinct texts.

        Raises:
            GrammarError: one holds half of a surrogate pair.
        """
        joined = "".join(texts)
        try:
            data = joined.encode()
        except UnicodeEncodeError:
            data = b"".join(map(json_escape, texts))  # raises, and says which text
        if len(data) == len(joined):
            lengths = np.fromiter(map(len, texts), np.int32, len(texts))
        else:
            lengths = np.fromiter((len(text.encode()) for text in texts), np.int32, len(texts))
        self._data = np.frombuffer(data or b"\0", np.uint8)
        self._length = lengths
        self._start = np.zeros(len(texts), np.int32)
        np.cumsum(lengths[:-1], out=self._start[1:])

    @cached_property
    def _order(self) -> Ints:
        order: Ints = fast_order(self._data, self._start, self._length)
        return order

    @cached_property
    def dawg(self) -> Dawg:
        """The smallest automaton of these strings."""
        return Dawg(*build_dawg(self._data, self._start, self._length, self._order))

    def __len__(self) -> int:
        return len(self._length)

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        string = self._order[index]
        start = self._start[string]
        return self._data[start : start + self._length[string]].tobytes()

    def __contains__(self, data: object) -> bool:
        dawg = self.dawg
        node = len(dawg.first) - 1
        for byte in data if isinstance(data, bytes) else b"":
            edges = slice(dawg.first[node], dawg.first[node] + dawg.count[node])
            (places,) = np.nonzero(dawg.byte[edges] == byte)
            if not len(places):
                return False
            node = dawg.to[edges][places[0]]
        return isinstance(data, bytes) and bool(dawg.end[node])
