"""Masks for real schemas: tercet beside llguidance, token by token, in one process.

For each schema of the subset the engines take turns (and take turns at going first): compile,
then follow each instance along the same tokens. A token's time (TBM) is its mask plus its advance
through the public interface, the refused token included; the time to the first mask (TTFM) is
compiling plus one mask. Instances are written by json.dumps(ensure_ascii=False) and split by the
tokenizer.

    python benchmarks/maskbench.py [--engines tercet,llguidance,xgrammar] [--limit N] [--all]

Prints a table and writes benchmarks/results/maskbench.json.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus
from benchmarks.rivals import RIVALS, Rival, Session, load_tokenizer
from tests.tokenizers_for_tests import tokenizer_path

RESULTS = Path(__file__).parent / "results" / "maskbench.json"
Entry = dict[str, Any]


@dataclass
class Tally:
    """What one engine did."""

    token_ns: list[int] = field(default_factory=list)
    first_mask_ns: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)
    valid_refused: list[Entry] = field(default_factory=list)
    invalid_accepted: list[Entry] = field(default_factory=list)
    slowest: list[tuple[int, str, int, str]] = field(default_factory=list)

    def took(self, nanoseconds: int, place: tuple[str, int, str]) -> None:
        self.token_ns.append(nanoseconds)
        if nanoseconds > 1_000_000:
            self.slowest.append((nanoseconds, *place))


def run_schema(rival: Rival, tally: Tally, entry: Entry, texts: list[list[int]]) -> None:
    """Compile one schema and follow all its instances."""
    try:
        start = perf_counter_ns()
        session = rival.compile(entry["schema"])
        session.start()
        session.mask()
        took = perf_counter_ns() - start
        tally.first_mask_ns.append(took)
        tally.slowest.append((took, entry["name"], 0, "first mask"))
    except Exception as error:
        tally.counts["refused"] += 1
        tally.refused[entry["name"]] = f"{type(error).__name__}: {error}".splitlines()[0]
        return
    tally.counts["compiled"] += 1
    for index, (test, tokens) in enumerate(zip(entry["tests"], texts, strict=True)):
        accepted, at = follow(session, tally, (entry["name"], index), tokens)
        tally.counts[
            f"{'valid' if test['valid'] else 'invalid'} {'accepted' if accepted else 'refused'}"
        ] += 1
        if accepted != test["valid"]:
            found = {"name": entry["name"], "test": index, "token": at, "of": len(tokens)}
            (tally.invalid_accepted if accepted else tally.valid_refused).append(found)


def follow(
    session: Session, tally: Tally, place: tuple[str, int], tokens: list[int]
) -> tuple[bool, int]:
    """Whether the engine takes these tokens and may stop then; and where it refused one."""
    session.start()
    row = session.row
    for at, token in enumerate(tokens):
        start = perf_counter_ns()
        session.mask()
        masked = perf_counter_ns()
        allowed = bool(row[token >> 5] >> (token & 31) & 1)
        resumed = perf_counter_ns()
        taken = session.advance(token)
        tally.took(perf_counter_ns() - resumed + masked - start, (*place, f"token {at}"))
        if allowed != taken:
            tally.counts["mask and advance differ"] += 1
        if not taken:
            return False, at
    return session.is_accepting(), len(tokens)


def explain_refusals(tally: Tally, entries: dict[str, Entry]) -> None:
    """Say for each refused valid instance whether it is only written otherwise."""
    for found in tally.valid_refused:
        entry = entries[found["name"]]
        instance = entry["tests"][found["test"]]["data"]
        found["why"] = corpus.why_refused(entry["schema"], instance)


def summary(nanoseconds: list[int]) -> dict[str, float]:
    """Percentiles in microseconds."""
    values = np.array(nanoseconds or [0]) / 1000
    names = {"p25": 25, "median": 50, "p75": 75, "p90": 90, "p99": 99, "p99.9": 99.9, "max": 100}
    found = {name: round(float(np.percentile(values, q)), 2) for name, q in names.items()}
    return {**found, "mean": round(float(values.mean()), 2), "count": len(nanoseconds)}


def table_of(tallies: dict[str, Tally]) -> Table:
    table = Table(title="maskbench, Llama-3.1 vocabulary")
    table.add_column("")
    for name in tallies:
        table.add_column(name, justify="right")
    counts = ("compiled", "refused", "valid accepted", "valid refused", "invalid refused")
    for key in (*counts, "invalid accepted", "mask and advance differ"):
        table.add_row(key, *(str(tally.counts[key]) for tally in tallies.values()))
    times = {name: (summary(t.token_ns), summary(t.first_mask_ns)) for name, t in tallies.items()}
    for index, title in enumerate(("TBM", "TTFM")):
        table.add_section()
        for key in ("p25", "median", "p75", "p90", "p99", "p99.9", "max", "mean"):
            row = [f"{pair[index][key]:,.1f}" for pair in times.values()]
            table.add_row(f"{title} {key}, us", *row)
    return table


def report(console: Console, tallies: dict[str, Tally]) -> None:
    console.print(table_of(tallies))
    own = tallies.get("tercet")
    if own is None:
        return
    for found in own.valid_refused:
        why = {"order": "keys out of declared order", "": "WRONG"}.get(found["why"], found["why"])
        console.print(f"valid instance refused: {found['name']} test {found['test']}: {why}")
    for found in own.invalid_accepted:
        console.print(f"[red]invalid instance accepted: {found['name']} test {found['test']}")
    if "llguidance" in tallies:
        ours, theirs = (summary(tallies[name].token_ns) for name in ("tercet", "llguidance"))
        ratio = ours["median"] / theirs["median"]
        console.print(
            f"median TBM: {ratio:.2f} of llguidance's, mean {ours['mean'] / theirs['mean']:.2f}"
        )


def as_json(rivals: dict[str, Any], tallies: dict[str, Tally], command: str) -> Entry:
    engines = {
        name: {
            "version": rivals[name].version,
            "counts": dict(tally.counts),
            "token_us": summary(tally.token_ns),
            "first_mask_us": summary(tally.first_mask_ns),
            "refused": tally.refused,
            "valid_refused": tally.valid_refused,
            "invalid_accepted": tally.invalid_accepted,
            "slowest": sorted(tally.slowest, reverse=True)[:30],
        }
        for name, tally in tallies.items()
    }
    machine = f"{platform.machine()} {platform.system()}, Python {platform.python_version()}"
    return {"command": command, "machine": machine, "engines": engines}


def measure(rivals: dict[str, Any], entries: list[Entry], tokenizer: Any) -> dict[str, Tally]:
    tallies = {name: Tally() for name in rivals}
    names = list(rivals)
    for turn, entry in enumerate(track(entries, "schemas", console=Console(stderr=True))):
        written = [corpus.text_of(test["data"]) for test in entry["tests"]]
        texts = [tokenizer.encode(text, add_special_tokens=False) for text in written]
        gc.collect()
        gc.disable()  # for everyone: a collection would hit whoever is on
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            run_schema(rivals[name], tallies[name], entry, texts)
        gc.enable()
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engines", default="tercet,llguidance")
    parser.add_argument("--tokenizer", type=Path, help="folder or tokenizer.json of Llama 3.1")
    parser.add_argument("--limit", type=int, help="only the first schemas")
    parser.add_argument("--all", action="store_true", help="the whole corpus, not a twentieth")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console = Console()
    entries = corpus.maskbench(None if options.all else 1)[: options.limit]
    path = options.tokenizer or tokenizer_path("llama3_1")
    if not entries or path is None:
        missing = "../shared/data" if not entries else "the Llama 3.1 tokenizer (make tokenizers)"
        console.print(f"nothing to measure without {missing}")
        return 2
    tokenizer = load_tokenizer(path)
    size = len(tokenizer)
    rivals = {name: RIVALS[name](tokenizer, size) for name in options.engines.split(",")}
    for rival in rivals.values():  # kernels, caches and imports are warm before anyone is timed
        run_schema(rival, Tally(), entries[0], [[] for _ in entries[0]["tests"]])
    tallies = measure(rivals, entries, tokenizer)
    if "tercet" in tallies:
        explain_refusals(tallies["tercet"], {entry["name"]: entry for entry in entries})
    report(console, tallies)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    content = as_json(rivals, tallies, "python benchmarks/maskbench.py")
    options.output.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return bool(tallies["tercet"].invalid_accepted) if "tercet" in tallies else 0


if __name__ == "__main__":
    sys.exit(main())
