"""What `tercet bench` measures: compile time, first mask, and time per token along texts and walks.

A token's time is its mask and its advance through the public interface. Each text is followed
twice: the first time most of its states are new, the second time none is. Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.errors import TercetError, TokenRejectedError

if TYPE_CHECKING:
    from tercet.constraint import Constraint
    from tercet.matcher import Matcher
    from tercet.vocabulary.vocabulary import Vocabulary

_SLOWEST = 3
_CONTEXT = 40  # characters that say where a slow token was


@dataclass
class Times:
    """Microseconds of each token, those of the first visits and of the second."""

    first: list[float] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    slowest: list[tuple[float, str]] = field(default_factory=list)

    def took(self, microseconds: float, before: bytes, token: bytes) -> None:
        """Keep a first visit, and where it was if it is among the slowest."""
        self.first.append(microseconds)
        if len(self.slowest) < _SLOWEST or microseconds > self.slowest[-1][0]:
            place = _shown(before + "▸".encode() + token)
            self.slowest = sorted([*self.slowest, (microseconds, place)], reverse=True)[:_SLOWEST]


def compiled(
    make: Callable[[], Any], vocabulary: Vocabulary
) -> tuple[Constraint[Any], dict[str, float]]:
    """Compile a grammar, kernels being warm; milliseconds for it and for its first mask."""
    from tercet.constraint import compile
    from tercet.spec import Grammar

    compile(Grammar.json({"type": "null"}), vocabulary, cache=False).matcher().mask()
    row = _row(vocabulary)
    start = perf_counter_ns()
    constraint = compile(make(), vocabulary, cache=False)
    ready = perf_counter_ns()
    constraint.matcher().fill_bitmask(row)
    end = perf_counter_ns()
    return constraint, {"compile_ms": (ready - start) / 1e6, "first_mask_ms": (end - ready) / 1e6}


def tokens_of(text: str, vocabulary: Vocabulary) -> list[int]:
    """Split a text as the tokenizer does.

    Raises:
        TercetError: it can't write the text.
    """
    tokens = vocabulary.encode(text)
    if tokens is None:
        raise TercetError(
            "the tokenizer can't write this text",
            excerpt=text[:80],
            hint="leave the text out; random walks need none",
        )
    return tokens


def follow(constraint: Constraint[Any], tokens: list[int], times: Times) -> str:
    """Follow a text twice; "accepted", or where and why it is not."""
    spelt = constraint.vocabulary.bytes_of
    verdict, first = _visit(constraint, tokens)
    for at, took in enumerate(first):
        before = b"".join(map(spelt, tokens[max(0, at - _CONTEXT) : at]))
        times.took(took, before, spelt(tokens[at]))
    times.known += _visit(constraint, tokens)[1]
    return verdict


def _visit(constraint: Constraint[Any], tokens: list[int]) -> tuple[str, list[float]]:
    """The verdict on a text, and the microseconds of each token, a refused one included."""
    matcher, row = constraint.matcher(), _row(constraint.vocabulary)
    took: list[float] = []
    for token in tokens:
        refusal = None
        start = perf_counter_ns()
        matcher.fill_bitmask(row)
        try:
            matcher.advance(token)
        except TokenRejectedError as error:
            refusal = error
        took.append((perf_counter_ns() - start) / 1e3)
        if refusal is not None:
            written = matcher.text + "▸".encode() + constraint.vocabulary.bytes_of(token)
            return f"refused: {_shown(written)} ({refusal.why})", took
    return "accepted" if matcher.is_accepting else "refused: the text isn't complete", took


def _shown(text: bytes) -> str:
    """The end of a text, on one line."""
    return repr(text.decode(errors="replace")[-_CONTEXT:])[1:-1]


def walks(
    constraint: Constraint[Any], count: int, *, length: int, seed: int
) -> Iterator[list[int]]:
    """Random texts that the grammar allows, of at most so many tokens.

    They tell nothing about what a model would write, but they get everywhere: half of the steps
    take punctuation where it is allowed, or a string would go on for ever.
    """
    vocabulary = constraint.vocabulary
    short = np.array([_ends_something(token) for token in vocabulary.tokens])
    for number in range(count):
        random = Random(seed + number)
        matcher = constraint.matcher()
        while len(matcher.tokens) < length and not matcher.is_finished:
            token = _step(matcher, short, random)
            if token in vocabulary.eos:
                break
            matcher.advance(token)
        yield matcher.tokens


def _step(matcher: Matcher, short: Any, random: Random) -> int:
    mask = matcher.mask()
    preferred = mask & short
    choice = preferred if random.random() < 0.5 and preferred.any() else mask
    return int(random.choice(choice.nonzero()[0]))


def _ends_something(token: bytes) -> bool:
    return bool(token) and token.isascii() and not any(chr(byte).isalnum() for byte in token)


def _row(vocabulary: Vocabulary) -> np.ndarray[Any, Any]:
    return np.zeros((vocabulary.size + 31) // 32, np.int32)


def summary(microseconds: list[float]) -> dict[str, float]:
    """Percentiles and the mean, in microseconds.

    >>> summary([1.0, 2.0, 3.0])["p50"]
    2.0
    """
    if not microseconds:
        return {"tokens": 0}
    quantiles = {"p50": 50, "p90": 90, "p99": 99, "max": 100}
    found = {name: float(np.percentile(microseconds, q)) for name, q in quantiles.items()}
    found["mean"] = float(np.mean(microseconds))
    return {"tokens": len(microseconds), **{k: round(v, 2) for k, v in found.items()}}
