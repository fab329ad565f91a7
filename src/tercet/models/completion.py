"""What comes back from a model: a completion with its figures, snapshots on the way to it.

Values are read from the text only when asked for, so that a text can be looked at even where its
value can't be had. Nothing here runs a model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from tercet.constraint import Constraint
from tercet.errors import OutputTruncatedError
from tercet.samplers.network import Finish

T = TypeVar("T")


@dataclass(frozen=True)
class Stats:
    """How the work went. In a batch, `seconds` are those of the rows that ran together.

    `mask_seconds` is the time spent on the constraint: masks and moves of the matcher.
    `steps` counts the times that a token was chosen; the first includes reading the prompt.
    """

    prompt_tokens: int
    tokens: int
    steps: int
    seconds: float
    mask_seconds: float
    seed: int

    @property
    def tokens_per_second(self) -> float:
        """Tokens of this text per second of the whole run."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def mask_seconds_per_step(self) -> float:
        """The mean time that the constraint took for one token."""
        return self.mask_seconds / self.steps if self.steps else 0.0


@dataclass(frozen=True)
class Snapshot:
    """The text so far, and the piece of it that is new since the last snapshot.

    A piece ends at the end of a character: a token may stop in the middle of one.
    """

    text: str
    piece: str


@dataclass(frozen=True)
class Completion(Generic[T]):
    """One answer with all that is known about it.

    `logprob` sums the model's own log-probabilities of the tokens, before any mask and at
    temperature 1; the end of the text counts if a token said it. `finish` is "length" when
    `max_tokens` or the context ran out first.
    """

    constraint: Constraint[T] = field(repr=False)
    text: str
    tokens: list[int]
    logprob: float
    finish: Finish
    stats: Stats

    @cached_property
    def value(self) -> T:
        """The text as what the spec asked for.

        Raises:
            OutputTruncatedError: the text isn't whole; its `partial` is a `Snapshot`.
        """
        if self.finish == "length":
            raise OutputTruncatedError(
                f"the answer was not finished after {len(self.tokens)} tokens",
                partial=Snapshot(self.text, ""),
                excerpt=self.text[-80:],
                why="max_tokens or the model's context ran out first",
                hint="raise max_tokens, or bound the spec (maxLength, maxItems, shorter patterns)",
            )
        return self.constraint.grammar.read(self.text)
