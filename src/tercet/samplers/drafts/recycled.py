"""Drafts of what the model last thought likely after the same token.

The scores of every step are there anyway; their first few are remembered for each token (token
recycling, Luo et al. 2024), and the first that the grammar allows is drafted.
"""

from __future__ import annotations

import numpy as np

from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.network import Row, Scores, Tokens
from tercet.vocabulary.vocabulary import Vocabulary


class Recycled:
    """Remembers the `keep` likeliest successors of each token, from all texts.

    >>> Recycled(keep=4).name
    'recycled'
    """

    name = "recycled"

    def __init__(self, *, keep: int = 8) -> None:
        self._keep = keep
        self._after: dict[int, list[int]] = {}

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row."""
        return _Recycled(self._after, self._keep)


class _Recycled(Guesser):
    def __init__(self, after: dict[int, list[int]], keep: int) -> None:
        self._after, self._keep = after, keep

    def guess(self, tip: Tip) -> Guess | None:
        for rank, token in enumerate(self._after.get(tip.last, ())):
            if tip.matcher.accepts([token]):
                return Guess([token], f"recycled {min(rank, 3)}", 0.4 / (rank + 1))
        return None

    def saw(self, last: int, ids: Tokens, scores: Scores) -> None:
        if len(scores) > self._keep:
            best = np.argpartition(-scores, self._keep)[: self._keep]
            ids, scores = ids[best], scores[best]
        self._after[last] = ids[np.argsort(-scores, kind="stable")].tolist()
