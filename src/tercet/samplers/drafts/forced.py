"""Drafts of what the grammar leaves no choice about, split as the tokenizer does.

The text of such a span is certain; how the model splits it isn't quite, so it is checked too.
"""

from __future__ import annotations

from tercet.samplers.choosing import Rule
from tercet.samplers.drafts.protocol import Guess, Guesser, Tip
from tercet.samplers.network import Row
from tercet.vocabulary.vocabulary import Vocabulary

KIND = "forced"


class Forced:
    """Drafts forced tokens; see `Matcher.forced`.

    >>> Forced().name
    'forced'
    """

    name = "forced"

    def start(self, row: Row, vocabulary: Vocabulary, rule: Rule) -> Guesser:
        """Begin with a row."""
        return _Forced()


class _Forced(Guesser):
    def guess(self, tip: Tip) -> Guess | None:
        tokens = tip.matcher.forced()
        return Guess(tokens, KIND, 0.9) if tokens else None
