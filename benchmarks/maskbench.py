"""Masks for real schemas: tercet beside other engines, token by token, on one core.

For each schema the engines take turns (and take turns at going first): compile, then follow each
instance along the same tokens. What is measured stands in timing.py. Instances are written by
json.dumps(ensure_ascii=False) and split by the tokenizer.

    python benchmarks/maskbench.py --engines tercet,llguidance,xgrammar
    python benchmarks/maskbench.py --vocabularies qwen3,gemma3,gpt4o,llama2,llama3_1

The second makes a table over vocabularies. An interrupted run goes on where it was; engines whose
version (for tercet: whose source) has changed are measured anew. Prints a table and writes
benchmarks/results/maskbench.json or vocabularies.json; `python benchmarks/page.py` makes the plots
and docs/benchmarks.md of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus, summing, tables
from benchmarks.rivals import RIVALS
from benchmarks.supervising import Pair, records, turns
from tests.tokenizers_for_tests import NAMES, tokenizer_path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
Entry = dict[str, Any]


class Kept:
    """The records of a run in .cache, a line each; those of other versions don't count."""

    def __init__(self, vocabulary: str, engines: list[str], *, fresh: bool) -> None:
        self.path = corpus.CACHE / "benchmarks" / f"maskbench-{vocabulary}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.versions = {engine: version_of(engine) for engine in engines}
        self.records: dict[Pair, Entry] = {}
        lines = self.path.read_text().splitlines() if self.path.exists() and not fresh else []
        for record in map(json.loads, lines):
            if record["version"] == self.versions.get(record["engine"]):
                self.records[record["name"], record["engine"]] = record
        if fresh:
            self.path.unlink(missing_ok=True)

    def add(self, record: Entry) -> None:
        record["version"] = self.versions[record["engine"]]
        self.records[record["name"], record["engine"]] = record
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def version_of(engine: str) -> str:
    """The version of an engine; of tercet, that of its source."""
    if engine != "tercet":
        return version(engine.removesuffix("-compliant"))
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src" / "tercet").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def run(options: argparse.Namespace, vocabulary: str, path: Path) -> Entry:
    """Measure what isn't measured yet, and sum up all of it."""
    engines: list[str] = options.engines
    kept = Kept(vocabulary, engines, fresh=options.fresh)
    entries = corpus.load(options.data, options.slices)[: options.limit]
    names = [entry["name"] for entry in entries]
    missing = [pair for pair in turns(names, engines) if pair not in kept.records]
    job = {
        "tokenizer": str(path),
        "core": options.core,
        "engines": engines,
        "data": options.data,
        "slices": options.slices,
        "gigabytes": options.gigabytes,
    }
    setting = measure(kept, job, missing, options.seconds)
    done = [kept.records[pair] for pair in turns(names, engines)]
    result = summing.sum_up(done, engines, options.seconds)
    summing.explain_refusals(result, {entry["name"]: entry for entry in entries})
    return {"command": command(), "vocabulary": vocabulary, **setting, **result}


def measure(kept: Kept, job: Entry, missing: list[Pair], seconds: float) -> Entry:
    """Measure some pairs; how the process stood while it did."""
    setting_path = kept.path.with_suffix(".setting.json")
    setting = json.loads(setting_path.read_text()) if setting_path.exists() else {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(kept.path.stem, total=len(missing))
        for record in records(job, missing, seconds, log=kept.path.with_suffix(".log")):
            if "ready" in record:
                ready = {**setting.get("prepared", {}), **record.pop("ready")}
                setting = {**record, "prepared": ready, **summing.machine()}
                setting_path.write_text(json.dumps(setting))
                continue
            kept.add(record)
            progress.update(task, advance=1, description=record["name"][:40])
    return setting


def command() -> str:
    return " ".join(["python benchmarks/maskbench.py", *sys.argv[1:]])


def over_vocabularies(options: argparse.Namespace, console: Console) -> int:
    """The same for several vocabularies: only the summaries are kept."""
    rows = {}
    for vocabulary in options.vocabularies:
        path = tokenizer_path(vocabulary)
        if path is None:
            console.print(f"no tokenizer {vocabulary}: make tokenizers, or set TERCET_TOKENIZERS")
            continue
        result = run(options, vocabulary, path)
        console.print(tables.engines_table(result))
        rows[vocabulary] = summing.only_figures(result)
    write(options.output or RESULTS / "vocabularies.json", {"command": command(), "rows": rows})
    return 0 if rows else 2


def write(path: Path, content: Entry) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def draw(result: Entry, folder: Path, console: Console) -> None:
    """Percentile plots, as SVG and as PNG."""
    from benchmarks import plots

    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("svg", "png"):
        for path in plots.draw(result, folder, suffix):
            console.print(f"drawn: {path}")


def main() -> int:
    options = arguments()
    console = Console()
    if options.data is None:
        console.print("no data: --data FILE, --fetch, or TERCET_DATA with maskbench-dev.jsonl.gz")
        return 2
    if options.vocabularies:
        return over_vocabularies(options, console)
    path = tokenizer_path(options.tokenizer) or Path(options.tokenizer)
    if not path.exists():
        console.print(f"no tokenizer {options.tokenizer}: make tokenizers, or --tokenizer FOLDER")
        return 2
    name = options.tokenizer if options.tokenizer in NAMES else path.resolve().stem
    result = run(options, name, path)
    console.print(tables.engines_table(result))
    tables.print_findings(console, result)
    write(options.output or RESULTS / "maskbench.json", result)
    if options.plots:
        draw(result, options.plots, console)
    return bool(result["engines"].get("tercet", {}).get("invalid_accepted"))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--engines", type=_listed, default="tercet,llguidance,xgrammar", help=", ".join(RIVALS))
    add("--tokenizer", default="llama3_1", help=f"{', '.join(NAMES)}; or a folder of another")
    add("--vocabularies", type=_listed, help="make the table over these tokenizers instead")
    add("--data", help="a .jsonl(.gz), or a folder of .json files")
    add("--fetch", action="store_true", help="download the public corpus, once, and measure that")
    add("--slices", type=_twentieths, default="1", help="twentieths of the corpus: 1,7 or all")
    add("--limit", type=int, help="only the first schemas")
    add("--seconds", type=float, default=30, help="the longest that one step may take")
    add("--gigabytes", type=float, default=8, help="the most memory that an engine may take")
    add("--core", type=int, help="the core to run on; the last one otherwise")
    add("--fresh", action="store_true", help="forget an earlier run")
    add("--output", type=Path)
    add("--plots", type=Path, help="a folder for percentile plots, as SVG and PNG")
    options = parser.parse_args()
    options.slices = None if options.slices == [-1] else options.slices
    if options.fetch:
        options.data = str(corpus.fetch())
    elif options.data is None and (found := corpus.find("maskbench-dev.jsonl.gz")):
        options.data = str(found)
    return options


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _twentieths(text: str) -> list[int]:
    return [-1] if text == "all" else [int(part) for part in _listed(text)]


if __name__ == "__main__":
    sys.exit(main())
