"""Drafts of what followed the same words before, in the prompt or the answer itself.

Answers quote: names, dates, keys of a schema that the prompt shows, the fields of the last item of
a list. Prompt lookup (Saxena 2023) and LLMA (Yang et al. 2023) are this with a fixed length.
"""

from __future__ import annotations

from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.drafts.suffix_automaton import START, Match, SuffixAutomaton
from tercet.samplers.network import Row
from tercet.vocabulary.vocabulary import Vocabulary

_LONGEST = 16  # tokens of one guess


class Repeats:
    """Drafts from a suffix automaton over prompt and answer.

    `least` is how many last tokens must have occurred before.

    >>> Repeats().name
    'repeats'
    """

    name = "repeats"

    def __init__(self, *, least: int = 1) -> None:
        self._least = least

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row: read its prompt."""
        return _Repeats(row.prompt, self._least)


class _Repeats(Guesser):
    def __init__(self, prompt: list[int], least: int) -> None:
        self._automaton, self._least = SuffixAutomaton(), least
        self._match = START
        self.wrote(prompt)

    def wrote(self, tokens: list[int]) -> None:
        for token in tokens:
            # before the token is part of the text: a match is with something earlier
            self._match = self._automaton.follow(self._match, token)
            self._automaton.extend((token,))

    def guess(self, tip: Tip) -> Guess | None:
        return guess_from(self._automaton, self._match, tip, ("repeats", self._least))


def guess_from(
    automaton: SuffixAutomaton, match: Match, tip: Tip, named: tuple[str, int]
) -> Guess | None:
    """Return what followed the text up to the tip; `match` is where the written part stands."""
    for token in tip.draft:
        match = automaton.follow(match, token)
    name, least = named
    if match.length < least:
        return None
    tokens = automaton.continuation(match, _LONGEST)
    length = match.length.bit_length()
    chance = (0.25, 0.45, 0.6, 0.75, 0.85)[min(length, 5) - 1]
    return Guess(tokens, f"{name} {min(length, 5)}", chance) if tokens else None
