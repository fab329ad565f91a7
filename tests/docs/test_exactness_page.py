"""The counts on the page of exactness are those of the recorded run over the corpus."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_counts_are_those_of_the_record() -> None:
    record = json.loads((ROOT / "benchmarks/results/corpus.json").read_text("utf-8"))
    page = (ROOT / "docs/exactness.md").read_text("utf-8")
    counts = record["counts"]
    assert f"Of the {record['schemas']:,} schemas" in page
    assert f"judged as it should be | {counts['right']:,} |" in page
    for category, words in (
        ("valid refused", "a valid instance is refused"),
        ("invalid accepted", "an invalid instance is accepted"),
        ("unsatisfiable", "no value matches the schema, and it has no valid instance"),
    ):
        assert f"{words} | {counts.get(category, 0)} |" in page
