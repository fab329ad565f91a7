"""One token out of those that are allowed: greedily or by chance, and always the same for a seed.

Every sampler that draws from the masked distribution chooses here, so that they all choose alike:
what is drawn for a seed depends on the row, the position and the scores, on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from secrets import randbits

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.samplers.network import Scores, Tokens
from tercet.samplers.noise import gumbel

_LEAST = -1e300  # instead of -inf, whose differences are not numbers


@dataclass(frozen=True)
class Rule:
    """How to choose: temperature, nucleus, seed."""

    temperature: float
    top_p: float
    seed: int

    def weights(self, scores: Scores) -> NDArray[np.float64]:
        """Return tempered log-weights of the allowed tokens, cut to the nucleus (-inf outside).

        Raises:
            TercetError: a score is not a number.
        """
        weights = np.maximum(scores.astype(np.float64), _LEAST)
        check_numbers(weights)
        if self.temperature and len(weights) > 1:
            with np.errstate(over="ignore"):  # a temperature next to 0
                weights = np.maximum((weights - weights.max()) / self.temperature, _LEAST)
            weights[~nucleus(weights, self.top_p)] = -np.inf
        return weights

    def probability(self, scores: Scores, index: int) -> float:
        """Return with what probability `choose` would return this index."""
        weights = self.weights(scores)
        if not self.temperature:
            return float(weights.argmax() == index)
        shares = np.exp(weights - weights.max())
        return float(shares[index] / shares.sum())

    def choose(
        self,
        scores: Scores,
        ids: Tokens,
        place: tuple[int, int],
        *,
        fits: Callable[[int], bool] | None = None,
    ) -> int:
        """Return one of `ids`, whose scores are given; `place` is the row and the position.

        With `fits`, only tokens for which it is true are chosen: the one that would have been
        chosen if the others had been masked. The nucleus isn't cut anew; where nothing in it
        fits, the likeliest token outside of it does.
        """
        keys = self.weights(scores)
        if self.temperature and len(ids) > 1:
            keys += gumbel(self.seed, *place, ids)
        best = int(ids[keys.argmax()])
        if fits is None or fits(best):
            return best
        for index in np.lexsort((-scores, -keys))[1:]:
            if fits(int(ids[index])):
                return int(ids[index])
        raise AssertionError("no allowed token fits: the budget was spent unseen")


def rule(temperature: float, top_p: float, seed: int | None) -> Rule:
    """Check the options of a sampler; without a seed, one is drawn.

    Raises:
        TercetError: a temperature below 0, or a `top_p` outside of (0, 1].
    """
    if not 0 <= temperature < float("inf"):
        raise TercetError(
            f"a temperature can't be {temperature}",
            hint="0 is greedy, 1 is the model's own distribution, more is wilder",
        )
    if not 0 < top_p <= 1:
        raise TercetError(
            f"top_p can't be {top_p}", hint="1 keeps every token, 0.9 the likely ones"
        )
    return Rule(temperature, top_p, randbits(64) if seed is None else seed)


def nucleus(scores: NDArray[np.float64], top_p: float) -> NDArray[np.bool_]:
    """Say which tokens are the likeliest that together reach `top_p`.

    >>> nucleus(np.log([0.5, 0.1, 0.4]), 0.8).tolist()
    [True, False, True]
    """
    if top_p >= 1:
        return np.ones(len(scores), np.bool_)
    weights = np.exp(scores - scores.max())
    order = np.argsort(-weights, kind="stable")
    before = np.cumsum(weights[order]) - weights[order]
    inside = np.zeros(len(scores), np.bool_)
    inside[order] = before < top_p * weights.sum()
    return inside


def check_numbers(scores: NDArray[np.float64]) -> None:
    """Refuse scores with a NaN among them: there is no best one."""
    if np.isnan(scores.max()):
        raise TercetError(
            "the model's scores are not numbers",
            why="a NaN came out of the model, often because float16 overflowed",
            hint='load the model with dtype="float32" or "bfloat16"',
        )
