"""The page of the docs about what goes wrong with structured generation, and what tercet does.

python -m tests.conformance.pitfalls            write it; a test compares
"""

from __future__ import annotations

import json
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tercet import Grammar, TercetError, TercetWarning

PAGE = Path(__file__).parents[2] / "docs" / "pitfalls.md"
ROWS = tomllib.loads(Path(__file__).with_name("pitfalls.toml").read_text("utf-8"))["row"]

HEAD = """# What goes wrong elsewhere

Small schemas, each with a text or two: what JSON Schema says, what tercet does, and what others did
when they were measured (xgrammar 0.2.9, llguidance 1.9.1, outlines_core 0.2.14, lm-format-enforcer
0.11.3). **Bold** is silently wrong. *Refuses* means an error when the schema is compiled, which is
honest, but no help. tercet's column is worked out by the test that writes this page.

| case | JSON Schema | tercet | xgrammar | llguidance | outlines_core | LMFE |
|---|---|---|---|---|---|---|
"""


def verdicts(row: dict[str, Any]) -> list[str]:
    """What tercet does with each text of a row."""
    return [verdict(row, text) for text, _ in row["checks"]]


def verdict(row: dict[str, Any], text: str) -> str:
    """What tercet does with a text: accepts or rejects it, or refuses or warns of its schema."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            grammar = Grammar.json(json.loads(row["schema"]), order=row.get("order", "schema"))
        except TercetError:
            return "refuses"
    if any(issubclass(warning.category, TercetWarning) for warning in caught):
        return "warns"
    return "accepts" if text in grammar else "rejects"


def wanted(row: dict[str, Any]) -> list[str]:
    """What is right for each text of a row."""
    return [want for _, want in row["checks"]]


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_lines())


def _lines() -> Iterator[str]:
    for row in ROWS:
        cells = [row["case"], " / ".join(wanted(row)), " / ".join(verdicts(row)), *row["others"]]
        yield f"| {' | '.join(cells)} |\n"


def main() -> None:
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
