"""Memory over a long time: every schema of the corpus, random walks, a million tokens.

One process compiles schema after schema, as a server would that keeps its last constraints, and
walks each at random: a mask, one of its tokens, and so on. The resident memory is noted as it goes;
it has to stay flat. What a mask costs here says little: random tokens come to strange places.

    python benchmarks/soak.py [--tokens 1000000] [--part N]

Prints a table and writes benchmarks/results/soak.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import psutil
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus, summing
from tests.tokenizers_for_tests import tokenizer_path

RESULTS = Path(__file__).parent / "results" / "soak.json"
POINTS = 40


class Soak:
    """Walks schemas and keeps count."""

    def __init__(self, vocabulary: Any) -> None:
        self._vocabulary = vocabulary
        self._choose = random.Random(1)
        self.bits = np.zeros((vocabulary.size + 31) // 32, np.int32)
        self.schemas = self.refused = self.tokens = self.ended = 0
        self.points: list[dict[str, float]] = []

    def walk(self, schema: Any, tokens: int) -> None:
        from tercet import Grammar, TercetError, compile

        try:
            constraint = compile(Grammar.json(schema), self._vocabulary)
        except TercetError:
            self.refused += 1
            return
        self.schemas += 1
        matcher = constraint.matcher()
        for _ in range(tokens):
            matcher.fill_bitmask(self.bits)
            token = self._allowed()
            matcher.advance(token)
            self.tokens += 1
            if token in self._vocabulary.eos:
                self.ended += 1
                matcher = constraint.matcher()

    def _allowed(self) -> int:
        """One of the tokens of the mask: the next one after a random place."""
        words = self.bits.view(np.uint32)
        start = self._choose.randrange(len(words))
        (found,) = np.nonzero(np.concatenate([words[start:], words[:start]]))
        if not len(found):
            raise AssertionError("a dead end")
        word = (start + int(found[0])) % len(words)
        bits = [bit for bit in range(32) if int(words[word]) >> bit & 1]
        return 32 * word + self._choose.choice(bits)

    def note(self) -> None:
        from tercet.engines.ledger import LEDGER

        self.points.append(
            {
                "schemas": self.schemas,
                "tokens": self.tokens,
                "rss_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
                "ledger_mb": round(LEDGER.used / 1e6, 1),
            }
        )


def shown(points: list[dict[str, float]]) -> Table:
    table = Table(title="soak")
    for column in points[0]:
        table.add_column(column, justify="right")
    for point in points:
        table.add_row(*(f"{value:,}" for value in point.values()))
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--part", type=int, help="only one twentieth of the schemas")
    parser.add_argument("--tokenizer", type=Path, help="folder or tokenizer.json of Llama 3.1")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console = Console()
    path = options.tokenizer or tokenizer_path("llama3_1")
    entries = corpus.maskbench(options.part)
    if not entries or path is None:
        console.print("nothing to measure without ../shared/data and the Llama 3.1 tokenizer")
        return 2
    from tercet import Vocabulary

    warnings.simplefilter("ignore")  # about the schemas
    soak, started = Soak(Vocabulary.from_tokenizer_json(path)), perf_counter()
    random.Random(2).shuffle(entries)
    soak.note()
    for number, entry in enumerate(track(entries, "schemas", console=Console(stderr=True)), 1):
        left = len(entries) - number + 1
        soak.walk(entry["schema"], -(-(options.tokens - soak.tokens) // left))
        if number * POINTS // len(entries) > (number - 1) * POINTS // len(entries):
            soak.note()
    console.print(shown(soak.points))
    peak = max(point["rss_mb"] for point in soak.points)
    later = [point["rss_mb"] for point in soak.points[POINTS // 2 :]]
    console.print(
        f"{soak.tokens:,} tokens of {soak.schemas:,} schemas ({soak.refused} refused), "
        f"{soak.ended:,} texts to their end: at most {peak:,.0f} MB, in the second half "
        f"{min(later):,.0f} to {max(later):,.0f}"
    )
    content = {
        "command": " ".join(["python benchmarks/soak.py", *sys.argv[1:]]),
        **summing.machine(),
        "schemas": soak.schemas,
        "refused": soak.refused,
        "tokens": soak.tokens,
        "ended": soak.ended,
        "seconds": round(perf_counter() - started),
        "peak_mb": peak,
        "points": soak.points,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
