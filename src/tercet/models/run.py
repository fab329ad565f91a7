"""One call to a model, from prompts to completions: rows, budget, clock.

Between `Model`, which has the public methods, and a sampler, which grows rows. It checks that
prompts fit the context, and it measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, Generic, TypeVar

from tercet.constraint import Constraint
from tercet.errors import TercetError
from tercet.models.completion import Completion, Stats
from tercet.models.trace import trace
from tercet.samplers.closing import Closing
from tercet.samplers.network import DraftNetwork, Network, Row
from tercet.samplers.sampler import Sampler
from tercet.samplers.scored import Scored

T = TypeVar("T")


class Run(Generic[T]):
    """Some prompts that are answered together; use once."""

    def __init__(
        self,
        network: Network,
        constraint: Constraint[T],
        sampler: Sampler,
        *,
        prompts: Sequence[Any],
        max_tokens: int,
        close: bool = True,
        first: int = 0,
    ) -> None:
        self._network = network
        self._constraint = constraint
        self._sampler = sampler
        self._close = close
        self._seconds = 0.0
        self.rows = [
            self._row(prompt, max_tokens, first + place) for place, prompt in enumerate(prompts)
        ]

    def _row(self, prompt: Any, max_tokens: int, number: int) -> Row:
        tokens = self._network.encode(prompt)
        room = self._network.context_size - len(tokens)
        if room <= 0:
            raise TercetError(
                f"the prompt has {len(tokens)} tokens, the model reads "
                f"{self._network.context_size}",
                at=f"prompt {number}",
                why="there is no room left for an answer",
                hint="shorten the prompt, or use a model with a longer context",
            )
        matcher = self._constraint.matcher()
        closing = Closing(matcher, self._network.vocabulary) if self._close else None
        row = Row(tokens, matcher, min(max_tokens, room), number, closing)
        if not isinstance(self._network, DraftNetwork):
            row.scored = []
        return row

    def steps(self) -> Iterator[int]:
        """Do the work; yields how many rows are done, after every token step."""
        started = perf_counter()
        for _ in self._sampler.decode(self._network, self.rows):
            self._seconds += perf_counter() - started
            yield sum(row.finish is not None for row in self.rows)
            started = perf_counter()

    def completions(self) -> list[Completion[T]]:
        """Return the answers, in the order of the prompts, once all steps are done."""
        return [self._completion(row) for row in self.rows]

    def _completion(self, row: Row) -> Completion[T]:
        assert row.finish is not None, "take all steps first"
        stats = Stats(
            prompt_tokens=len(row.prompt),
            tokens=len(row.tokens),
            steps=row.steps,
            seconds=self._seconds,
            mask_seconds=row.mask_seconds,
            seed=self._sampler.rule.seed,
            forwards=row.forwards,
            accepted=row.accepted,
            drafted=row.drafted,
            distortion=sum(row.spans) / len(row.spans) if row.spans else None,
        )
        return Completion(
            constraint=self._constraint,
            text=text_of(row),
            tokens=row.tokens,
            finish=row.finish,
            stats=stats,
            score=lambda: self._scores(row),
        )

    def _scores(self, row: Row) -> list[Scored]:
        if row.scored is None:
            assert isinstance(self._network, DraftNetwork), "others record while they write"
            row.scored = trace(self._network, row)
        return row.scored


def text_of(row: Row) -> str:
    """Return the whole characters of what a row has written so far."""
    return row.matcher.text.decode(errors="ignore")
