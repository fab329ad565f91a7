"""A language model in float64 whose scores are a function of the last tokens, and a tokenizer.

It takes drafts like a real one, and it can't be told apart from one that reads token by token:
what is drafted must not change what is written. It also says if it is used wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from tercet import Constraint, Grammar, compile
from tercet.samplers.network import Place
from tercet.vocabulary.vocabulary import Vocabulary

MERGES = [
    ('"', ","),
    ('"', ":"),
    ("n", "o"),
    ("r", "t"),
    ("no", "rt"),
    ("nort", "h"),
    ("a", "b"),
    ("ab", "ab"),
    ("k", "i"),
    ("n", "d"),
    ("ki", "nd"),
    ("e", "a"),
    ("north", "ea"),
    ("{", '"'),
    ('"', "}"),
    ("a", '"'),
]
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["north", "northeast", "south", "so"]},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[ab]{1,3}$"}},
        "kindness": {"type": "boolean"},
    },
    "required": ["kind", "tags"],
    "additionalProperties": False,
}


@cache
def vocabulary() -> Vocabulary:
    """Bytes, some merges, and an end."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    pieces = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    pieces += [left + right for left, right in MERGES]
    bpe = tokenizers.models.BPE(
        vocab={piece: number for number, piece in enumerate(pieces)}, merges=MERGES
    )
    backend = tokenizers.Tokenizer(bpe)
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(
        add_prefix_space=False, use_regex=False
    )
    backend.decoder = tokenizers.decoders.ByteLevel()
    backend.add_special_tokens(["</s>"])
    return Vocabulary.from_transformers(
        transformers.PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="</s>")
    )


@cache
def constraint(whitespace: str = "compact") -> Constraint[Any]:
    """An object with a closed set, a list and a word that may be left out."""
    return compile(Grammar.json(SCHEMA, whitespace=whitespace), vocabulary())


class Toy:
    """Scores by the last two tokens; `spread` says how sure it is."""

    def __init__(self, seed: int = 0, *, spread: float = 2.0, context_size: int = 10_000) -> None:
        self.vocabulary, self.context_size = vocabulary(), context_size
        self.forwards = 0
        rng = np.random.default_rng(seed)
        width = self.vocabulary.size
        self._after = rng.normal(0, spread, (width, width))
        self._twice = rng.normal(0, spread / 2, (width, width))

    def encode(self, prompt: Any) -> list[int]:
        tokens = self.vocabulary.encode(prompt)
        assert tokens
        return tokens

    def takes_drafts(self, rows: int) -> bool:
        return True

    def scores_after(self, text: Sequence[int]) -> np.ndarray:
        return self._after[text[-1]] + self._twice[text[-2] if len(text) > 1 else 0]

    def open(
        self, prompts: Sequence[Sequence[int]], drafts: Sequence[Sequence[int]] = ()
    ) -> ToySession:
        return ToySession(self, prompts, drafts or [[] for _ in prompts])


class ToySession:
    def __init__(self, toy: Toy, prompts: Any, drafts: Any) -> None:
        self._toy = toy
        self.texts = [[*prompt, *draft] for prompt, draft in zip(prompts, drafts, strict=True)]
        self._blocks = [len(draft) + 1 for draft in drafts]
        self._retracted = True
        toy.forwards += 1

    def scores(self) -> np.ndarray:
        return np.stack([self._toy.scores_after(text) for text in self.texts])

    def feed(self, tokens: Sequence[int]) -> None:
        self.extend([[token] for token in tokens])

    def extend(self, blocks: Sequence[Sequence[int]]) -> None:
        assert len(blocks) == len(self.texts)
        assert all(blocks)
        for text, block in zip(self.texts, blocks, strict=True):
            assert all(0 <= token < self._toy.vocabulary.size for token in block)
            text += block
        self._blocks = [len(block) for block in blocks]
        self._toy.forwards += 1

    def scores_at(self, places: Sequence[Place]) -> list[np.ndarray]:
        found = []
        for place in places:
            assert place.token < self._blocks[place.row]
            end = len(self.texts[place.row]) - self._blocks[place.row] + place.token + 1
            found.append(self._toy.scores_after(self.texts[place.row][:end])[place.ids])
        return found

    def retract(self, counts: Sequence[int]) -> None:
        for text, count in zip(self.texts, counts, strict=True):
            assert count < len(text)
            del text[len(text) - count :]

    joins = True

    def join(self, other: ToySession) -> None:
        self.texts += other.texts
        self._blocks += other._blocks

    def keep(self, rows: Sequence[int]) -> None:
        self.texts = [list(self.texts[row]) for row in rows]
        self._blocks = [self._blocks[row] for row in rows]
