"""The recorded category of every case that doesn't simply pass; it may only improve.

python -m tests.conformance.ratchet            what got better, what got worse
python -m tests.conformance.ratchet --update   record it; refuses to record anything worse
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import corpus
from tests.conformance.categories import category_of, official_groups, official_resources, rank

FILE = Path(__file__).with_name("ratchet.json")
Cases = Iterator[tuple[str, Any, list[dict[str, Any]]]]


def maskbench_cases() -> Cases:
    """The fixed twentieth of the corpus."""
    return ((e["name"], e["schema"], e["tests"]) for e in corpus.maskbench(1))


def official_cases() -> Cases:
    """The official suite."""
    suite = corpus.find("json-schema-test-suite")
    return official_groups(suite) if suite else iter(())


SUITES: dict[str, Callable[[], Cases]] = {"maskbench": maskbench_cases, "official": official_cases}


def resources_of(suite: str) -> dict[str, Any]:
    """What the schemas of a suite refer to."""
    folder = corpus.find("json-schema-test-suite") if suite == "official" else None
    return official_resources(folder) if folder else {}


def measured(suite: str) -> dict[str, str]:
    """The category of each case, now."""
    others = resources_of(suite)
    return {name: category_of(schema, tests, others) for name, schema, tests in SUITES[suite]()}


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
        kept["official totals"] = totals(now["official"])
        FILE.write_text(json.dumps(kept, indent=0, ensure_ascii=False) + "\n", "utf-8")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
