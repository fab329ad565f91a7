"""The MaskBench corpus and the official suite: where they lie, and the fixed part that we measure.

The data is no part of the repository. It is looked for in the folder that TERCET_DATA names, by
default ../shared/data beside the checkout; `find` gives None where there is none.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_ORDERS = 500
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


def in_declared_order(schema: Any, instance: Any) -> Any:
    """The instance with its keys in the order in which the schema declares them."""
    return _Order(schema).of([schema], instance)


def shuffled(value: Any, rng: random.Random) -> Any:
    """The value with the keys of its objects in random order."""
    if isinstance(value, list):
        return [shuffled(item, rng) for item in value]
    if isinstance(value, dict):
        return {key: shuffled(value[key], rng) for key in rng.sample(list(value), len(value))}
    return value


def is_accepted_in_some_order(grammar: Any, schema: Any, instance: Any) -> bool:
    """Whether the instance is accepted once its keys stand in another order."""
    rng = random.Random(0)
    others = (shuffled(instance, rng) for _ in range(_ORDERS))
    declared = in_declared_order(schema, instance)
    return any(text_of(value) in grammar for value in itertools.chain([declared], others))


class _Order:
    """Looks for declarations along the instance, through references and combinations."""

    def __init__(self, root: Any) -> None:
        self.root = root

    def of(self, schemas: list[Any], value: Any) -> Any:
        places = list(self.expanded(schemas))
        if isinstance(value, list):
            return [self.of(list(self.items(places, i)), item) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        names = dict.fromkeys(name for place in places for name in place.get("properties") or ())
        rank = {name: index for index, name in enumerate(names)}
        keys = sorted(value, key=lambda key: rank.get(key, len(rank)))
        return {key: self.of(list(self.members(places, key)), value[key]) for key in keys}

    def expanded(self, schemas: list[Any]) -> Iterator[dict[str, Any]]:
        """The schemas that speak of the same value."""
        waiting, seen = schemas[::-1], []
        while waiting:
            schema = waiting.pop()
            if not isinstance(schema, dict) or any(schema is other for other in seen):
                continue
            seen.append(schema)
            yield schema
            parts = self.resolved(schema.get("$ref"))
            for keyword in ("allOf", "anyOf", "oneOf"):
                parts += schema.get(keyword) or []
            parts += [schema.get(keyword) for keyword in ("if", "then", "else")]
            waiting += parts[::-1]

    def resolved(self, reference: Any) -> list[Any]:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return []
        found = self.root
        for part in filter(None, unquote(reference[1:]).split("/")):
            part = part.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(part) if isinstance(found, list) else part]
            except (KeyError, IndexError, ValueError, TypeError):
                return []
        return [found]

    def members(self, places: list[dict[str, Any]], key: str) -> Iterator[Any]:
        for place in places:
            yield (place.get("properties") or {}).get(key)
            yield from (place.get("patternProperties") or {}).values()
            yield place.get("additionalProperties")

    def items(self, places: list[dict[str, Any]], index: int) -> Iterator[Any]:
        for place in places:
            for listed in (place.get("prefixItems"), place.get("items")):
                if isinstance(listed, list):
                    yield from listed[index : index + 1]
            yield from (place.get("items"), place.get("additionalItems"))
