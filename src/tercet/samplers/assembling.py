"""From guesses to a draft: the likeliest guess at each point, as far as the grammar and time allow.

All that is drafted has been allowed by the grammar, token by token, and its masks come with it:
one for each token and one for what follows the last. So no draft can lead astray, whatever it
was made of (an end of thinking, a quote, a second tool call).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Drafter, Guess, Guesser, Tip
from tercet.samplers.growing import allowed_tokens
from tercet.samplers.network import Row, Tokens
from tercet.samplers.pace import Pace
from tercet.vocabulary.vocabulary import Vocabulary


@dataclass
class Draft:
    """Tokens with who proposed them, and the allowed tokens at each place.

    `allowed` has one place more than there are tokens, unless nothing can follow them.
    """

    tokens: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    allowed: list[Tokens] = field(default_factory=list)


class Assembler:
    """Drafts for one row."""

    def __init__(
        self, row: Row, vocabulary: Vocabulary, rule: Rule, *, drafters: Sequence[Drafter]
    ) -> None:
        self._row, self._vocabulary = row, vocabulary
        self._guessers = [
            (drafter.name, drafter.start(row, vocabulary, rule)) for drafter in drafters
        ]
        self._text = list(row.prompt)

    @property
    def guessers(self) -> list[Guesser]:
        """Those that learn from what is seen."""
        return [guesser for _, guesser in self._guessers]

    def wrote(self, tokens: list[int]) -> None:
        """Learn the tokens that have become text."""
        self._text += tokens
        for guesser in self.guessers:
            guesser.wrote(tokens)

    def draft(self, pace: Pace, rows: int) -> Draft:
        """Return what may come next, as far as it pays in a batch of this many rows."""
        draft, matcher = Draft(), self._row.matcher
        tip = Tip(matcher, self._text, draft.tokens)
        expected, reach = 0.0, 1.0
        waiting: list[tuple[int, str, str, float]] = []
        while True:
            draft.allowed.append(allowed_tokens(self._row, self._vocabulary.size))
            if len(self._row.tokens) + len(draft.tokens) >= self._row.limit:
                break
            if not waiting or not matcher.accepts([waiting[0][0]]):
                waiting = self._best(tip, pace)
            if not waiting:
                break
            token, source, kind, chance = waiting.pop(0)
            if not pace.pays(len(draft.tokens), expected, reach * chance, rows):
                break
            if not self._advances(token):
                break
            reach *= chance
            expected += reach
            draft.tokens.append(token)
            draft.sources.append(source)
            draft.kinds.append(kind)
            if matcher.is_finished:
                break
        matcher.rollback(len(draft.tokens))
        if pace.worth(len(draft.tokens), expected, rows):
            return draft
        return Draft(allowed=draft.allowed[:1])

    def _advances(self, token: int) -> bool:
        """Move the matcher on if the grammar allows the token; the end of a text is no guess."""
        matcher = self._row.matcher
        started = perf_counter()
        allowed = token not in self._vocabulary.eos and matcher.accepts([token]) == 1
        if allowed:
            matcher.advance(token)
        self._row.mask_seconds += perf_counter() - started
        return allowed

    def _best(self, tip: Tip, pace: Pace) -> list[tuple[int, str, str, float]]:
        """The guess with the best chance at the tip, token by token."""
        found: tuple[float, str, Guess] | None = None
        for name, guesser in self._guessers:
            guess = guesser.guess(tip)
            if guess is None or not tip.matcher.accepts(guess.tokens[:1]):
                continue
            chance = pace.chance(guess)
            if found is None or chance > found[0]:
                found = chance, name, guess
        if found is None:
            return []
        chance, name, guess = found
        return [(token, name, guess.kind, chance) for token in guess.tokens]
