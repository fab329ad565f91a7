"""What the model thought of a finished answer, token by token: run over it once more.

Decoding doesn't need the scores of forbidden tokens, so it doesn't compute them; who asks for
log-probabilities gets them from one run over prompt and answer, in pieces. Networks that can't read
a text at once record while they write instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet.samplers.growing import allowed_tokens
from tercet.samplers.network import DraftNetwork, Place, Row, Scores
from tercet.samplers.scored import Scored, scored

_PIECE = 32  # tokens whose scores are held at a time


def trace(network: DraftNetwork, row: Row) -> list[Scored]:
    """Return the figures of each token of a finished row, its end included if a token said it."""
    tokens = [*row.tokens, *([] if row.end is None else [row.end])]
    session = network.open([row.prompt], [[]])
    every = np.arange(network.vocabulary.size)
    fresh = Row(row.prompt, row.matcher.fork(), row.limit)
    fresh.matcher.rollback(len(fresh.matcher.tokens))
    figures: list[Scored] = []
    for first in range(0, len(tokens), _PIECE):
        piece = tokens[first : first + _PIECE]
        # the first score of a piece stands behind what was read before it
        found = session.scores_at([Place(0, 0, every)])
        if len(piece) > 1:
            session.extend([piece[:-1]])
            session.retract([0])
            found += session.scores_at([Place(0, at, every) for at in range(len(piece) - 1)])
        _note(figures, fresh, piece, found)
        if first + _PIECE < len(tokens):
            session.extend([piece[-1:]])
            session.retract([0])
    return figures


def _note(figures: list[Scored], row: Row, tokens: Sequence[int], found: Sequence[Scores]) -> None:
    for token, scores in zip(tokens, found, strict=True):
        ids = allowed_tokens(row, len(scores))
        figures.append(scored(scores, ids, token))
        row.matcher.advance(token)
