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
from tercet.models.progress import progress_bar
from tercet.models.trace import trace
from tercet.samplers.closing import Closing
from tercet.samplers.network import DraftNetwork, Network, Row
from tercet.samplers.sampler import Sampler
from tercet.samplers.scored import Scored

T = TypeVar("T")


class Run(Generic[T]):
    """Some prompts that are answered, `together` of them at a time; use once."""

    def __init__(
        self,
        network: Network,
        constraint: Constraint[T],
        sampler: Sampler,
        *,
        prompts: Sequence[Any],
        max_tokens: int,
        close: bool = True,
        together: int | None = None,
    ) -> None:
        self._network = network
        self.constraint = constraint
        self._sampler = sampler
        self._close, self._together = close, together
        self._seconds = 0.0
        self._cancelled = False
        self.rows = [self._row(prompt, max_tokens, number) for number, prompt in enumerate(prompts)]

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
        matcher = self.constraint.matcher()
        closing = Closing(matcher, self._network.vocabulary) if self._close else None
        row = Row(tokens, matcher, min(max_tokens, room), number, closing)
        if not isinstance(self._network, DraftNetwork):
            row.scored = []
        return row

    def steps(self) -> Iterator[int]:
        """Do the work; yields how many rows are done, after every token step."""
        steps = self._sampler.decode(self._network, self.rows, together=self._together)
        started = perf_counter()
        for _ in () if self._cancelled else steps:
            self._seconds += perf_counter() - started
            yield sum(row.finish is not None for row in self.rows)
            if self._cancelled:
                break
            started = perf_counter()
        for row in self.rows:
            row.finish = row.finish or "cancelled"

    def values(self, progress: bool | None) -> list[T]:  # noqa: FBT001
        """Take all steps, and return the values; a bar is as in `progress_bar`."""
        with progress_bar("answers", len(self.rows), show=progress) as reached:
            for ready in self.steps():
                reached(ready)
        return [completion.value for completion in self.completions()]

    def cancel(self) -> None:
        """Stop after the step at hand; from any thread."""
        self._cancelled = True

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
            constraint=self.constraint,
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
