"""Drafts of a smaller model, held to the same grammar.

It chooses with the same random numbers as the model that checks it (Daliri, Musco & Suresh 2024):
then both say the same as often as their distributions overlap, and the answer is still the checking
model's alone, to the token.
"""

from __future__ import annotations

import numpy as np

from tercet.errors import TercetError
from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.network import DraftNetwork, DraftSession, Place, Row
from tercet.vocabulary.vocabulary import Vocabulary


class DraftModel:
    """Drafts `length` tokens at a time with another model of the same tokenizer.

    `model` is a network that takes drafts, or a `Model` over one.

    Raises:
        TercetError: `model` can't take back tokens; or, when used, has another tokenizer.
    """

    name = "model"

    def __init__(self, model: object, /, *, length: int = 4) -> None:
        network = getattr(model, "network", model)
        if not isinstance(network, DraftNetwork) or not network.takes_drafts(1):
            raise TercetError(
                f"a {type(model).__name__} can't draft",
                why="it can't take back tokens that turn out wrong",
                hint="use a transformers model: DraftModel(tercet.load(...))",
            )
        self._network, self._length = network, length

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row; the draft model reads its prompt when it is first asked."""
        if self._network.vocabulary.fingerprint != vocabulary.fingerprint:
            raise TercetError(
                "the draft model has another tokenizer",
                why="its tokens aren't those of the model that checks them",
                hint="draft with a smaller model of the same family",
            )
        return _DraftModel(self._network, self._length, rule, row)


class _DraftModel(Guesser):
    def __init__(self, network: DraftNetwork, length: int, rule: Rule, row: Row) -> None:
        self._network, self._length, self._rule = network, length, rule
        self._number, self._prompt = row.number, len(row.prompt)
        self._session: DraftSession | None = None
        self._last_place = 0
        self._fed: list[int] = []

    def guess(self, tip: Tip) -> Guess | None:
        text = tip.text + tip.draft
        if len(text) + self._length > self._network.context_size:
            return None
        self._catch_up(text)
        matcher, tokens = tip.matcher.fork(), list[int]()
        for _ in range(self._length):
            if matcher.is_finished:
                break
            token = self._choose(matcher.mask(), len(text) - self._prompt + len(tokens))
            if token in self._network.vocabulary.eos:
                break
            tokens.append(token)
            matcher.advance(token)
            if len(tokens) < self._length:
                self._feed([token])
        return Guess(tokens, "model", 0.7) if tokens else None

    def _choose(self, mask: np.ndarray[tuple[int], np.dtype[np.bool_]], position: int) -> int:
        assert self._session is not None
        ids = np.flatnonzero(mask)
        last = self._last_place
        (scores,) = self._session.scores_at([Place(0, last, ids)])
        return self._rule.choose(scores, ids, (self._number, position))

    def _catch_up(self, text: list[int]) -> None:
        """Bring the session to this text."""
        if self._session is None:
            self._session = self._network.open([text], [[]])
            self._fed, self._last_place = list(text), 0
            return
        same = 0
        for ours, theirs in zip(self._fed, text, strict=False):
            if ours != theirs:
                break
            same += 1
        same = min(same, len(text) - 1)  # the last token is fed again, for its scores
        self._session.retract([len(self._fed) - same])
        del self._fed[same:]
        self._feed(text[same:])

    def _feed(self, tokens: list[int]) -> None:
        assert self._session is not None
        self._session.extend([tokens])
        self._session.retract([0])
        self._fed += tokens
        self._last_place = len(tokens) - 1
