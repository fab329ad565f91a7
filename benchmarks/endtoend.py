"""Whole answers on a CPU: tokens per second, free and constrained, by every engine.

Sets of prompts and schemas (`endtoend.toml`): tool calls, objects, long lists, enums, copying from
the prompt. Every way of writing answers every prompt in turns, greedily; schemas are compiled and
one answer written before the clock starts. Times are CPU time of the process, with one thread, so
that a busy machine counts little.

    python benchmarks/endtoend.py [--model smollm2] [--prompts 12] [--limit 96] [--sets tools,enums]

Prints a table and writes benchmarks/results/endtoend.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.writers import NAMES, Written, versions, writers

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "endtoend.json"


def main() -> None:
    """Ask all, print, write."""
    options = _options()
    import torch

    import tercet

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    model = tercet.load(options.model)
    sets = tomllib.loads((HERE / "endtoend.toml").read_text(encoding="utf-8"))
    console, results = Console(), {}
    for name in options.sets or sets:
        results[name] = _measure(model, sets[name], options)
        console.print(_table(name, results[name]))
        _write(results, options)


def _write(results: dict[str, Any], options: Any) -> None:
    """After every set, so that little is lost when it is stopped."""
    import tercet

    content = {
        "model": options.model,
        "limit": options.limit,
        "prompts": options.prompts,
        "machine": platform.processor() or platform.machine(),
        "versions": {"tercet": tercet.__version__, **versions()},
        "sets": results,
    }
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--prompts", type=int, default=12, help="of each set")
    parser.add_argument("--limit", type=int, default=96, help="tokens of an answer")
    parser.add_argument("--sets", type=lambda text: text.split(","))
    parser.add_argument("--ways", type=lambda text: text.split(","), default=NAMES)
    return parser.parse_args()


def _measure(model: Any, asked: dict[str, Any], options: Any) -> dict[str, dict[str, float]]:
    """All ways over all prompts of a set, in turns."""
    from tercet import Grammar

    schema = json.loads(asked["schema"])
    ways = writers(model, schema, options.ways)
    grammar = Grammar.json(schema, whitespace="any")
    for way in ways.values():
        way.write(asked["prompts"][-1], 8)
    found: dict[str, list[tuple[Written, bool]]] = {name: [] for name in ways}
    for prompt in asked["prompts"][: options.prompts]:
        for name, way in ways.items():
            written = way.write(prompt, options.limit)
            texts = [token for token in written.tokens if token not in model.vocabulary.eos]
            text = model.vocabulary.decode(texts).decode(errors="replace")
            found[name].append((written, text in grammar))
    return {name: _summed(answers) for name, answers in found.items()}


def _summed(answers: list[tuple[Written, bool]]) -> dict[str, float]:
    tokens = sum(len(written.tokens) for written, _ in answers)
    seconds = sum(written.seconds for written, _ in answers)
    return {
        "tokens": tokens,
        "tokens_per_second": round(tokens / seconds, 2),
        "forwards_per_token": round(sum(w.forwards for w, _ in answers) / tokens, 3),
        "first_token_seconds": round(sum(w.first_seconds for w, _ in answers) / len(answers), 4),
        "valid": sum(valid for _, valid in answers),
        "answers": len(answers),
    }


def _table(name: str, rows: dict[str, dict[str, float]]) -> Table:
    table = Table(title=name)
    for column in ("", "tokens/s", "of free", "forwards/token", "first token ms", "valid"):
        table.add_column(column, justify="left" if not column else "right")
    free = rows.get("free", {}).get("tokens_per_second")
    for way, row in rows.items():
        speed = row["tokens_per_second"]
        table.add_row(
            way,
            f"{speed:.1f}",
            f"{speed / free:.2f}" if free else "",
            f"{row['forwards_per_token']:.2f}",
            f"{row['first_token_seconds'] * 1e3:.0f}",
            f"{row['valid']:.0f}/{row['answers']:.0f}",
        )
    return table


if __name__ == "__main__":
    main()
