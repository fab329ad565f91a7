"""`choice_logprobs`: how probable a model finds each of some options.

An option has many splits into tokens. Its canonical one is what the tokenizer makes of it; the
probability of its text is the sum over all of them. Splits are read along the trie they make, in
order, so that each beginning is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args

import numpy as np

from tercet.constraint import compile
from tercet.errors import TercetError
from tercet.samplers.bestfirst import BestFirst, row_for
from tercet.samplers.network import DraftNetwork
from tercet.samplers.paths import Paths, network_of
from tercet.spec import Grammar

T = TypeVar("T")
Marginalize = Literal["canonical", "all"]

_LEFT = 1e-6  # of the mass found: what may be missing of a sum over all splits
_LONGEST = 1 << 16  # tokens of an option


@dataclass(frozen=True)
class Weighed(Generic[T]):
    """Options with the log-probabilities of their texts and an end behind them.

    No sum is short by more than `missing`, a probability; 0 for canonical splits. `calls` counts
    the runs of the model.
    """

    options: list[T]
    logprobs: list[float]
    missing: float
    calls: int

    @property
    def shares(self) -> list[float]:
        """How the probability of all options together is shared among them; they sum to 1."""
        whole = np.logaddexp.reduce(self.logprobs)
        return [float(np.exp(one - whole)) for one in self.logprobs]

    @property
    def best(self) -> T:
        """The most probable option; the first of several."""
        return self.options[int(np.argmax(self.logprobs))]


def choice_logprobs(
    model: object,
    prompt: Any,
    options: Sequence[T],
    *,
    marginalize: Marginalize = "canonical",
    max_calls: int = 1000,
) -> Weighed[T]:
    """Return how probable the model finds each option, written as `str(option)`, as its answer.

    An end-of-sequence token belongs to the text: "no" isn't the beginning of "nothing". With
    `marginalize="all"` every split into tokens counts, the likeliest first, until each option has
    one and less than a millionth of what was found can be missing, or `max_calls` runs are spent.

    Raises:
        TercetError: no options, two of the same text, no tokenizer for canonical splits.
    """
    if marginalize not in get_args(Marginalize):
        raise TercetError(
            f"can't marginalize over {marginalize!r}", hint='"canonical" or "all" splits'
        )
    grammar = Grammar.choice(options)
    texts = [str(option) for option in options]
    if len(set(texts)) < len(texts):
        raise TercetError("an option is given twice", hint="give each option once")
    network = network_of(model)
    if marginalize == "all":
        sums, missing, calls = _all_splits(
            network, prompt, grammar, count=len(texts), max_calls=max_calls
        )
        logprobs = [sums.get(text.encode(), -np.inf) for text in texts]
        return Weighed(list(options), logprobs, missing, calls)
    logprobs, calls = _canonical(network, prompt, texts)
    return Weighed(list(options), logprobs, 0.0, calls)


def _all_splits(
    network: DraftNetwork, prompt: Any, grammar: Grammar[Any], *, count: int, max_calls: int
) -> tuple[dict[bytes, float], float, int]:
    matcher = compile(grammar, network.vocabulary).matcher()
    search = BestFirst(network, row_for(network, matcher, prompt, _LONGEST))
    sums: dict[bytes, float] = {}
    found = 0.0
    for text in search.texts(max_calls):
        data = network.vocabulary.decode(text.tokens)
        sums[data] = float(np.logaddexp(sums.get(data, -np.inf), text.logprob))
        found += float(np.exp(text.logprob))
        if len(sums) == count and search.waiting_mass() <= _LEFT * found:
            break
    return sums, search.waiting_mass(), search.calls


def _canonical(network: DraftNetwork, prompt: Any, texts: Sequence[str]) -> tuple[list[float], int]:
    splits = [_split(network, text) for text in texts]
    row = row_for(network, compile(Grammar.choice(texts), network.vocabulary).matcher(), prompt, 1)
    if len(row.prompt) + max(map(len, splits)) > network.context_size:
        raise TercetError("an option doesn't fit into the model's context behind the prompt")
    paths, ends = Paths(network, row.prompt), sorted(network.vocabulary.eos)
    found: dict[tuple[int, ...], float] = {}
    known: list[tuple[int, float]] = []  # of the tokens of the last option: sums so far
    for split in sorted(splits):
        kept = 0
        while kept < min(len(known), len(split)) and known[kept][0] == split[kept]:
            kept += 1
        total = known[kept - 1][1] if kept else 0.0
        del known[kept:]
        rest = split[kept:]
        after = paths.after(split[:kept], rest)
        for token, logprobs in zip(rest, after, strict=False):
            total += float(logprobs[token])
            known.append((token, total))
        found[split] = total + float(np.logaddexp.reduce(after[-1][ends]))
    return [found[split] for split in splits], paths.calls


def _split(network: DraftNetwork, text: str) -> tuple[int, ...]:
    tokens = network.vocabulary.encode(text)
    if tokens is None:
        raise TercetError(
            "the options can't be split into tokens",
            why="this vocabulary has no tokenizer",
            hint='marginalize="all" needs none',
        )
    return tuple(tokens)
