"""Which keys of an instance are out of the declared order: a judge that knows no grammar.

Walks an instance beside its schema with the subschemas that it matches (`jsonschema` decides which
branches those are), and names the first pair of keys that breaks the rule of docs/json-schema.md.

python -m tests.conformance.ordering [part ...]     valid instances that the default refuses

and how many of them are of schemas that llguidance compiles: the corpus has those in order, mostly.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for

_DEEPEST = 80  # applicators and references in a row


@dataclass
class _Declared:
    """What the subschemas of one object declare, in the order of the text."""

    chains: list[list[str]] = field(default_factory=list)
    required: set[str] = field(default_factory=set)


def out_of_order(schema: Any, instance: Any) -> list[str]:
    """The pairs of keys that are out of order, one for each object that has such, in words.

    >>> out_of_order({"properties": {"a": {}, "b": {}}}, {"b": 1, "a": 2})
    ['"a" is declared before "b", and comes after it']
    """
    judge = _Judge(schema)
    judge.visit(schema, instance, "")
    found = (_first_pair(list(judge.objects[at]), judge.declared[at], at) for at in judge.objects)
    return [pair for pair in found if pair]


class _Judge:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.validator = validator_for(root, default=Draft202012Validator)(root)
        self.objects: dict[str, dict[str, Any]] = {}
        self.declared: dict[str, _Declared] = {}

    def visit(self, schema: Any, instance: Any, at: str, depth: int = 0) -> None:
        """Note what a schema declares of an instance, and of all that is inside."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return
        if isinstance(instance, dict):
            self.objects[at] = instance
            declared = self.declared.setdefault(at, _Declared())
            declared.required.update(schema.get("required") or ())
        for word, value in schema.items():
            if word == "properties" and isinstance(instance, dict) and isinstance(value, dict):
                declared.chains.append(list(value))
            for part in self._parts(schema, word, value, instance):
                self.visit(part, instance, at, depth + 1)
        for part, key in _inside(schema, instance):
            self.visit(part, instance[key], f"{at}/{key}")

    def _parts(self, schema: Any, word: str, value: Any, instance: Any) -> Iterator[Any]:
        match word:
            case "$ref" if isinstance(value, str):
                yield self._resolved(value)
            case "allOf":
                yield from value
            case "anyOf" | "oneOf":
                yield from (part for part in value if self._matches(part, instance))
            case "if":
                yield from (value, schema.get("then")) if self._matches(value, instance) else ()
                yield {} if self._matches(value, instance) else schema.get("else")
            case "dependencies" | "dependentSchemas" if isinstance(instance, dict):
                yield from (part for name, part in value.items() if name in instance)

    def _matches(self, schema: Any, instance: Any) -> bool:
        try:
            return bool(self.validator.evolve(schema=schema).is_valid(instance))
        except (SchemaError, re.error, RecursionError):
            return True

    def _resolved(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return None
        here = self.root
        for step in unquote(reference[1:]).split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            try:
                here = here[int(step)] if isinstance(here, list) else here[step]
            except (LookupError, ValueError):
                return None
        return here


def _inside(schema: Mapping[str, Any], instance: Any) -> Iterator[tuple[Any, Any]]:
    """The subschemas of what is inside of an instance, each with its key or index."""
    if isinstance(instance, dict):
        for key in instance:
            found = [part for part in _of_key(schema, key) if part is not None]
            yield from ((part, key) for part in found or [schema.get("additionalProperties")])
    elif isinstance(instance, list):
        items = schema.get("items")
        first = items if isinstance(items, list) else schema.get("prefixItems", [])
        rest = schema.get("additionalItems") if isinstance(items, list) else items
        for number in range(len(instance)):
            yield first[number] if number < len(first) else rest, number


def _of_key(schema: Mapping[str, Any], key: str) -> Iterator[Any]:
    yield (schema.get("properties") or {}).get(key)
    for pattern, part in (schema.get("patternProperties") or {}).items():
        try:
            yield part if re.search(pattern, key) else None
        except re.error:
            yield None


def _first_pair(keys: list[str], declared: _Declared, at: str) -> str:
    where = f" in {at}" if at else ""
    for chain in declared.chains:
        for one, other in pairwise(key for key in keys if key in chain):
            if chain.index(one) > chain.index(other):
                return f'"{other}" is declared before "{one}", and comes after it{where}'
    merged = [name for chain in declared.chains for name in chain]
    places = [0 if k in merged else 1 if k in declared.required else 2 for k in keys]
    for (one, place), (other, after) in pairwise(zip(keys, places, strict=True)):
        if place > after:
            what = "required, and not declared" if place == 1 else "not declared"
            return f'"{one}" is {what}, and comes before "{other}", which is{where}'
    for one, other in pairwise(key for key in keys if key in merged):
        if merged.index(one) > merged.index(other):
            return f'"{other}" is of an earlier subschema than "{one}", and comes after it{where}'
    return ""


def main() -> None:
    from benchmarks import corpus
    from tests.conformance.categories import category_of

    compiles = _llguidance()
    counts: Counter[str] = Counter()
    parts = [int(part) for part in sys.argv[1:]] or [1]
    for entry in (entry for part in parts for entry in corpus.maskbench(part)):
        at_llguidance = "compiled by llguidance" if compiles(entry["schema"]) else "others"
        for number, test in enumerate(entry["tests"]):
            if not test["valid"]:
                continue
            counts[f"valid, {at_llguidance}"] += 1
            category = category_of(entry["schema"], [test])
            if category in {"order", "spelling", "valid_refused"}:
                pairs = out_of_order(entry["schema"], test["data"])
                reason = pairs[0] if pairs else category
                sys.stdout.write(f"{entry['name']} {number}: {reason}\n")
                counts[f"refused, {at_llguidance}"] += 1
                counts["refused for another reason"] += not pairs
    for what in sorted(counts):
        sys.stdout.write(f"{counts[what]:6} {what}\n")


def _llguidance() -> Callable[[Any], bool]:
    """Whether llguidance compiles a schema."""
    from llguidance import LLMatcher, LLTokenizer

    words = LLTokenizer("byte")

    def compiles(schema: Any) -> bool:
        try:
            grammar = LLMatcher.grammar_from_json_schema(schema)
        except ValueError:
            return False
        return not LLMatcher(words, grammar, log_level=0).is_error()

    return compiles


if __name__ == "__main__":
    main()
