"""How a text can be finished soon: a short rest for every state that is asked about.

The search goes byte by byte from state to state, led by what the engine knows to be missing at
least, and what it finds is kept for all texts of the constraint. The shortest rest in bytes is then
spelled with as few tokens as can be. That is a safe bound: never fewer tokens than are needed, and
as a rule just as many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tercet.engines.select import Recognizer
from tercet.vocabulary.vocabulary import Vocabulary

_MOST = 4000  # states that one search looks behind: some tenths of a second
_LEAST = 64  # the same after many searches that found nothing
_LONGEST = 32  # bytes of a token that is looked for, but for special ones
_FAR = 1 << 60


class _Step(NamedTuple):
    """The next byte of a way out and the state behind it; `cost` counts the bytes from here."""

    cost: int
    byte: int
    after: Any


class _Spelling(NamedTuple):
    """How many tokens a way out takes, and how many bytes the first of them."""

    tokens: int
    first: int


_END = _Step(0, -1, None)
_NO_SPELLING = _Spelling(_FAR, 0)  # within the name of a special token


@dataclass
class _Known:
    """What has been found out about a recognizer's states; it doesn't refer to the recognizer."""

    steps: dict[Any, _Step] = field(default_factory=dict)
    spelled: dict[Any, _Spelling] = field(default_factory=dict)
    failures: int = 0


_known: WeakKeyDictionary[Recognizer, _Known] = WeakKeyDictionary()


class WaysOut:
    """Short ways from the states of a recognizer to the end of the text.

    What is found is kept as long as the recognizer is, so another object for it knows it too.
    """

    def __init__(self, recognizer: Recognizer, vocabulary: Vocabulary) -> None:
        self._recognizer, self._ids = recognizer, _ids(vocabulary)
        names = (len(vocabulary.spelling(name)) for name in vocabulary.names)
        self._longest = max(_LONGEST, *names, 0)
        self._known = _known.setdefault(recognizer, _Known())
        self._steps, self._spelled = self._known.steps, self._known.spelled

    def count(self, state: Any) -> int | None:
        """Return how many tokens complete the text; None if bounded work found no way."""
        if state not in self._spelled:
            if self._left(state) and state not in self._steps:
                self._search(state)
            if state not in self._steps:
                return None
            self._spell(state)
        return self._spelled[state].tokens

    def tokens(self, state: Any) -> list[int] | None:
        """Return these tokens."""
        if self.count(state) is None:
            return None
        tokens = []
        while self._spelled[state].tokens:
            data = bytearray()
            for _ in range(self._spelled[state].first):
                _, byte, state = self._steps[state]
                data.append(byte)
            tokens.append(self._ids[bytes(data)])
        return tokens

    def _search(self, start: Any) -> None:
        """Find a shortest way out (A*), and keep it for all states along it.

        What can follow a state is tried one byte after another, the rest only if none of those so
        far was as good as can be: there are 200 bytes that leave a string where it is.
        """
        numbers = count()  # states can't be compared
        waiting: list[tuple[int, int, int, Any, Iterator[int] | None]]
        waiting = [(0, 0, next(numbers), start, None)]
        costs: dict[Any, int] = {start: 0}
        before: dict[Any, tuple[Any, int]] = {}
        for _ in range(max(_MOST >> self._known.failures, _LEAST)):
            if not waiting:
                return
            total, cost, _, state, live = heappop(waiting)
            if -cost > costs[state]:
                continue  # a shorter way to it has been followed
            if state in self._steps:
                self._keep(state, before)
                return
            live = iter(self._recognizer.live_bytes(state)) if live is None else live
            for byte in live:
                after = self._recognizer.step(state, byte)
                if 1 - cost >= costs.get(after, _FAR):
                    continue
                costs[after], before[after] = 1 - cost, (state, byte)
                # of two that are as promising, the one that has come farther
                promise = 1 - cost + self._left(after)
                heappush(waiting, (promise, cost - 1, next(numbers), after, None))
                if promise <= total:
                    heappush(waiting, (total, cost, next(numbers), state, live))
                    break
        self._known.failures += 1

    def _left(self, state: Any) -> int:
        if self._recognizer.is_accepting(state):
            self._steps.setdefault(state, _END)
        known = self._steps.get(state)
        return self._recognizer.least_bytes(state) if known is None else known.cost

    def _keep(self, state: Any, before: dict[Any, tuple[Any, int]]) -> None:
        while state in before:
            former, byte = before.pop(state)
            self._steps[former] = _Step(self._steps[state].cost + 1, byte, state)
            state = former

    def _spell(self, state: Any) -> None:
        """Find the fewest tokens along the way, from its end."""
        states, data = [state], bytearray()
        while (step := self._steps[states[-1]]) is not _END:
            data.append(step.byte)
            states.append(step.after)
        self._spelled.setdefault(states[-1], _Spelling(0, 0))
        for place in range(len(data) - 1, -1, -1):
            if states[place] not in self._spelled:
                ends = range(place + 1, min(place + self._longest, len(data)) + 1)
                spellings = (
                    _Spelling(self._spelled[states[end]].tokens + 1, end - place)
                    for end in ends
                    if bytes(data[place:end]) in self._ids
                )
                self._spelled[states[place]] = min(spellings, default=_NO_SPELLING)


@lru_cache(8)
def _ids(vocabulary: Vocabulary) -> dict[bytes, int]:
    return {data: token for token, data in enumerate(vocabulary.spellings) if data}
