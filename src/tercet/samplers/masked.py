"""The plain way to sample: mask, then choose; one token per row and step.

Greedy at temperature 0, otherwise an exact draw from the masked distribution, cut to its `top_p`
nucleus. It runs over any `Network` and says after each step that it took one, so that callers can
stream. What it draws for a seed depends on row and position only: not on the batch a row is in.
It doesn't correct for what the mask takes away from the model; that is another sampler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from secrets import randbits
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.kernels.bits import unpacked
from tercet.samplers.network import Network, Row, Scores
from tercet.samplers.noise import gumbel
from tercet.vocabulary.vocabulary import Vocabulary

_LEAST = -1e300  # instead of -inf, whose differences are not numbers


def masked(*, temperature: float = 0.0, top_p: float = 1.0, seed: int | None = None) -> Masked:
    """Mask each step's scores, then choose: greedily, or by chance at a temperature above 0.

    The nucleus (`top_p`) is cut after the mask. The same seed gives the same answer; without one,
    a seed is drawn here, once, and can be read from the result.

    Raises:
        TercetError: a temperature below 0, or a `top_p` outside of (0, 1].

    >>> masked(temperature=0.7, seed=1)
    Masked(temperature=0.7, top_p=1.0, seed=1)
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
    return Masked(temperature, top_p, randbits(64) if seed is None else seed)


@dataclass(frozen=True)
class Masked:
    """A sampler, made by `samplers.masked`; immutable, so it may be shared and used again."""

    temperature: float
    top_p: float
    seed: int

    def decode(self, network: Network, rows: Sequence[Row]) -> Iterator[None]:
        """Grow all rows until each has its `finish`; yields once per token step.

        Rows that are done leave the batch. No step is run for a text that nothing can follow.
        """
        session = network.open([row.prompt for row in rows])
        live = list(rows)
        while live:
            scores = session.scores()
            check_width(scores, network)
            for place, row in enumerate(live):
                self._step(row, scores[place], network.vocabulary)
            yield
            going = [place for place, row in enumerate(live) if row.finish is None]
            if going and len(going) < len(live):
                session.keep(going)
            live = [live[place] for place in going]
            if live:
                session.feed([row.tokens[-1] for row in live])

    def _step(self, row: Row, scores: Scores, vocabulary: Vocabulary) -> None:
        ids = allowed_tokens(row, vocabulary.size)
        token = self._best(row, scores, ids)
        row.steps += 1
        if token in vocabulary.eos:
            row.finish = "stop"
        elif len(row.tokens) == row.limit:
            row.finish = "length"  # the text could have ended here, but the model went on
            return
        row.logprob += log_probability(scores, token)
        if row.finish is None:
            _append(row, token)

    def _best(self, row: Row, scores: Scores, ids: NDArray[np.intp]) -> int:
        weights = np.maximum(scores[ids].astype(np.float64), _LEAST)
        check_numbers(weights)
        if self.temperature and len(ids) > 1:
            with np.errstate(over="ignore"):  # a temperature next to 0
                weights = np.maximum((weights - weights.max()) / self.temperature, _LEAST)
            weights[~nucleus(weights, self.top_p)] = -np.inf
            weights += gumbel(self.seed, row.number, len(row.tokens), len(scores))[ids]
        return int(ids[weights.argmax()])


def allowed_tokens(row: Row, size: int) -> NDArray[np.intp]:
    """Return the tokens that the row's matcher allows next, ascending."""
    if row.bits is None:  # once: a matcher is quicker with an array it knows
        row.bits = np.zeros((1, -(-size // 32)), np.int32)
    started = perf_counter()
    row.matcher.fill_bitmask(row.bits)
    row.mask_seconds += perf_counter() - started
    return np.flatnonzero(unpacked(row.bits, size))


def _append(row: Row, token: int) -> None:
    started = perf_counter()
    row.matcher.advance(token)
    row.mask_seconds += perf_counter() - started
    row.tokens.append(token)
    if row.matcher.is_finished:
        row.finish = "stop"
    elif len(row.tokens) == row.limit and not row.matcher.is_accepting:
        row.finish = "length"


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


def log_probability(scores: Scores, token: int) -> float:
    """Return the log-probability of `token` among all tokens."""
    peak = scores.max()
    return float(scores[token] - peak - np.log(np.exp(scores - peak).sum(dtype=np.float64)))


def check_width(scores: Scores, network: Network) -> None:
    """Refuse scores that don't reach all tokens; wider ones only have padding."""
    if scores.shape[1] < network.vocabulary.size:
        raise TercetError(
            f"the logits are narrower than the vocabulary: {scores.shape[1]} against "
            f"{network.vocabulary.size}",
            why="the model could never write the tokens beyond",
            hint="check that the tokenizer belongs to the model, or resize its embeddings",
        )


def check_numbers(scores: NDArray[np.float64]) -> None:
    """Refuse scores with a NaN among them: there is no best one."""
    if np.isnan(scores.max()):
        raise TercetError(
            "the model's scores are not numbers",
            why="a NaN came out of the model, often because float16 overflowed",
            hint='load the model with dtype="float32" or "bfloat16"',
        )
