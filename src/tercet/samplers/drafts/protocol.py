"""What a source of drafts is: a `Drafter` for all rows, a `Guesser` for each of them.

A drafter may learn from row to row; a guesser knows one text. Neither ever sees the random numbers
of positions that aren't written yet, so what they guess can't bend what is drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from tercet.matcher import Matcher
from tercet.samplers.choosing import Rule
from tercet.samplers.network import Row, Scores, Tokens
from tercet.vocabulary.vocabulary import Vocabulary


class Guess(NamedTuple):
    """Tokens that may come next, at least one.

    `kind` names the sort of guess: success is counted for each. `chance` is how often one of its
    tokens comes true, as long as nothing has been counted.
    """

    tokens: list[int]
    kind: str
    chance: float


@dataclass
class Tip:
    """Where a guess is wanted: behind all that is written and what is drafted already.

    `matcher` stands there; it may be asked but not moved. `text` is prompt and answer, `draft`
    what comes behind it; `text` grows with the row and is only to be read.
    """

    matcher: Matcher
    text: list[int]
    draft: list[int]

    @property
    def last(self) -> int:
        """The token before the tip."""
        return self.draft[-1] if self.draft else self.text[-1]


class Guesser(ABC):
    """Guesses for one row."""

    @abstractmethod
    def guess(self, tip: Tip) -> Guess | None:
        """Return what may come next, or None where there is nothing to say."""

    def wrote(self, tokens: list[int]) -> None:  # noqa: B027 (most have nothing to do)
        """Learn the tokens that have become text."""

    def saw(self, last: int, ids: Tokens, scores: Scores) -> None:  # noqa: B027
        """Learn what the model thought of the allowed tokens behind the token `last`."""


class Drafter(Protocol):
    """A source of drafts."""

    name: str

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row, of which only the prompt is there."""
        ...
