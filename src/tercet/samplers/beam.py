"""Beam search: the likeliest texts are kept at each step, and the best whole one is the answer.

A text is as likely as the model finds its tokens and its end, all others of the vocabulary taken
into account: the mask forbids, it doesn't rescale. So of all texts that the beam has seen whole,
the answer is the most probable one under P(text | grammar) too. No length is preferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from heapq import merge

import numpy as np

from tercet.errors import TercetError
from tercet.samplers.choosing import Rule
from tercet.samplers.growing import allowed_tokens, check_width, room, whole
from tercet.samplers.network import Network, Row, Scores, Session, Tokens
from tercet.samplers.paths import Logprobs, logprobs_of
from tercet.samplers.scored import Scored, scored


def beam(width: int = 4) -> Beam:
    """Keep the `width` likeliest beginnings at each step; 1 is greedy, but for how texts end.

    The search stops when no beginning is left that could still beat the best whole text.

    Raises:
        TercetError: a width below 1.

    >>> beam(8)
    Beam(width=8)
    """
    if width < 1:
        raise TercetError(f"a beam can't be {width} wide", hint="2 to 8 are usual")
    return Beam(width)


@dataclass(frozen=True)
class Beam:
    """A sampler, made by `samplers.beam`; it draws nothing, so it has no options of chance."""

    width: int

    @property
    def rule(self) -> Rule:
        """Greedy: temperature 0."""
        return Rule(0.0, 1.0, 0)

    def decode(
        self, network: Network, rows: Sequence[Row], *, together: int | None = None
    ) -> Iterator[None]:
        """Answer one row after another; each fills a batch by itself. See `Sampler.decode`."""
        for row in rows:
            yield from _Search(network, row, self.width).steps()


@dataclass
class _Beginning:
    """A row of its own, and how likely its tokens are together."""

    row: Row
    logprob: float


class _Search:
    """The beam of one row, which is written to at the end only."""

    def __init__(self, network: Network, row: Row, width: int) -> None:
        self._network, self._row, self._width = network, row, width
        self._best: _Beginning | None = None
        self._cut: _Beginning | None = None

    def steps(self) -> Iterator[None]:
        """Do the work; yields once per step of the model."""
        row = self._row
        first = replace(row, matcher=row.matcher.fork(), tokens=[], bits=None, mask_seconds=0.0)
        live = [_Beginning(first, 0.0)]
        session: Session = self._network.open([row.prompt])
        while True:
            row.forwards += 1
            row.steps += 1
            parents, live = self._step(live, session.scores())
            if not live:
                break
            yield
            session.keep(parents)
            session.feed([one.row.tokens[-1] for one in live])
        self._settle()
        yield

    def _step(self, live: list[_Beginning], scores: Scores) -> tuple[list[int], list[_Beginning]]:
        """Return what to go on with: whose children they are, and the children."""
        vocabulary = self._network.vocabulary
        check_width(scores.shape[1], vocabulary)
        found = logprobs_of(scores)
        ids = [allowed_tokens(one.row, vocabulary.size) for one in live]
        for number, one in enumerate(live):
            self._row.mask_seconds += one.row.mask_seconds
            self._end(one, ids[number], found[number])
        candidates = merge(
            *(
                _likeliest(number, one, ids[number], found[number])
                for number, one in enumerate(live)
            ),
            key=lambda entry: -entry[0],
        )
        fits = [room(one.row) for one in live]
        chosen: list[tuple[int, _Beginning]] = []
        for logprob, number, token in candidates:
            if len(chosen) == self._width or (self._best and logprob <= self._best.logprob):
                break
            check, parent = fits[number], live[number].row
            if token in vocabulary.eos or len(parent.tokens) == parent.limit:
                continue
            if check is None or check(token):
                child = self._child(parent, token, found[number], ids[number])
                chosen.append((number, _Beginning(child, logprob)))
        return [number for number, _ in chosen], [one for _, one in chosen]

    def _end(self, one: _Beginning, ids: Tokens, logprobs: Logprobs) -> None:
        """Note a text that may be whole, or that can't go on: ends of any kind count together."""
        ends = [token for token in ids.tolist() if token in self._network.vocabulary.eos]
        row = one.row
        if ends:
            total = one.logprob + float(np.logaddexp.reduce(logprobs[ends]))
            if self._best is None or total > self._best.logprob:
                end = max(ends, key=lambda token: float(logprobs[token]))
                noted = _noted(row, logprobs, ids, end)
                row = replace(row, finish=whole(row), end=end, scored=noted)
                self._best = _Beginning(row, total)
        elif len(row.tokens) == row.limit and (not self._cut or one.logprob > self._cut.logprob):
            self._cut = _Beginning(replace(row, finish="length"), one.logprob)

    def _child(self, parent: Row, token: int, logprobs: Logprobs, ids: Tokens) -> Row:
        row = replace(
            parent,
            matcher=parent.matcher.fork(),
            tokens=[*parent.tokens, token],
            closing=copy(parent.closing),
            scored=_noted(parent, logprobs, ids, token),
            bits=None,
            mask_seconds=0.0,
        )
        row.matcher.advance(token)
        if row.closing is not None:
            row.closing.took(token, row.matcher)
        return row

    def _settle(self) -> None:
        """Write the best text into the row: a whole one, else the likeliest that was cut off."""
        best = self._best or self._cut
        assert best is not None, "a beginning ends, or is cut off, or has a child"
        row, found = self._row, best.row
        row.matcher, row.tokens, row.scored = found.matcher, found.tokens, found.scored
        row.finish, row.end = found.finish, found.end


def _noted(row: Row, logprobs: Logprobs, ids: Tokens, token: int) -> list[Scored] | None:
    return None if row.scored is None else [*row.scored, scored(logprobs, ids, token)]


def _likeliest(
    number: int, one: _Beginning, ids: Tokens, logprobs: Logprobs
) -> Iterator[tuple[float, int, int]]:
    """The children of a beginning, the likeliest first."""
    totals = one.logprob + logprobs[ids]
    for index in np.argsort(-totals, kind="stable").tolist():
        yield float(totals[index]), number, int(ids[index])
