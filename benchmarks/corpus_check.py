"""Every schema of MaskBench and all of its instances: what is refused, and is anything wrong?

    python benchmarks/corpus_check.py [--defaults] [--slice 2/6] [--only NAME ...] [--seconds 10]
        [--journal FILE]

Each schema is compiled with whitespace="any", order="any", numbers="any" (or the defaults), and
each instance, as json.dumps(ensure_ascii=False) writes it, is looked up in the grammar, byte by
byte. One schema and its instances have ten seconds of processor time together. Prints
tables and writes the outcome of every schema that isn't right to benchmarks/results. With a
journal, a line for each schema is written as soon as it is done, and what stands there already is
taken from there: a run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import resource
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus
from tercet import Grammar, GrammarError, UnsatisfiableError, UnsupportedSchemaError

RESULTS = Path(__file__).parent / "results"
ANY = {"whitespace": "any", "order": "any", "numbers": "any"}
CATEGORIES = {
    "right": "every instance is judged as it should be",
    "unsupported": "refused, with the keyword and the reason",
    "unsatisfiable": "refused, because no value matches",
    "malformed": "refused, because it is no schema",
    "valid refused": "a valid instance is refused",
    "invalid accepted": "an invalid instance is accepted",
    "timeout": "not done in time",
    "crash": "an exception that isn't tercet's",
}
REFUSALS = ("unsupported", "unsatisfiable", "malformed")


class OutOfTimeError(BaseException):
    """Not an Exception, so that nothing on the way up takes it for one of its own."""


@dataclass
class Outcome:
    """What became of one schema; `wrong` are the numbers of instances that are judged wrongly."""

    name: str
    category: str = "right"
    keyword: str = ""
    at: str = ""
    why: str = ""
    has_valid: bool = False
    wrong: list[int] = field(default_factory=list)
    seconds: float = 0.0


def check(entry: dict[str, Any], options: dict[str, str], seconds: float) -> Outcome:
    """The outcome of one schema."""
    outcome = Outcome(entry["name"], has_valid=any(test["valid"] for test in entry["tests"]))
    start = process_time()
    try:
        with _deadline(seconds):
            _judge(entry, options, outcome)
    except OutOfTimeError:
        outcome.category = "timeout"
    except UnsupportedSchemaError as error:
        outcome.category, outcome.keyword = "unsupported", error.keyword
        outcome.at, outcome.why = error.pointer, error.why
    except UnsatisfiableError as error:
        outcome.category, outcome.at, outcome.why = "unsatisfiable", error.pointer, error.why
    except GrammarError as error:
        outcome.category, outcome.at, outcome.why = "malformed", error.at, f"{error.message}"
    except Exception as error:
        outcome.category, outcome.why = "crash", f"{type(error).__name__}: {error}"[:300]
    outcome.seconds = round(process_time() - start, 3)
    return outcome


def _judge(entry: dict[str, Any], options: dict[str, str], outcome: Outcome) -> None:
    grammar = Grammar.json(entry["schema"], **options)
    for number, test in enumerate(entry["tests"]):
        is_accepted = corpus.text_of(test["data"]) in grammar
        if is_accepted != test["valid"]:
            outcome.wrong.append(number)
            if outcome.category != "invalid accepted":
                outcome.category = "invalid accepted" if is_accepted else "valid refused"


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def journalled(
    entries: Iterable[dict[str, Any]], journal: Path | None, options: dict[str, str], seconds: float
) -> Iterator[Outcome]:
    """The outcome of each entry, from the journal or else from a check that is written there."""
    with ExitStack() as stack:
        lines = stack.enter_context(journal.open("a+", encoding="utf-8")) if journal else None
        done: dict[str, Outcome] = {}
        if lines:
            lines.seek(0)
            found = [Outcome(**json.loads(line)) for line in lines]
            done = {outcome.name: outcome for outcome in found}
        for entry in entries:
            outcome = done.get(entry["name"])
            if outcome is None:
                outcome = check(entry, options, seconds)
                if lines:
                    lines.write(json.dumps(asdict(outcome)) + "\n")
                    lines.flush()
            yield outcome


def part_of(entries: list[dict[str, Any]], which: str) -> list[dict[str, Any]]:
    """The k-th of n parts: "k/n" with k from 1; every n-th schema, so that parts are alike."""
    number, count = map(int, which.split("/"))
    return entries[number - 1 :: count]


def counts_table(outcomes: list[Outcome], title: str) -> Table:
    table = Table("", "schemas", "share", "", title=title)
    counts = Counter(outcome.category for outcome in outcomes)
    for category, meaning in CATEGORIES.items():
        share = f"{counts[category] / max(1, len(outcomes)):.2%}"
        table.add_row(category, f"{counts[category]:,}", share, meaning)
    refused = sum(counts[category] for category in REFUSALS)
    table.add_section()
    table.add_row("refused in all", f"{refused:,}", f"{refused / max(1, len(outcomes)):.2%}", "")
    return table


def reasons(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """The reasons of refusals, the most frequent first, with the schemas they are about."""
    names: dict[tuple[str, str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.category in REFUSALS:
            why = re.sub(r'"[^"]*"|\d[\d.,]*', "…", outcome.why.splitlines()[0])
            names.setdefault((outcome.category, outcome.keyword, why), []).append(outcome.name)
    return [
        {"category": category, "keyword": keyword, "why": why, "schemas": some}
        for (category, keyword, why), some in sorted(names.items(), key=lambda item: -len(item[1]))
    ]


def reasons_table(found: list[dict[str, Any]]) -> Table:
    table = Table("refused", "keyword", "schemas", "why", title="reasons")
    for row in found:
        table.add_row(row["category"], row["keyword"], str(len(row["schemas"])), row["why"])
    return table


def report(console: Console, outcomes: list[Outcome], title: str) -> None:
    console.print(counts_table(outcomes, title))
    console.print(reasons_table(reasons(outcomes)))
    for outcome in outcomes:
        if outcome.category not in ("right", *REFUSALS):
            wrong = f" {outcome.wrong}" if outcome.wrong else ""
            console.print(f"{outcome.category}: {outcome.name}{wrong} {outcome.why}", markup=False)
        elif outcome.category == "unsatisfiable" and outcome.has_valid:
            console.print(f"unsatisfiable, with a valid instance: {outcome.name}", markup=False)


def as_json(outcomes: list[Outcome], instances: int, options: dict[str, str]) -> dict[str, Any]:
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:40]
    return {
        "options": options,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "schemas": len(outcomes),
        "instances": instances,
        "counts": dict(Counter(outcome.category for outcome in outcomes)),
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "reasons": reasons(outcomes),
        "not right": [asdict(outcome) for outcome in outcomes if outcome.category != "right"],
        "slowest": [{"name": outcome.name, "seconds": outcome.seconds} for outcome in slowest],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--defaults", action="store_true", help="not every spelling and order")
    parser.add_argument("--slice", default="1/1", help="k/n: the k-th of n parts")
    parser.add_argument("--only", nargs="*", help="these schemas, by name")
    parser.add_argument("--seconds", type=float, default=10, help="for a schema and its instances")
    parser.add_argument("--journal", type=Path, help="outcomes as they come; a run can go on there")
    parser.add_argument("--output", type=Path, help="by default in benchmarks/results")
    arguments = parser.parse_args()
    console, options = Console(), {} if arguments.defaults else ANY
    entries = part_of(corpus.maskbench(None), arguments.slice)
    if arguments.only:
        entries = [entry for entry in entries if entry["name"] in arguments.only]
    if not entries:
        console.print("nothing to check without ../shared/data")
        return 2
    warnings.simplefilter("ignore")
    check(entries[0], options, 600)  # kernels and imports are no schema's time
    progress = track(entries, "schemas", console=Console(stderr=True))
    outcomes = list(journalled(progress, arguments.journal, options, arguments.seconds))
    instances = sum(len(entry["tests"]) for entry in entries)
    kind = "the defaults" if arguments.defaults else "every order and spelling"
    report(console, outcomes, f"maskbench, {len(entries):,} schemas, {kind}")
    name = "corpus-defaults.json" if arguments.defaults else "corpus.json"
    output = arguments.output or RESULTS / name
    content = as_json(outcomes, instances, options)
    output.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return int(any(outcome.category not in ("right", *REFUSALS) for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
