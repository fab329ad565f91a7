"""What may come next in an array, after how many items of which kinds.

A state is an index and a count for each share. An item is only offered if the array can be
completed after it. Where a share has a greatest count, items are told apart by complements; where
it only has a least one, an item that matches may still go uncounted: some way of counting is right,
and that is what the language asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from tercet.frontends.json_schema.arrays import Arrays, Productive, Share
from tercet.frontends.json_schema.schema import Value, conjunction, negation

State = tuple[int, tuple[int, ...]]
Choice = tuple[Value, State]


class Counting:
    """The states of one canonical array; answers are kept, so `productive` must not change."""

    remembers = False

    def __init__(self, arrays: Arrays, productive: Productive) -> None:
        self.arrays = arrays
        self.start: State = (0, (0,) * len(arrays.shares))
        self._productive = productive
        starts = (share.start for share in arrays.shares)
        self._even = max(len(arrays.prefix), *starts, 0)  # from here on items are alike
        self._known: dict[State, bool] = {}

    def can_exist(self) -> bool:
        """Whether there is such an array."""
        return self._can_finish(self.start)

    def may_end(self, state: State) -> bool:
        """Whether the array may end here."""
        index, counts = state
        pairs = zip(counts, self.arrays.shares, strict=True)
        return index >= self.arrays.low and all(count >= share.low for count, share in pairs)

    def options(self, state: State) -> list[Choice]:
        """What the next item may match and the state after it."""
        return [
            (value, after)
            for value, after in self._choices(state)
            if self._productive(value) and self._can_finish(after)
        ]

    def left(self, state: State) -> tuple[int, int | None] | None:
        """How many more items there must and may be, if all that follow are alike."""
        index, counts = state
        if index < self._even or any(after != counts for _, (_, after) in self._choices(state)):
            return None
        high = self.arrays.high
        return max(self.arrays.low - index, 0), None if high is None else high - index

    def _choices(self, state: State) -> list[Choice]:
        index, counts = state
        if self.arrays.high is not None and index >= self.arrays.high:
            return []
        found = [(self.arrays.item(index), counts)]
        for number, share in enumerate(self.arrays.shares):
            if index >= share.start:
                found = [one for item in found for one in _split(item, number, share)]
        return [(value, (self._index(index + 1), after)) for value, after in found]

    def _index(self, index: int) -> int:
        """Beyond the last index that matters, all are alike."""
        if self.arrays.high is not None:
            return index
        return min(index, max(self._even, self.arrays.low))

    def _can_finish(self, state: State) -> bool:
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._decide(state)
        return known

    def _decide(self, state: State) -> bool:
        if self.may_end(state):
            return True
        if not self.arrays.shares:
            return all(self._productive(item) for item in self._missing(state[0]))
        choices = self._choices(state)
        kinds = {counts for _, (_, counts) in choices}
        if state[0] >= self._even and len(kinds) <= 2 and state[1] in kinds:
            return self._decide_alike(state, choices)
        return any(
            self._helps(state, after) and self._productive(value) and self._can_finish(after)
            for value, after in reversed(choices)
        )

    def _helps(self, state: State, after: State) -> bool:
        """Whether a step is one towards an end."""
        is_early = state[0] < max(self._even, self.arrays.low)
        counts = zip(state[1], after[1], self.arrays.shares, strict=True)
        return is_early or any(one < two and one < share.low for one, two, share in counts)

    def _missing(self, index: int) -> Iterator[Value]:
        """What is still needed, where nothing is counted."""
        arrays = self.arrays
        yield from arrays.prefix[index : arrays.low]
        if arrays.low > max(index, len(arrays.prefix)):
            yield arrays.rest

    def _decide_alike(self, state: State, choices: list[Choice]) -> bool:
        """Calculate, where all further items are of two kinds: one share still counts, or none."""
        index, counts = state
        stays = any(self._productive(v) for v, (_, after) in choices if after == counts)
        counted = [(v, after) for v, (_, after) in choices if after != counts]
        least = max(self.arrays.low - index, 0)
        most = inf if self.arrays.high is None else self.arrays.high - index
        if not counted:
            is_enough = all(c >= s.low for c, s in zip(counts, self.arrays.shares, strict=True))
            return is_enough and stays
        number = next(n for n, count in enumerate(counts) if count != counted[0][1][n])
        share, moves = self.arrays.shares[number], any(self._productive(v) for v, _ in counted)
        others = zip(counts, self.arrays.shares, strict=True)
        if any(count < other.low and other is not share for count, other in others):
            return False
        fewest = max(share.low - counts[number], 0)
        room = inf if share.high is None else share.high - counts[number]
        room = max(room, 0) if moves else 0
        return fewest <= room and max(fewest, least) <= most and (stays or least <= room)


def _split(
    item: tuple[Value, tuple[int, ...]], number: int, share: Share
) -> Iterator[tuple[Value, tuple[int, ...]]]:
    """The ways in which an item may count for a share, or not."""
    value, counts = item
    count = counts[number]
    if share.high is None and count >= share.low:
        yield value, counts
        return
    yield (value if share.high is None else conjunction((value, negation(share.value)))), counts
    if share.high is None or count < share.high:
        more = (*counts[:number], count + 1, *counts[number + 1 :])
        yield conjunction((value, share.value)), more
