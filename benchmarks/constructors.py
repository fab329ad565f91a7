"""What large constructors cost: a million options, quotes from ten megabytes, an enum of 2,000.

    python benchmarks/constructors.py [--tokenizer FILE] [--options N] [--corpus MEGABYTES]

Times are those of the process's own clock (user and system), so that what else the machine does
counts little. TBM is the time between masks: one mask and one token, along texts of the grammar cut
into tokens at random, and every state is new when it is met first.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np

import tercet
from tercet import Grammar, Vocabulary
from tests.tokenizers_for_tests import tokenizer_path

SYLLABLES = ("ba", "ko", "ri", "ten", "sul", "mar", "vi", "on", "el", "qua", "st", "er")


def names(count: int, rng: random.Random) -> list[str]:
    """Distinct names of six syllables and a number."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choices(SYLLABLES, k=6)) + str(rng.randrange(1000))] = None
    return list(found)


def prose(size: int, rng: random.Random) -> str:
    """Text with the word lengths and repetitions of prose: words are drawn by Zipf's law."""
    words = names(50_000, rng)
    words = [word[: 2 + rank % 7] for rank, word in enumerate(words)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    drawn = rng.choices(words, weights, k=size // 5)
    lines = (" ".join(drawn[at : at + 12]) for at in range(0, len(drawn), 12))
    return "\n".join(lines)[:size]


def walk(constraint: Any, rng: random.Random, most: int) -> list[float]:
    """Times of masks and tokens along a random text of the constraint, in microseconds."""
    matcher = constraint.matcher()
    words = (constraint.vocabulary.size + 31) // 32
    row, times = np.zeros(words, np.int32), []
    for _ in range(most):
        before = time.perf_counter_ns()
        matcher.fill_bitmask(row[None, :])
        after = time.perf_counter_ns()
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
        token = int(rng.choice(allowed))
        if token in constraint.vocabulary.eos:
            break
        begun = time.perf_counter_ns()
        matcher.advance(token)
        times.append((after - before + time.perf_counter_ns() - begun) / 1e3)
    return times


def measure(name: str, make: Any, vocabulary: Vocabulary, rng: random.Random) -> None:
    begun = time.process_time()
    grammar = make()
    made = time.process_time()
    constraint = tercet.compile(grammar, vocabulary, cache=False)
    compiled = time.process_time()
    first = walk(constraint, rng, 1)[0]
    times = sorted(t for _ in range(200) for t in walk(constraint, rng, 40)[1:])
    at = lambda share: times[int(share * (len(times) - 1))]  # noqa: E731
    print(
        f"| {name} | {made - begun:.2f} | {compiled - made:.2f} | {first / 1e3:.1f} "
        f"| {sum(times) / len(times):.1f} | {at(0.5):.1f} | {at(0.99):.1f} | {times[-1]:.0f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", default=str(tokenizer_path("llama3_1")))
    parser.add_argument("--options", type=int, default=1_000_000)
    parser.add_argument("--corpus", type=float, default=10, help="megabytes")
    given = parser.parse_args()
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=given.tokenizer, eos_token="<|eot_id|>")
    vocabulary, rng = Vocabulary.from_transformers(tokenizer), random.Random(1)
    tercet.compile(Grammar.choice(["a"]), vocabulary).matcher().mask()  # kernels are loaded
    options, enum = names(given.options, rng), names(2000, rng)
    text = prose(int(given.corpus * 1e6), rng)
    tercet.compile(Grammar.choice(enum), vocabulary).matcher().mask()
    print("| | make, s | compile, s | first mask, ms | TBM mean, µs | p50 | p99 | max |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    schema = {"type": "string", "enum": enum}
    measure("enum of 2,000", lambda: Grammar.json(schema), vocabulary, rng)
    measure(f"choice of {len(options):,}", lambda: Grammar.choice(options), vocabulary, rng)
    for unit in ("word", "line", "char"):
        name = f"substring of {len(text) / 1e6:g} MB by {unit}"
        measure(name, lambda u=unit: Grammar.substring(text, unit=u), vocabulary, rng)
    thought = {"until": "</think>", "exclude": ["<tool>"]}
    measure("text until a trigger", lambda: Grammar.text(**thought), vocabulary, rng)


if __name__ == "__main__":
    main()
