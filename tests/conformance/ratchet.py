"""The recorded category of every case that doesn't simply pass; it may only improve.

python -m tests.conformance.ratchet            what got better, what got worse
python -m tests.conformance.ratchet --update   record it; refuses to record anything worse
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import corpus
from tests.conformance.categories import (
    DRAFTS,
    official_groups,
    official_options,
    outcomes_of,
    rank,
    worst,
)

FILE = Path(__file__).with_name("ratchet.json")
Cases = Iterator[tuple[str, list[str]]]
WORDS = {"pass": "right", "invalid_accepted": "accepts invalid", "valid_refused": "refuses valid"}


def maskbench_cases() -> Cases:
    """The outcomes of the fixed twentieth of the corpus, with the defaults."""
    for entry in corpus.maskbench(1):
        yield entry["name"], outcomes_of(entry["schema"], entry["tests"])


def official_cases() -> Cases:
    """The outcomes of the official suite, where every text of a value is taken."""
    suite = corpus.find("json-schema-test-suite")
    for name, schema, tests in official_groups(suite) if suite else ():
        yield name, outcomes_of(schema, tests, **official_options(name, suite))


SUITES: dict[str, Callable[[], Cases]] = {"maskbench": maskbench_cases, "official": official_cases}


@cache
def outcomes(suite: str) -> dict[str, list[str]]:
    """The category of each test of each case, now."""
    return dict(SUITES[suite]())


def measured(suite: str) -> dict[str, str]:
    """The category of each case, now."""
    return {name: worst(found) for name, found in outcomes(suite).items()}


def official_tests() -> dict[str, dict[str, int]]:
    """How many tests of each draft come out how."""
    counts = {draft: dict.fromkeys((*WORDS.values(), "refused"), 0) for draft in DRAFTS}
    for name, found in outcomes("official").items():
        for outcome in found:
            counts[name.split("/")[0]][WORDS.get(outcome, "refused")] += 1
    return counts


def totals(names: Iterable[str]) -> dict[str, int]:
    """How many cases there are of each draft and file of the official suite, for the docs."""
    return dict(Counter("/".join(name.split("/")[:2]) for name in names))


def recorded(suite: str) -> dict[str, str]:
    """The categories on record; what isn't listed passes."""
    content: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return content[suite]


def compared(now: dict[str, str], before: dict[str, str]) -> tuple[list[str], list[str]]:
    """Lines about what got better and what got worse."""
    better, worse = [], []
    for name, category in now.items():
        old = before.get(name, "pass")
        if rank(category) != rank(old):
            lines = better if rank(category) > rank(old) else worse
            lines.append(f"{name}: {old} -> {category}")
    return better, worse


def main() -> int:
    now = {suite: measured(suite) for suite in SUITES}
    worse = []
    for suite, found in now.items():
        print(suite, dict(Counter(category.partition(":")[0] for category in found.values())))
        better, lost = compared(found, recorded(suite) if FILE.exists() else found)
        print(
            *[f"  better  {line}" for line in better],
            *[f"  WORSE   {line}" for line in lost],
            sep="\n",
        )
        worse += lost
    if "--update" in sys.argv and not worse:
        kept: dict[str, Any] = {
            suite: {name: category for name, category in found.items() if category != "pass"}
            for suite, found in now.items()
        }
        kept["maskbench total"] = len(now["maskbench"])
        kept["official totals"] = totals(now["official"])
        kept["official tests"] = official_tests()
        FILE.write_text(json.dumps(kept, indent=0, ensure_ascii=False) + "\n", "utf-8")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
