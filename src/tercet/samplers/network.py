"""What a sampler needs of a language model: text to tokens, and next-token scores for some rows.

Small protocols, separate from the models that implement them, so that samplers know neither torch
nor a model family. Scores are numpy arrays of floats on the host. A plain `Session` takes one token
a step; a `DraftSession` takes several and can forget them again, which checking drafts needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tercet.matcher import Matcher
from tercet.samplers.closing import Closing
from tercet.samplers.scored import Scored
from tercet.vocabulary.vocabulary import Vocabulary

Finish = Literal["stop", "closed", "length", "cancelled"]
Scores = NDArray[np.floating[Any]]
Tokens = NDArray[np.intp]


class Place(NamedTuple):
    """Behind which token of a row's last block scores are wanted, and for which ids."""

    row: int
    token: int
    ids: Tokens


class Session(Protocol):
    """Some texts that grow by one token each per step, with what the model remembers of them."""

    def scores(self) -> Scores:
        """Return the scores of the next token, `[rows, width]`; they may be written to."""
        ...

    def feed(self, tokens: Sequence[int]) -> None:
        """Append one token to each row and run the model once."""
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows only, in this order; one may come several times."""
        ...


@runtime_checkable
class JoiningSession(Session, Protocol):
    """A session that other rows can join, so that a batch stays full while its texts end."""

    @property
    def joins(self) -> bool:
        """Whether this model's memory allows it."""
        ...

    def join(self, other: Any) -> None:
        """Append the rows of another session of the same kind, which isn't used any more.

        Both have forgotten what is to be forgotten, and take tokens next.
        """
        ...


@runtime_checkable
class DraftSession(Session, Protocol):
    """A session that takes several tokens in one step, and can forget the last ones.

    A row's *block* is what it took last: the tokens of `extend`, or after opening the last token
    of the prompt and the draft behind it.
    """

    def extend(self, blocks: Sequence[Sequence[int]]) -> None:
        """Append some tokens to each row, at least one, and run the model once."""
        ...

    def scores_at(self, places: Sequence[Place]) -> list[Scores]:
        """Return the scores of `ids` behind the tokens of the last blocks."""
        ...

    def retract(self, counts: Sequence[int]) -> None:
        """Forget the last tokens of each row; called after every `extend` and `open`."""
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


@runtime_checkable
class DraftNetwork(Network, Protocol):
    """A language model whose sessions can check drafts."""

    def takes_drafts(self, rows: int) -> bool:
        """Whether so many rows together can take back tokens; what is in a cache decides."""
        ...

    def open(
        self, prompts: Sequence[Sequence[int]], drafts: Sequence[Sequence[int]] = ()
    ) -> DraftSession:
        """Run the model over the prompts, each with a draft of its answer behind it."""
        ...


@dataclass
class Row:
    """One sequence while it is being generated; a sampler writes everything but the first five.

    `limit` bounds the tokens of the text; the end-of-sequence token is never one of them. With
    `closing`, tokens are refused that leave no room to finish within it.
    `number` is its place among all prompts of a call, so that each draws by its own chance.
    `end` is the end-of-sequence token, if one was chosen. `accepted` counts, by who proposed them,
    the drafted tokens that became text, `drafted` all of them. `spans` holds one number for each
    forced span that was drafted: how far inserting it would be (or was) from letting the model
    choose. `scored` has what the model thought of each token, if that is recorded.
    """

    prompt: list[int]
    matcher: Matcher
    limit: int
    number: int = 0
    closing: Closing | None = None
    tokens: list[int] = field(default_factory=list)
    finish: Finish | None = None
    end: int | None = None
    steps: int = 0
    forwards: int = 0
    mask_seconds: float = 0.0
    accepted: dict[str, int] = field(default_factory=dict)
    drafted: dict[str, int] = field(default_factory=dict)
    spans: list[float] = field(default_factory=list)
    scored: list[Scored] | None = None
    bits: NDArray[np.int32] | None = field(default=None, repr=False)
