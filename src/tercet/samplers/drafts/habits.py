"""Drafts of what was written before at the same place of the same grammar.

Answers to one spec share their skeleton: keys, punctuation, blanks, the values that come often.
States of an engine are the same for all texts of a constraint, so counts by state are enough to
know it from the second answer on, in the model's own split and style.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from tercet.engines.select import Recognizer
from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.network import Row
from tercet.vocabulary.vocabulary import Vocabulary

_MOST_STATES = 1 << 16  # of one constraint; then counting begins anew
_MOST_TOKENS = 16  # of one state: where more come, none is likely

Counts = dict[Any, dict[int, int]]


class Habits:
    """Drafts the token that came most often at a state of the constraint.

    >>> Habits().name
    'habits'
    """

    name = "habits"

    def __init__(self) -> None:
        self._seen: WeakKeyDictionary[Recognizer, Counts] = WeakKeyDictionary()

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row."""
        recognizer, state = row.matcher.place()
        counts = self._seen.setdefault(recognizer, {})
        if len(counts) > _MOST_STATES:
            counts.clear()
        return _Habits(counts, recognizer, state)


class _Habits(Guesser):
    def __init__(self, counts: Counts, recognizer: Recognizer, state: Any) -> None:
        self._counts, self._recognizer, self._state = counts, recognizer, state

    def guess(self, tip: Tip) -> Guess | None:
        recognizer, state = tip.matcher.place()
        seen = self._counts.get(state) if recognizer is self._recognizer else None
        if not seen:
            return None
        token, count = max(seen.items(), key=lambda entry: entry[1])
        total = sum(seen.values())
        share = round(4 * count / total)
        return Guess([token], f"habits {share}/4 of {min(total, 4)}", count / (total + 1))

    def wrote(self, tokens: Iterable[int]) -> None:
        for token in tokens:
            seen = self._counts.setdefault(self._state, {})
            if token in seen or len(seen) < _MOST_TOKENS:
                seen[token] = seen.get(token, 0) + 1
            self._state = self._recognizer.advance(self._state, token)
