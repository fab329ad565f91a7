"""The plain way to sample: mask, then choose; one token per row and step.

Greedy at temperature 0, otherwise an exact draw from the masked distribution, cut to its `top_p`
nucleus. It runs over any `Network` and says after each step that it took one, so that callers can
stream. What it draws for a seed depends on row and position only: not on the batch a row is in.
It doesn't correct for what the mask takes away from the model; that is another sampler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tercet.samplers.choosing import Rule, rule
from tercet.samplers.growing import allowed_tokens, check_width, room, take
from tercet.samplers.network import Network, Row, Session
from tercet.samplers.places import Places
from tercet.samplers.scored import scored


def masked(*, temperature: float = 0.0, top_p: float = 1.0, seed: int | None = None) -> Masked:
    """Mask each step's scores, then choose: greedily, or by chance at a temperature above 0.

    The nucleus (`top_p`) is cut after the mask. The same seed gives the same answer; without one,
    a seed is drawn here, once, and can be read from the result.

    Raises:
        TercetError: a temperature below 0, or a `top_p` outside of (0, 1].

    >>> masked(temperature=0.7, seed=1)
    Masked(rule=Rule(temperature=0.7, top_p=1.0, seed=1))
    """
    return Masked(rule(temperature, top_p, seed))


@dataclass(frozen=True)
class Masked:
    """A sampler, made by `samplers.masked`; immutable, so it may be shared and used again."""

    rule: Rule

    def decode(
        self, network: Network, rows: Sequence[Row], *, together: int | None = None
    ) -> Iterator[None]:
        """Grow all rows until each has its `finish`; yields once per token step.

        No step is run for a text that nothing can follow. See `Sampler.decode`.
        """
        return Places(_Plain(self.rule, network), [_Live(row) for row in rows], together).steps()


@dataclass(frozen=True)
class _Live:
    row: Row


class _Plain:
    """One token a step."""

    def __init__(self, rule: Rule, network: Network) -> None:
        self._rule, self._network = rule, network

    def begin(self, fresh: Sequence[_Live], width: int) -> Session:
        session = self._network.open([one.row.prompt for one in fresh])
        self._choose(session, fresh)
        return session

    def go_on(self, session: Session, live: Sequence[_Live]) -> None:
        session.feed([one.row.tokens[-1] for one in live])
        self._choose(session, live)

    def end_step(self, session: Session, live: Sequence[_Live]) -> None:
        """Nothing was said that isn't kept."""

    def _choose(self, session: Session, live: Sequence[_Live]) -> None:
        vocabulary, scores = self._network.vocabulary, session.scores()
        check_width(scores.shape[1], vocabulary)
        for one, found in zip(live, scores, strict=True):
            row = one.row
            row.forwards += 1
            ids = allowed_tokens(row, vocabulary.size)
            place = row.number, len(row.tokens)
            token = self._rule.choose(found[ids], ids, place, fits=room(row))
            if row.scored is not None:
                row.scored.append(scored(found, ids, token))
            take(row, token, vocabulary)
