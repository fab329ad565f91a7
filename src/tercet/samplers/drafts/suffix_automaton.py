"""The suffix automaton of a sequence of tokens, built as the sequence grows.

It finds the longest end of a text that stands somewhere in the sequence, in constant time per
token (Blumer et al. 1985; used for drafts by SAM-Decoding, Hu et al. 2024).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Match(NamedTuple):
    """A state of the automaton, and how many of the last tokens it stands for."""

    state: int
    length: int


START = Match(0, 0)


class SuffixAutomaton:
    """All that ever followed what, in a sequence.

    >>> automaton = SuffixAutomaton()
    >>> automaton.extend([1, 2, 3, 1])
    >>> match = automaton.follow(automaton.follow(START, 7), 2)
    >>> match.length, automaton.continuation(match, 2)
    (1, [3, 1])
    """

    def __init__(self) -> None:
        self._text: list[int] = []
        self._next: list[dict[int, int]] = [{}]
        self._link = [-1]
        self._longest = [0]
        self._end = [0]  # where the state's first occurrence ends
        self._last = 0

    def extend(self, tokens: Iterable[int]) -> None:
        """Append tokens to the sequence."""
        for token in tokens:
            self._append(token)

    def _append(self, token: int) -> None:
        self._text.append(token)
        fresh = self._state({}, len(self._text), len(self._text))
        at = self._last
        while at >= 0 and token not in self._next[at]:
            self._next[at][token] = fresh
            at = self._link[at]
        if at >= 0:
            self._link[fresh] = self._split(at, token)
        self._last = fresh

    def _state(self, after: dict[int, int], longest: int, end: int) -> int:
        self._next.append(after)
        self._longest.append(longest)
        self._end.append(end)
        self._link.append(0)
        return len(self._next) - 1

    def _split(self, at: int, token: int) -> int:
        """Return the state of exactly what `at` stands for and the token."""
        target = self._next[at][token]
        if self._longest[target] == self._longest[at] + 1:
            return target
        twin = self._state(dict(self._next[target]), self._longest[at] + 1, self._end[target])
        self._link[twin] = self._link[target]
        self._link[target] = twin
        while at >= 0 and self._next[at].get(token) == target:
            self._next[at][token] = twin
            at = self._link[at]
        return twin

    def follow(self, match: Match, token: int) -> Match:
        """Return the match of one more token: the longest end of the text that occurs."""
        state, length = match
        while state > 0 and token not in self._next[state]:
            state = self._link[state]
            length = self._longest[state]
        after = self._next[state].get(token)
        return START if after is None else Match(after, length + 1)

    def continuation(self, match: Match, count: int) -> list[int]:
        """Return what followed the first occurrence of a match."""
        end = self._end[match.state]
        return self._text[end : end + count] if match.length else []
