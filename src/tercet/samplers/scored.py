"""What a model thought of a token that was chosen, and what it wanted instead.

Figures of one step, computed from the scores of all tokens: nothing about masks is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WANTED = 5


@dataclass(frozen=True)
class Scored:
    """One step.

    `logprob` is the model's own log-probability of the token, before any mask and at temperature
    1. `mass` is the probability of all allowed tokens together: where it is small, the
    grammar fights the model. `wanted` lists the likeliest tokens, allowed or not, each with its
    log-probability and whether it was allowed.
    """

    token: int
    logprob: float
    mass: float
    choices: int
    wanted: tuple[tuple[int, float, bool], ...]


def scored(scores: NDArray[np.floating[Any]], ids: NDArray[np.intp], token: int) -> Scored:
    """Return the figures of a step: the scores of all tokens, the allowed ids, the chosen one.

    >>> step = scored(np.log([0.5, 0.3, 0.2]), np.array([1, 2]), 1)
    >>> round(step.mass, 6), step.choices, step.wanted[0][0], step.wanted[0][2]
    (0.5, 2, 0, False)
    """
    peak = scores.max()
    total = float(peak + np.log(np.exp(scores - peak).sum(dtype=np.float64)))
    mass = float(np.exp(scores[ids].astype(np.float64) - total).sum())
    count = min(_WANTED, len(scores))
    best = np.argpartition(-scores, count - 1)[:count]
    best = best[np.argsort(-scores[best], kind="stable")]
    inside = np.isin(best, ids)
    wanted = tuple(
        (int(one), float(scores[one] - total), bool(ok))
        for one, ok in zip(best, inside, strict=True)
    )
    return Scored(token, float(scores[token] - total), min(mass, 1.0), len(ids), wanted)
