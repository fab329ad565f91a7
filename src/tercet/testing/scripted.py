"""A model that wants to write what it is told, for tests and examples without weights.

Everything but the network is real: vocabulary, constraint, sampler, `Model`. The network prefers
the next byte of its script, and the constraint decides what becomes of that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from tercet.errors import TercetError
from tercet.models.model import Model
from tercet.samplers.network import Scores
from tercet.testing.vocabularies import byte_vocabulary

_WANTED, _END, _LATER = 100.0, 50.0, 20.0
# What it falls back to, best first: it closes what is open, and never begins a blank.
_CLOSING = b'"}]),:0123456789'
_BLANK = b" \t\r\n"


def scripted(*answers: str) -> Model:
    """Make a model that would like to answer with these texts, one after another, then again.

    Where the constraint forbids the next letter, the model ends if it may, else goes on at the
    next word or number of its text that is allowed, else takes the shortest way out.

    Raises:
        TercetError: there are no answers.

    >>> from typing import Literal
    >>> model = scripted("It is rather good.", '{"name": "Ada"}')
    >>> model("How is it?", Literal["good", "bad"])
    'good'
    >>> model("Who?", dict[str, str])
    {'name': 'Ada'}
    """
    if not answers:
        raise TercetError("a scripted model needs an answer", hint='scripted("yes")')
    return Model(ScriptedNetwork(answers))


class ScriptedNetwork:
    """Deals its answers out, one to each prompt."""

    def __init__(self, answers: Sequence[str]) -> None:
        self.vocabulary = byte_vocabulary()
        self.context_size = 1 << 20
        self._answers = [answer.encode() for answer in answers]
        self._dealt = count()

    def encode(self, prompt: Any) -> list[int]:
        """Return the bytes of the prompt; messages are written as JSON."""
        return list((prompt if isinstance(prompt, str) else json.dumps(prompt)).encode())

    def open(self, prompts: Sequence[Sequence[int]]) -> ScriptedSession:
        """Deal the next answers to the prompts."""
        answers = self._answers
        return ScriptedSession([answers[next(self._dealt) % len(answers)] for _ in prompts])


class ScriptedSession:
    """Follows how far each row is in its script."""

    def __init__(self, scripts: list[bytes]) -> None:
        self._scripts = scripts
        self._places = [0] * len(scripts)

    def scores(self) -> Scores:
        """Return the scores of each row's next byte."""
        rows = zip(self._scripts, self._places, strict=True)
        return np.stack([_preferences(script, place) for script, place in rows])

    def feed(self, tokens: Sequence[int]) -> None:
        """Move on in the script if the byte is the next one or begins a later word."""
        for row, token in enumerate(tokens):
            found = _later(self._scripts[row], self._places[row]).get(token)
            if found is not None:
                self._places[row] = found + 1

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows only."""
        self._scripts = [self._scripts[row] for row in rows]
        self._places = [self._places[row] for row in rows]

    @property
    def joins(self) -> bool:
        """Rows know nothing of each other."""
        return True

    def join(self, other: ScriptedSession) -> None:
        """Take in the rows of another session."""
        self._scripts += other._scripts
        self._places += other._places


def _preferences(script: bytes, place: int) -> Scores:
    scores = np.zeros(byte_vocabulary().size, np.float32)
    scores[list(_BLANK)] = -1
    scores[list(_CLOSING)] = np.linspace(9, 1, len(_CLOSING))
    for byte, later in _later(script, place).items():
        scores[byte] = _WANTED if later == place else _LATER - (later - place) / len(script)
    scores[list(byte_vocabulary().eos)] = _END if place < len(script) else _WANTED
    return scores


def _later(script: bytes, place: int) -> dict[int, int]:
    """Where each byte comes next in the script: right here, or where a word or number begins."""
    places: dict[int, int] = {}
    for later in range(place, len(script)):
        begins = not script[later - 1 : later].isalnum() and script[later : later + 1].isalnum()
        if later == place or begins:
            places.setdefault(script[later], later)
    return places
