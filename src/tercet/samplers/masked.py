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
from tercet.samplers.network import Network, Row
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

    def decode(self, network: Network, rows: Sequence[Row]) -> Iterator[None]:
        """Grow all rows until each has its `finish`; yields once per token step.

        Rows that are done leave the batch. No step is run for a text that nothing can follow.
        """
        vocabulary = network.vocabulary
        session = network.open([row.prompt for row in rows])
        live = list(rows)
        while live:
            scores = session.scores()
            check_width(scores.shape[1], vocabulary)
            for row, found in zip(live, scores, strict=True):
                row.forwards += 1
                ids = allowed_tokens(row, vocabulary.size)
                place = row.number, len(row.tokens)
                token = self.rule.choose(found[ids], ids, place, fits=room(row))
                if row.scored is not None:
                    row.scored.append(scored(found, ids, token))
                take(row, token, vocabulary)
            yield
            going = [index for index, row in enumerate(live) if row.finish is None]
            if going and len(going) < len(live):
                session.keep(going)
            live = [live[index] for index in going]
            if live:
                session.feed([row.tokens[-1] for row in live])
