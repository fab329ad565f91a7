"""What a sampler needs of a language model: text to tokens, and next-token scores for some rows.

Two small protocols, separate from the models that implement them, so that samplers know neither
torch nor a model family. Scores are float32 numpy arrays on the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tercet.matcher import Matcher
from tercet.vocabulary.vocabulary import Vocabulary

Finish = Literal["stop", "length"]
Scores = NDArray[np.float32]


class Session(Protocol):
    """Some texts that grow by one token each per step, with what the model remembers of them."""

    def scores(self) -> Scores:
        """Return the scores of the next token, `[rows, width]`; they may be written to."""
        ...

    def feed(self, tokens: Sequence[int]) -> None:
        """Append one token to each row and run the model once."""
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows only, in this order."""
        ...


class Network(Protocol):
    """A language model that can be asked for scores."""

    vocabulary: Vocabulary
    context_size: int

    def encode(self, prompt: Any) -> list[int]:
        """Return the tokens of a prompt: a text, or a list of messages."""
        ...

    def open(self, prompts: Sequence[Sequence[int]]) -> Session:
        """Run the model over the prompts, and be ready for their first scores."""
        ...


@dataclass
class Row:
    """One sequence while it is being generated; a sampler writes everything but the first four.

    `limit` bounds the tokens of the text; the end-of-sequence token is never one of them.
    `number` is its place among all prompts of a call, so that each draws by its own chance.
    `logprob` sums over what the model itself thought of the chosen tokens, before any mask.
    """

    prompt: list[int]
    matcher: Matcher
    limit: int
    number: int = 0
    tokens: list[int] = field(default_factory=list)
    logprob: float = 0.0
    finish: Finish | None = None
    steps: int = 0
    mask_seconds: float = 0.0
    bits: NDArray[np.int32] | None = field(default=None, repr=False)
