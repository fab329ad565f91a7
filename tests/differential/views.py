"""Ways of following a text with an engine, and what must hold at every step.

`Recognizer` is the protocol of `tercet.engines`; tokens are drawn at random from a seed, so that a
text is cut in ways that no tokenizer would choose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tercet.vocabulary.vocabulary import Vocabulary


def follow(recognizer: Any, data: bytes) -> Any:
    """The state after these bytes, or None."""
    state = recognizer.start()
    for byte in data:
        state = recognizer.step(state, byte)
        if state is None:
            return None
    return state


def accepts(recognizer: Any, data: bytes) -> bool:
    """Whether the engine takes exactly this text, byte by byte."""
    state = follow(recognizer, data)
    return state is not None and recognizer.is_accepting(state)


def row_of(recognizer: Any, vocabulary: Vocabulary, state: Any) -> np.ndarray:
    """The packed mask, written over rubbish so that stale bits would show."""
    row = np.full((vocabulary.size + 31) // 32, 0x5A5A5A5A, np.int32)
    recognizer.fill(state, row)
    return row


def mask_of(recognizer: Any, vocabulary: Vocabulary, state: Any) -> set[int]:
    """The allowed tokens; bits beyond the vocabulary must be clear."""
    bits = np.unpackbits(row_of(recognizer, vocabulary, state).view(np.uint8), bitorder="little")
    allowed = {int(token) for token in np.flatnonzero(bits)}
    assert all(token < vocabulary.size for token in allowed), "a bit beyond the vocabulary"
    return allowed


def brute_force(recognizer: Any, vocabulary: Vocabulary, state: Any) -> set[int]:
    """The mask by its definition: the tokens that can be taken, and EOS iff complete."""
    takes = {t for t in range(vocabulary.size) if recognizer.advance(state, t) is not None}
    return takes | (set(vocabulary.eos) if recognizer.is_accepting(state) else set())


def described(vocabulary: Vocabulary, tokens: set[int]) -> list[str]:
    """Tokens as text, for messages: at most twenty."""
    named = [
        f"{t}:{'EOS' if t in vocabulary.eos else vocabulary.tokens[t]!r}" for t in sorted(tokens)
    ]
    return named[:20]


def assert_same_mask(
    vocabulary: Vocabulary, wanted: set[int], found: set[int], after: bytes | str
) -> None:
    """Compare masks, and say which tokens are missing or too many."""
    missing, extra = described(vocabulary, wanted - found), described(vocabulary, found - wanted)
    assert wanted == found, f"after {after!r}: missing {missing}, too many {extra}"


@dataclass(frozen=True)
class Chunker:
    """Cuts texts into tokens of a vocabulary, any that fit."""

    ids: dict[bytes, list[int]]
    longest: int

    @staticmethod
    def of(vocabulary: Vocabulary) -> Chunker:
        ids: dict[bytes, list[int]] = {}
        for token, data in enumerate(vocabulary.tokens):
            if data:
                ids.setdefault(data, []).append(token)
        return Chunker(ids, vocabulary.max_token_bytes)

    def cut(self, data: bytes, rng: random.Random) -> list[int] | None:
        """A random way of writing `data`, or None where the vocabulary gets stuck."""
        tokens: list[int] = []
        at = 0
        while at < len(data):
            ends = range(at + 1, min(len(data), at + self.longest) + 1)
            fitting = [end for end in ends if data[at:end] in self.ids]
            if not fitting:
                return None
            end = rng.choice(fitting)
            tokens.append(rng.choice(self.ids[data[at:end]]))
            at = end
        return tokens


def spellable(vocabulary: Vocabulary, data: bytes) -> bool:
    """Whether the text belongs to the language that this vocabulary can write."""
    return vocabulary.unspellable.isdisjoint(data)


def states_along(recognizer: Any, tokens: Sequence[int]) -> Iterator[Any]:
    """The states before each token and after the last; stops where a token is refused."""
    state = recognizer.start()
    yield state
    for token in tokens:
        state = recognizer.advance(state, token)
        if state is None:
            return
        yield state


def forced_bytes(recognizer: Any, state: Any) -> bytes:
    """What must come next: bytes without a choice, up to where the text may end."""
    found = b""
    while not recognizer.is_accepting(state):
        live = recognizer.live_bytes(state)
        if len(live) != 1:
            break
        found += bytes(live)
        state = recognizer.step(state, live[0])
    return found
