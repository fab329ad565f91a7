"""What comes back from a model: a completion with its figures, snapshots on the way to it.

Values are read from the text only when asked for, so that a text can be looked at even where its
value can't be had; and so are log-probabilities, which cost a run of the model over the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from tercet.constraint import Constraint
from tercet.errors import OutputTruncatedError
from tercet.inspect.wanted import Wanted
from tercet.samplers.network import Finish
from tercet.samplers.scored import Scored

T = TypeVar("T")


@dataclass(frozen=True)
class Stats:
    """How the work went. In a batch, `seconds` are those of the whole call.

    `mask_seconds` is the time spent on the constraint: masks and moves of the matcher. `steps`
    counts the times that a token was chosen, `forwards` those that the model was run; the first
    includes reading the prompt. `accepted` and `drafted` count, by who proposed them, the tokens
    that were guessed ahead and came true, and all that were checked. `distortion` is how far
    inserting forced spans without asking the model would be, or was, from letting it choose: the
    mean over spans of the total variation; None where no span was forced.
    """

    prompt_tokens: int
    tokens: int
    steps: int
    seconds: float
    mask_seconds: float
    seed: int
    forwards: int = 0
    accepted: Mapping[str, int] = field(default_factory=dict)
    drafted: Mapping[str, int] = field(default_factory=dict)
    distortion: float | None = None

    @property
    def tokens_per_second(self) -> float:
        """Tokens of this text per second of the whole run."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def tokens_per_forward(self) -> float:
        """The mean number of tokens that a run of the model gave."""
        return self.steps / self.forwards if self.forwards else 0.0

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

    `finish` is "stop" when the model came to its end, "closed" when the text had to be finished
    because `max_tokens` or the context was running out, and "length" when they ran out before it
    was whole; "cancelled" when it was stopped.
    """

    constraint: Constraint[T] = field(repr=False)
    text: str
    tokens: list[int]
    finish: Finish
    stats: Stats
    score: Callable[[], list[Scored]] = field(repr=False, compare=False)

    @cached_property
    def value(self) -> T:
        """The text as what the spec asked for.

        Raises:
            OutputTruncatedError: the text isn't whole; its `partial` is a `Snapshot`.
        """
        if self.finish == "cancelled":
            raise OutputTruncatedError(
                f"the answer was cancelled after {len(self.tokens)} tokens",
                partial=Snapshot(self.text, ""),
                excerpt=self.text[-80:],
            )
        if self.finish == "length":
            raise OutputTruncatedError(
                f"the answer was not finished after {len(self.tokens)} tokens",
                partial=Snapshot(self.text, ""),
                excerpt=self.text[-80:],
                why="max_tokens or the model's context ran out first",
                hint="raise max_tokens, or bound the spec (maxLength, maxItems, shorter patterns)",
            )
        return self.constraint.grammar.read(self.text)

    @cached_property
    def scores(self) -> list[Scored]:
        """What the model thought of each token: log-probability, alternatives, feasible mass.

        The end of the text is among them if a token said it. The first look runs the model over
        the answer once more.
        """
        return self.score()

    @property
    def logprobs(self) -> list[float]:
        """The model's own log-probabilities of the tokens, before any mask, at temperature 1."""
        return [step.logprob for step in self.scores]

    @property
    def logprob(self) -> float:
        """The sum of `logprobs`."""
        return sum(self.logprobs)

    def explain(self) -> Wanted:
        """Return what the model wanted at each token: print it, or see its `to_html`."""
        return Wanted(self.constraint.vocabulary, self.scores)

    @property
    def feasible_mass(self) -> list[float]:
        """How probable the model found what the grammar allowed, step by step.

        Where it is small, the grammar fights the model: say in the prompt what you expect.
        """
        return [step.mass for step in self.scores]
