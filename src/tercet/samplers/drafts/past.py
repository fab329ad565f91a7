"""Drafts from texts of the past: the answers that somebody keeps anyway.

The automaton is made once and never grows; what the model writes now is looked up in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tercet.errors import TercetError
from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.drafts.repeats import guess_from
from tercet.samplers.drafts.suffix_automaton import START, SuffixAutomaton
from tercet.samplers.network import Row
from tercet.vocabulary.vocabulary import Vocabulary


class Past:
    """Drafts from a suffix automaton over your own past outputs.

    The texts are split by the tokenizer of the model that it is first used with.

    >>> Past(['{"city": "Rome"}', '{"city": "Oslo"}']).name
    'past'

    Raises:
        TercetError: later, when the model's tokenizer is not known or is another one.
    """

    name = "past"

    def __init__(self, texts: Iterable[str], /, *, least: int = 2) -> None:
        self._texts, self._least = list(texts), least
        self._made: tuple[str, SuffixAutomaton] | None = None

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row."""
        if self._made is None:
            self._made = vocabulary.fingerprint, self._automaton(vocabulary)
        fingerprint, automaton = self._made
        if fingerprint != vocabulary.fingerprint:
            raise TercetError(
                "the past outputs were split by another tokenizer",
                hint="make one Past for each model",
            )
        return _Past(automaton, row.prompt, self._least)

    def _automaton(self, vocabulary: Vocabulary) -> SuffixAutomaton:
        automaton = SuffixAutomaton()
        for number, text in enumerate(self._texts):
            tokens = vocabulary.encode(text)
            if tokens is None:
                raise TercetError(
                    "the past outputs can't be split into tokens",
                    why="this vocabulary has no tokenizer",
                    hint="read the vocabulary from a tokenizer",
                )
            automaton.extend([*tokens, -1 - number])  # a border that no text has
        return automaton


class _Past(Guesser):
    def __init__(self, automaton: SuffixAutomaton, prompt: list[int], least: int) -> None:
        self._automaton, self._least = automaton, least
        self._match = START
        self.wrote(prompt)

    def wrote(self, tokens: list[int]) -> None:
        for token in tokens:
            self._match = self._automaton.follow(self._match, token)

    def guess(self, tip: Tip) -> Guess | None:
        found = guess_from(self._automaton, self._match, tip, ("past", self._least))
        if found is None:
            return None
        ends = [place for place, token in enumerate(found.tokens) if token < 0]
        tokens = found.tokens[: ends[0]] if ends else found.tokens
        return found._replace(tokens=tokens) if tokens else None
