"""Log-probabilities along many continuations of one prompt, the prompt being read once.

A search jumps from continuation to continuation. What two of them have in common is kept: the
session goes back to where they part and reads on from there, all new tokens in one run. Searches
use this; what they look for isn't known here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.samplers.choosing import check_numbers
from tercet.samplers.growing import check_width
from tercet.samplers.network import DraftNetwork, DraftSession, Place, Scores

Logprobs = NDArray[np.float64]


def logprobs_of(scores: Scores) -> Logprobs:
    """Return the logarithms of the softmax over the last axis, in float64.

    >>> logprobs_of(np.log([0.5, 0.25, 0.25]) + 7).round(6).tolist()
    [-0.693147, -1.386294, -1.386294]
    """
    wide = scores.astype(np.float64)
    check_numbers(wide)
    peak = wide.max(-1, keepdims=True)
    found: Logprobs = wide - peak - np.log(np.exp(wide - peak).sum(-1, keepdims=True))
    return found


def network_of(model: object) -> DraftNetwork:
    """Return the network of a model, or the network that was given itself.

    Raises:
        TercetError: it can't be asked about any text, only led through one.
    """
    network = getattr(model, "network", model)
    if not isinstance(network, DraftNetwork):
        raise TercetError(
            f"a {type(network).__name__} can't be searched",
            why="it can't be asked again what follows an earlier text",
            hint="use a transformers model: tercet.load(...)",
        )
    return network


class Paths:
    """A prompt and its continuations; `calls` counts the runs of the model."""

    def __init__(self, network: DraftNetwork, prompt: Sequence[int]) -> None:
        self._network, self._prompt = network, list(prompt)
        self._rolls = network.takes_drafts(1)
        self._every = np.arange(network.vocabulary.size)
        self._session: DraftSession | None = None
        self._fed: list[int] = []
        self.calls = 0

    def after(self, path: Sequence[int], ahead: Sequence[int] = ()) -> list[Logprobs]:
        """Return log-probabilities behind `path`, and behind each token of `ahead` after it."""
        text = [*self._prompt, *path, *ahead]
        last = len(self._prompt) + len(path) - 1
        self.calls += 1
        if not self._rolls:
            return self._anew(text, last)
        first = self._move_to(text, last)
        assert self._session is not None
        places = [Place(0, at - first, self._every) for at in range(last, len(text))]
        return [logprobs_of(scores) for scores in self._session.scores_at(places)]

    def _move_to(self, text: list[int], last: int) -> int:
        """Bring the session to a text; the token at `last` and those behind it are read now.

        Returns the place in the text of the first token of the session's block.
        """
        same = 0
        for ours, theirs in zip(self._fed, text[:last], strict=False):
            if ours != theirs:
                break
            same += 1
        if self._session is None or not same:
            first = len(self._prompt) - 1  # a block is the prompt's last token and the draft
            self._session = self._network.open([self._prompt], [text[first + 1 :]])
        else:
            first = same
            self._session.retract([len(self._fed) - same])
            self._session.extend([text[same:]])
        self._session.retract([0])
        self._fed = text
        return first

    def _anew(self, text: list[int], last: int) -> list[Logprobs]:
        found = [self._network.open([text[: at + 1]]).scores()[0] for at in range(last, len(text))]
        self.calls += len(found) - 1
        for scores in found:
            check_width(len(scores), self._network.vocabulary)
        return [logprobs_of(scores[self._every]) for scores in found]
