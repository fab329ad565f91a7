"""One call for many sequences: tercet's Batch beside xgrammar's BatchGrammarMatcher.

64 schemas of the corpus, four sequences each, every one at another place of an instance. Both
engines write the same rows in turns, then every sequence takes its next token. The first round is
not counted, so that all states are known, as in a server. Wall and CPU time per row.

    python benchmarks/batch.py [--schemas 64] [--each 4] [--rounds 5]

Prints a table and writes benchmarks/results/batch.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus, summing
from benchmarks.rivals import load_tokenizer
from tests.tokenizers_for_tests import tokenizer_path

RESULTS = Path(__file__).parent / "results" / "batch.json"
STEPS = 24


class Tercet:
    """A batch that is kept, and one that is made anew for each step."""

    def __init__(self, vocabulary: Any) -> None:
        self._vocabulary = vocabulary

    def compile(self, schema: Any) -> Any:
        from tercet import Grammar, compile

        return compile(Grammar.json(schema), self._vocabulary)

    def begin(self, compiled: list[Any]) -> None:
        from tercet import Batch

        self.batch = Batch([constraint.matcher() for constraint in compiled])
        self.bits = np.zeros((len(compiled), (self._vocabulary.size + 31) // 32), np.int32)

    def fill(self) -> None:
        self.batch.fill_bitmask(self.bits)

    def advance(self, tokens: list[int]) -> list[bool]:
        return self.batch.advance(tokens).tolist()


class TercetAnew(Tercet):
    def fill(self) -> None:
        from tercet import Batch

        Batch(self.batch._matchers).fill_bitmask(self.bits)


class XGrammar:
    def __init__(self, tokenizer: Any, size: int) -> None:
        import xgrammar

        self._info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=size)
        self._compiler = xgrammar.GrammarCompiler(self._info, max_threads=2)
        self._batch = xgrammar.BatchGrammarMatcher(max_threads=2)
        self._size = size

    def compile(self, schema: Any) -> Any:
        return self._compiler.compile_json_schema(json.dumps(schema), strict_mode=False)

    def begin(self, compiled: list[Any]) -> None:
        import xgrammar

        self._matchers = [xgrammar.GrammarMatcher(one) for one in compiled]
        self.bits = xgrammar.allocate_token_bitmask(len(compiled), self._size)

    def fill(self) -> None:
        self._batch.batch_fill_next_token_bitmask(self._matchers, self.bits)

    def advance(self, tokens: list[int]) -> list[bool]:
        return self._batch.batch_accept_token(self._matchers, tokens)


def chosen(engines: list[Any], tokenizer: Any, options: Any) -> list[tuple[Any, list[int]]]:
    """Schemas that all engines compile, with the tokens of a long valid instance that all take."""
    found: list[tuple[Any, list[int]]] = []
    for entry in corpus.maskbench(1):
        texts = [corpus.text_of(test["data"]) for test in entry["tests"] if test["valid"]]
        tokens = tokenizer.encode(max(texts, key=len, default=""), add_special_tokens=False)
        if len(tokens) >= STEPS + options.each and all(
            takes(e, entry["schema"], tokens) for e in engines
        ):
            found.append((entry["schema"], tokens))
            if len(found) == options.schemas:
                break
    return found


def takes(engine: Any, schema: Any, tokens: list[int]) -> bool:
    try:
        engine.begin([engine.compile(schema)])
        return all(engine.advance([token])[0] for token in tokens)
    except Exception:
        return False


def measure(engines: dict[str, Any], texts: list[tuple[Any, list[int]]], options: Any) -> Any:
    """Nanoseconds per call: {engine: {"fill": [(wall, cpu)], "advance": [...]}}."""
    sequences = [(number, text) for number, (_, text) in enumerate(texts)] * options.each
    starts = [place // len(texts) for place in range(len(sequences))]
    took: dict[str, Any] = {name: {"fill": [], "advance": []} for name in engines}
    compiled = {n: [e.compile(schema) for schema, _ in texts] for n, e in engines.items()}
    for round_number in range(options.rounds + 1):
        for name, engine in engines.items():
            engine.begin([compiled[name][number] for number, _ in sequences])
            for place in range(max(starts)):  # sequences of one schema stand at different places
                ahead = [place < start for start in starts]
                for matcher, (_, text), moves in zip(_each(engine), sequences, ahead, strict=True):
                    if moves:
                        matcher(text[place])
        for step in range(STEPS):
            tokens = [text[s + step] for (_, text), s in zip(sequences, starts, strict=True)]
            for name, engine in engines.items():
                times = took[name] if round_number else {"fill": [], "advance": []}
                times["fill"].append(timed(engine.fill))
                times["advance"].append(timed(lambda e=engine, t=tokens: e.advance(t)))
    return took


def _each(engine: Any) -> list[Any]:
    if isinstance(engine, Tercet):
        return [matcher.advance for matcher in engine.batch._matchers]
    return [matcher.accept_token for matcher in engine._matchers]


def timed(call: Any) -> tuple[int, int]:
    wall, cpu = perf_counter_ns(), process_time_ns()
    call()
    return perf_counter_ns() - wall, process_time_ns() - cpu


def summary(took: dict[str, Any], rows: int) -> dict[str, Any]:
    """Microseconds per row."""
    found = {}
    for name, kinds in took.items():
        for kind, times in kinds.items():
            wall, cpu = np.array(times).T / 1000 / rows
            found[f"{name} {kind}"] = {
                "wall_median": round(float(np.median(wall)), 3),
                "wall_p90": round(float(np.percentile(wall, 90)), 3),
                "wall_least": round(float(wall.min()), 3),
                "cpu_median": round(float(np.median(cpu)), 3),
            }
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schemas", type=int, default=64)
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokenizer", type=Path, help="folder or tokenizer.json of Llama 3.1")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console = Console()
    path = options.tokenizer or tokenizer_path("llama3_1")
    if not corpus.find("maskbench-dev.jsonl.gz") or path is None:
        console.print("nothing to measure without ../shared/data and the Llama 3.1 tokenizer")
        return 2
    from tercet import Vocabulary

    warnings.simplefilter("ignore")  # about the schemas, not about us
    tokenizer = load_tokenizer(path)
    vocabulary = Vocabulary.from_transformers(tokenizer, size=len(tokenizer))
    engines = {
        "tercet": Tercet(vocabulary),
        "tercet, a new Batch each step": TercetAnew(vocabulary),
        "xgrammar": XGrammar(tokenizer, len(tokenizer)),
    }
    judges = [engines["tercet"], engines["xgrammar"]]
    texts = chosen(judges, tokenizer, options)
    rows = len(texts) * options.each
    found = summary(measure(engines, texts, options), rows)
    cores = len(os.sched_getaffinity(0))
    table = Table(title=f"{rows} rows of {len(texts)} schemas, {cores} cores, us per row")
    for column in ("", "wall, median", "wall, p90", "wall, least", "CPU, median"):
        table.add_column(column, justify="right" if column else "left")
    for name, figures in found.items():
        table.add_row(name, *(f"{value:.2f}" for value in figures.values()))
    console.print(table)
    content = {
        "command": " ".join(["python benchmarks/batch.py", *sys.argv[1:]]),
        **summing.machine(),
        "rows": rows,
        "schemas": len(texts),
        "us_per_row": found,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
