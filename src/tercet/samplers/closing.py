"""Answers that close: near the limit, only tokens that leave room for the rest may come.

A row under a limit always knows a *way out*: tokens that make its text whole, no more than are
left. A token fits if it is the next of them, or if a way out is known behind it that is short
enough. So the text can always be finished in time, and what is drawn is the masked distribution
without the tokens that don't fit. Ways out are found in `waysout.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tercet.matcher import Matcher
from tercet.samplers.waysout import WaysOut
from tercet.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tercet.samplers.network import Row


class Closing:
    """Keeps a way out for one row; `interfered` says whether a chosen token was refused for it.

    Where no way out is known that is short enough, any token may come, and the text may be cut
    off: the limit is below what the shortest answer needs, or the search was given up.
    """

    def __init__(self, matcher: Matcher, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._way = self._way_from(matcher)
        self.interfered = False

    def _way_from(self, matcher: Matcher) -> list[int] | None:
        recognizer, state = matcher.place()
        return WaysOut(recognizer, self._vocabulary).tokens(state)

    @property
    def shortest(self) -> int | None:
        """How many tokens the known way out has."""
        return None if self._way is None else len(self._way)

    def fits(self, row: Row) -> Callable[[int], bool] | None:
        """Return what says whether a token leaves room for the rest; None if any token may come."""
        way, left = self._way, row.limit - len(row.tokens)
        if way is None or len(way) > left:
            return None
        recognizer, state = row.matcher.place()
        ways = WaysOut(recognizer, self._vocabulary)

        def check(token: int) -> bool:
            if token in self._vocabulary.eos or token in way[:1]:
                return True
            after = recognizer.advance(state, token) if left else None
            rest = None if after is None else ways.count(after)
            fitting = rest is not None and rest < left
            self.interfered |= not fitting
            return fitting

        return check

    def took(self, token: int, matcher: Matcher) -> None:
        """Go on from behind the token that was taken."""
        if self._way and self._way[0] == token:
            self._way = self._way[1:]
        else:
            self._way = self._way_from(matcher)
