"""The MaskBench corpus and the official suite: where they lie, and the fixed part that we measure.

The data is no part of the repository. It is looked for in the folder that TERCET_DATA names, by
default ../shared/data beside the checkout; `find` gives None where there is none.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_OTHERWISE = {
    "order": {"order": "any"},
    "spelling": {"order": "any", "numbers": "any", "whitespace": "any"},
}
_DEFAULT = Path(__file__).parents[2] / "shared" / "data"


def find(name: str) -> Path | None:
    """A file or folder of the data, or None."""
    path = Path(os.environ.get("TERCET_DATA", _DEFAULT)) / name
    return path if path.exists() else None


def maskbench(part: int | None = 1) -> list[dict[str, Any]]:
    """The schemas whose name hashes to `part` modulo 20 (None: all): {name, schema, tests}."""
    path = find("maskbench-dev.jsonl.gz")
    return (
        [entry for entry in _lines(path) if part in (None, part_of(entry["name"]))] if path else []
    )


def part_of(name: str) -> int:
    """Which twentieth of the corpus a schema belongs to."""
    return int(hashlib.sha1(f"{name}.json".encode()).hexdigest(), 16) % 20


def text_of(instance: Any) -> str:
    """How an instance is written."""
    return json.dumps(instance, ensure_ascii=False)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def why_refused(schema: Any, instance: Any) -> str:
    """Whether a refused instance is only written otherwise: "order", "spelling", or ""."""
    from tercet import Grammar, TercetError

    text = text_of(instance)
    for reason, options in _OTHERWISE.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                grammar = Grammar.json(schema, **options)
        except TercetError:
            continue
        if text in grammar:
            return reason
    return ""
