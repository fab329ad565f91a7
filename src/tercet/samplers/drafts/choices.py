"""Drafts across points where the grammar offers few bytes: keys, words, blanks or none.

The text is followed byte by byte as long as it is likely: the only byte, or the best of a few by
what this model has written after the same byte, in its prompts and answers. So punctuation comes
in the model's own style, and a word of a closed set is taken where it is as good as known. Then the
tokenizer splits the whole, as the model has learnt to write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tercet.engines.forced import canonical_split
from tercet.matcher import Matcher
from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.network import Row
from tercet.vocabulary.vocabulary import Vocabulary

_FEW = 16  # bytes at a branch; where more may come, the grammar says nothing
_LONGEST = 160  # bytes of one guess
_UNLIKELY = 0.3  # chance of a text that is not worth following


class Choices:
    """Drafts through branches of the grammar, in the style seen so far.

    >>> Choices().name
    'choices'
    """

    name = "choices"

    def __init__(self) -> None:
        self._style: dict[int, Counter[int]] = {}

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row: see how its prompt writes."""
        guesser = _Choices(self._style, vocabulary)
        guesser.wrote(row.prompt)
        return guesser


class _Choices(Guesser):
    def __init__(self, style: dict[int, Counter[int]], vocabulary: Vocabulary) -> None:
        self._style, self._vocabulary = style, vocabulary
        self._before = ord("\n")

    def wrote(self, tokens: Iterable[int]) -> None:
        for byte in self._vocabulary.decode(list(tokens)):
            if not chr(self._before).isalnum():  # letters are words, not style
                self._style.setdefault(self._before, Counter())[byte] += 1
            self._before = byte

    def guess(self, tip: Tip) -> Guess | None:
        written = (tip.text[-4:] + tip.draft)[-4:]
        last = self._vocabulary.decode(written)[-1:]
        data, chance = self._likely(tip.matcher, last[0] if last else ord("\n"))
        tokens = canonical_split(self._vocabulary, data, tip.matcher.tokens) if data else None
        if not tokens:
            return None
        return Guess(tokens, f"choices {int(4 * chance)}/4", chance ** (1 / len(tokens)))

    def _likely(self, matcher: Matcher, before: int) -> tuple[bytes, float]:
        recognizer, state = matcher.place()
        data, chance = bytearray(), 1.0
        while len(data) < _LONGEST and not recognizer.is_accepting(state):
            live = recognizer.live_bytes(state)
            if len(live) > _FEW:
                break
            byte, share = self._best(live, before)
            if chance * share < _UNLIKELY:
                break
            chance *= share
            data.append(byte)
            state, before = recognizer.step(state, byte), byte
        return bytes(data), chance

    def _best(self, live: list[int], before: int) -> tuple[int, float]:
        """The likeliest of some bytes and its share, of counts that begin at one half."""
        if len(live) == 1:
            return live[0], 1.0
        counts: Mapping[int, int] = self._style.get(before) or {}
        best = max(live, key=lambda byte: counts.get(byte, 0) - 0.1 * chr(byte).isspace())
        total = sum(counts.get(byte, 0) for byte in live) + len(live) / 2
        return best, (counts.get(best, 0) + 0.5) / total
