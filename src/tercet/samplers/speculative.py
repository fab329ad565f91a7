"""Drafts that are checked: several tokens a step, and the same text as one by one.

What comes next is guessed ahead, cheaply; the model reads all of the guess in one step, which
takes little longer than reading one token. Then the row is grown as ever: at each place the token
is chosen from the masked scores with the noise of that place, and as long as it is the one that was
guessed, the scores behind it are there already. A wrong guess costs nothing but its share of the
step. So a draft decides how fast an answer comes and never what it says ("sample and match";
sampling.md 3.2 has the proof).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Literal, get_args

from tercet.errors import TercetError
from tercet.samplers.assembling import Assembler, Draft
from tercet.samplers.choosing import Rule, rule
from tercet.samplers.drafts import Drafter, standard
from tercet.samplers.drafts.forced import KIND as FORCED
from tercet.samplers.growing import room, take
from tercet.samplers.masked import Masked
from tercet.samplers.network import DraftNetwork, DraftSession, Network, Place, Row, Scores
from tercet.samplers.pace import Pace
from tercet.samplers.places import Places
from tercet.vocabulary.vocabulary import Vocabulary

Mode = Literal["exact", "insert"]


def speculative(
    *,
    drafts: Sequence[Drafter] | None = None,
    budget: int | Literal["auto"] = "auto",
    mode: Mode = "exact",
    temperature: float = 0.0,
    top_p: float = 1.0,
    seed: int | None = None,
) -> Speculative:
    """Guess ahead and check: what `masked` writes for the same options, in fewer steps.

    `drafts` are the sources of guesses (`samplers.drafts`); without them, all that need nothing
    special. `budget` is how many tokens are guessed at once; "auto" learns what pays. With
    `mode="insert"` forced tokens are taken without asking the model how it would split them: a
    little faster, and not quite the same distribution; `completion.stats.distortion` says by how
    much. Models that can't take back tokens are decoded as by `masked`.

    Raises:
        TercetError: an option that makes no sense.

    >>> speculative(drafts=[], budget=4, seed=1).rule.seed
    1
    """
    if mode not in get_args(Mode):
        raise TercetError(f"there is no mode {mode!r}", hint='use "exact" or "insert"')
    if budget != "auto" and not 0 <= budget < float("inf"):
        raise TercetError(
            f"a budget of drafts can't be {budget!r}", hint='"auto", or a number of tokens'
        )
    return Speculative(
        rule(temperature, top_p, seed),
        standard() if drafts is None else tuple(drafts),
        Pace(None if budget == "auto" else budget),
        mode,
    )


@dataclass(frozen=True)
class Speculative:
    """A sampler, made by `samplers.speculative`; what it has learnt serves its next texts."""

    rule: Rule
    drafters: tuple[Drafter, ...]
    pace: Pace = field(repr=False, default_factory=Pace)
    mode: Mode = "exact"

    def with_options(
        self, *, temperature: float = 0.0, top_p: float = 1.0, seed: int | None = None
    ) -> Speculative:
        """Return a sampler that chooses otherwise, and shares all that this one learns."""
        return replace(self, rule=rule(temperature, top_p, seed))

    def decode(
        self, network: Network, rows: Sequence[Row], *, together: int | None = None
    ) -> Iterator[None]:
        """Grow all rows until each has its `finish`; yields once per step. See `Sampler.decode`."""
        width = min(together or len(rows), len(rows))
        if not isinstance(network, DraftNetwork) or not network.takes_drafts(width):
            return Masked(self.rule).decode(network, rows, together=together)
        live = [_Live(row, self, network.vocabulary) for row in rows]
        return Places(_Checking(network, self.pace), live, together).steps()


class _Checking:
    """A draft for each row, and one step of the model for all of them."""

    def __init__(self, network: DraftNetwork, pace: Pace) -> None:
        self._network, self._pace = network, pace

    def begin(self, fresh: Sequence[_Live], width: int) -> DraftSession:
        for one in fresh:
            one.guess(width)
        drafts = [one.draft.tokens for one in fresh]
        session = self._network.open([one.row.prompt for one in fresh], drafts)
        self._check(session, fresh)
        return session

    def go_on(self, session: DraftSession, live: Sequence[_Live]) -> None:
        blocks = []
        for one in live:
            one.guess(len(live))
            blocks.append([one.row.tokens[-1], *one.draft.tokens])
        started = perf_counter()
        session.extend(blocks)
        self._pace.took(max(map(len, blocks)) - 1, perf_counter() - started)
        self._check(session, live)

    def end_step(self, session: DraftSession, live: Sequence[_Live]) -> None:
        session.retract([len(one.draft.tokens) - one.kept for one in live])

    def _check(self, session: DraftSession, live: Sequence[_Live]) -> None:
        """Choose at every place whose scores are there, until a row leaves its draft."""
        places = [
            Place(number, place, ids)
            for number, one in enumerate(live)
            for place, ids in enumerate(one.draft.allowed)
            if len(ids) > 1
        ]
        found = iter(session.scores_at(places))
        for one in live:
            one.row.forwards += 1
            one.check([next(found) if len(ids) > 1 else None for ids in one.draft.allowed])


class _Live:
    """A row with its draft."""

    def __init__(self, row: Row, sampler: Speculative, vocabulary: Vocabulary) -> None:
        self.row, self._sampler, self._vocabulary = row, sampler, vocabulary
        self._assembler = Assembler(row, vocabulary, sampler.rule, drafters=sampler.drafters)
        self.draft = Draft()
        self.kept = 0  # tokens of the draft that are text now
        self._last = row.prompt[-1]
        self._share = 1.0  # of a forced span so far: how probable its split is

    def guess(self, rows: int) -> None:
        self.draft = self._assembler.draft(self._sampler.pace, rows)

    def check(self, scores: Sequence[Scores | None]) -> None:
        """Grow the row along its draft and by one token more."""
        row, draft, before = self.row, self.draft, len(self.row.tokens)
        self.kept = 0
        for place, found in enumerate(scores):
            guessed = draft.tokens[place] if place < len(draft.tokens) else None
            token = self._choose(place, found)
            if guessed is not None:
                if draft.kinds[place] == FORCED:
                    token = self._forced(place, found, token)
                self._count(place, came_true=token == guessed)
            self._last = token
            take(row, token, self._vocabulary)
            if row.finish is not None or token != guessed:
                break
            self.kept += 1
        self._assembler.wrote(row.tokens[before:])

    def _choose(self, index: int, scores: Scores | None) -> int:
        row, ids = self.row, self.draft.allowed[index]
        if scores is None:
            return int(ids[0])
        for guesser in self._assembler.guessers:
            guesser.saw(self._last, ids, scores)
        place = row.number, len(row.tokens)
        return self._sampler.rule.choose(scores, ids, place, fits=room(row))

    def _forced(self, place: int, scores: Scores | None, token: int) -> int:
        """Insert the token if that is the mode, and measure what insertion does to a span.

        How often a span isn't accepted as a whole estimates its distortion without bias; where it
        is inserted, the probability of its split is known.
        """
        guessed, ids = self.draft.tokens[place], self.draft.allowed[place]
        fits = room(self.row)
        inserts = self._sampler.mode == "insert" and (fits is None or fits(guessed))
        if scores is not None:
            index = int(ids.searchsorted(guessed))
            self._share *= (
                self._sampler.rule.probability(scores, index) if inserts else token == guessed
            )
        token = guessed if inserts else token
        if token != guessed or FORCED not in self.draft.kinds[place + 1 : place + 2]:
            self.row.spans.append(1 - self._share)
            self._share = 1.0
        return token

    def _count(self, place: int, *, came_true: bool) -> None:
        row, source = self.row, self.draft.sources[place]
        row.drafted[source] = row.drafted.get(source, 0) + 1
        row.accepted[source] = row.accepted.get(source, 0) + came_true
        self._sampler.pace.count(self.draft.kinds[place], came_true=came_true)
