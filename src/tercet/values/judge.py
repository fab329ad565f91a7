"""Judges texts by a language alone: is it in, where does it stop matching, where could it end.

A model's vocabulary plays no part here: texts are followed byte by byte.
"""

from __future__ import annotations

from functools import lru_cache

from tercet.engines.select import Recognizer, recognizer
from tercet.grammar.nodes import Language
from tercet.vocabulary.vocabulary import Vocabulary


@lru_cache(1)
def _bytes() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([b]) for b in range(256)), b""], eos=256)


class Judge:
    """Follows texts of one language.

    >>> from tercet.grammar.nodes import lit, rep
    >>> judge = Judge(Language(rep(lit("ab")), {}))
    >>> judge.mismatch(b"abba"), judge.ends(b"-abab", 1)
    (2, [1, 3, 5])
    """

    def __init__(self, language: Language) -> None:
        self.recognizer: Recognizer = recognizer(language, _bytes())

    def mismatch(self, data: bytes) -> int | None:
        """Where the text stops matching: its length if it is only incomplete, None if it is in."""
        state = self.recognizer.start()
        for place, byte in enumerate(data):
            state = self.recognizer.step(state, byte)
            if state is None:
                return place
        return None if self.recognizer.is_accepting(state) else len(data)

    def ends(self, data: bytes, start: int) -> list[int]:
        """All places where a text of the language that begins at `start` can end, ascending."""
        state, found = self.recognizer.start(), []
        for place in range(start, len(data)):
            if self.recognizer.is_accepting(state):
                found.append(place)
            state = self.recognizer.step(state, data[place])
            if state is None:
                return found
        return [*found, len(data)] if self.recognizer.is_accepting(state) else found

    @property
    def has_text(self) -> bool:
        """Whether any text is in the language at all."""
        start = self.recognizer.start()
        return bool(self.recognizer.live_bytes(start)) or self.recognizer.is_accepting(start)
