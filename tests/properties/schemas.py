"""Random JSON Schemas over few names and values, and instances near them.

Everything is drawn from small pools, so that bounds, enums and names meet. Only keywords that are
enforced are used; a schema may still have no instance.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Any

KEYS = ("a", "ab", "b", "", "é", 'q"')
STRINGS = ("", "a", "ab", "abc", "aab", "é", "éé", 'b"', "\n", "2024-02-29", "2023-02-29", "xyzzy")
NUMBERS = (0, 1, 2, 3, 5, 7, 10, 12, 99, 100, -1, -3, -10, 0.5, 1.5, -0.25, 2.25, 1e-05, 12.75)
PATTERNS = (
    "^a",
    "b$",
    "a",
    "^[a-c]+$",
    "^(ab)*$",
    "^.{2}$",
    "[^a]",
    "é|\\n",
    "^a?b?$",
    "^$",
    "x+y",
)
TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")


@dataclass
class Drawing:
    """Draws schemas and instances from one random generator."""

    rng: random.Random

    def some(self, pool: Any, least: int, most: int) -> list[Any]:
        return self.rng.sample(pool, self.rng.randint(least, min(most, len(pool))))

    def maybe(self, chance: float = 0.4) -> bool:
        return self.rng.random() < chance

    def schema(self, depth: int = 3) -> Any:
        """Any schema."""
        kinds = [self.typed] * 8 + [self.enumerated, self.boolean]
        if depth > 0:
            kinds += [self.any_of, self.all_of, self.reference, self.one_of, self.but, self.if_]
        return self.rng.choice(kinds)(depth)

    def boolean(self, depth: int) -> Any:
        return self.rng.random() < 0.8

    def enumerated(self, depth: int) -> Any:
        if self.maybe():
            return {"const": self.instance(1)}
        return {"enum": [self.instance(1) for _ in range(self.rng.randint(1, 4))]}

    def reference(self, depth: int) -> Any:
        return {"$ref": f"#/$defs/{self.rng.choice('xy')}"}

    def any_of(self, depth: int) -> Any:
        options = [self.schema(depth - 1) for _ in range(self.rng.randint(1, 3))]
        siblings = self.typed(depth - 1) if self.maybe(0.3) else {}
        return {**siblings, "anyOf": options}

    def all_of(self, depth: int) -> Any:
        return {"allOf": [self.schema(depth - 1) for _ in range(self.rng.randint(1, 2))]}

    def one_of(self, depth: int) -> Any:
        options = [self.schema(depth - 1) for _ in range(self.rng.randint(1, 3))]
        return {**(self.typed(depth - 1) if self.maybe(0.3) else {}), "oneOf": options}

    def but(self, depth: int) -> Any:
        return {**self.typed(depth - 1), "not": self.schema(depth - 2)}

    def if_(self, depth: int) -> Any:
        found = {**(self.typed(depth - 1) if self.maybe() else {}), "if": self.schema(depth - 2)}
        for keyword in self.some(("then", "else"), 1, 2):
            found[keyword] = self.schema(depth - 2)
        return found

    def typed(self, depth: int) -> Any:
        types = self.some(TYPES, 1, 2)
        parts = (getattr(self, f"_{kind}")(depth) for kind in types)
        found = {"type": types[0] if len(types) == 1 else types}
        if self.maybe(0.1):
            found = {}  # keywords that only bind the values of their kind
        for part in parts:
            found.update(part)
        return found

    def _string(self, depth: int) -> Any:
        found: dict[str, Any] = {}
        if self.maybe():
            found["minLength"] = self.rng.randint(0, 3)
        if self.maybe():
            found["maxLength"] = self.rng.randint(0, 4)
        if self.maybe(0.3):
            found["pattern"] = self.rng.choice(PATTERNS)
        elif self.maybe(0.1):
            found["format"] = "date"
        return found

    def _number(self, depth: int) -> Any:
        found: dict[str, Any] = {}
        for keyword in self.some(("minimum", "exclusiveMinimum"), 0, 1):
            found[keyword] = self.rng.choice(NUMBERS)
        for keyword in self.some(("maximum", "exclusiveMaximum"), 0, 1):
            found[keyword] = self.rng.choice(NUMBERS)
        if self.maybe(0.2):
            found["multipleOf"] = self.rng.choice((1, 2, 3, 5, 0.5, 0.25, 2.5))
        return found

    _integer = _number

    def _boolean(self, depth: int) -> Any:
        return {}

    _null = _boolean

    def _array(self, depth: int) -> Any:
        found: dict[str, Any] = {}
        if self.maybe():
            found["prefixItems"] = [self.schema(depth - 1) for _ in range(self.rng.randint(1, 2))]
        if self.maybe(0.6):
            found["items"] = self.schema(depth - 1)
        if self.maybe():
            found["minItems"] = self.rng.randint(0, 2)
        if self.maybe():
            found["maxItems"] = self.rng.randint(0, 3)
        if self.maybe(0.2):
            found["contains"] = self.schema(depth - 1)
            for keyword in self.some(("minContains", "maxContains"), 0, 2):
                found[keyword] = self.rng.randint(0, 2)
        elif self.maybe(0.1):
            found["uniqueItems"] = True
        return found

    def _object(self, depth: int) -> Any:
        names = self.some(KEYS, 0, 3)
        found: dict[str, Any] = {"properties": {name: self.schema(depth - 1) for name in names}}
        if self.maybe():
            found["required"] = self.some(KEYS if self.maybe(0.2) else names, 0, 2)
        if self.maybe():
            found["additionalProperties"] = self.schema(depth - 1)
        return {**found, **self._object_rest(depth)}

    def _object_rest(self, depth: int) -> dict[str, Any]:
        """The keywords that are rarer, one or two at a time."""
        pair = self.rng.sample(KEYS, 2)
        rest = {
            "minProperties": self.rng.randint(0, 2),
            "maxProperties": self.rng.randint(0, 3),
            "patternProperties": {self.rng.choice(PATTERNS): self.schema(depth - 1)},
            "propertyNames": self.rng.choice(
                ({"maxLength": 1}, {"pattern": "^a"}, {"not": {"const": "b"}})
            ),
            "dependentRequired": {pair[0]: [pair[1]]},
            "dependentSchemas": {pair[0]: self.schema(depth - 2)},
        }
        return {keyword: rest[keyword] for keyword in self.some(list(rest), 0, 2 * self.maybe(0.3))}

    def document(self) -> Any:
        """A schema with two definitions, which may be recursive."""
        root = self.schema()
        defs = {name: self.typed(2) for name in "xy"}
        return {**root, "$defs": defs} if isinstance(root, dict) else root

    def instance(self, depth: int = 3) -> Any:
        """Any small value."""
        kinds = ["string", "number", "number", "constant"] + ["array", "object"] * (depth > 0)
        match self.rng.choice(kinds):
            case "string":
                return self.rng.choice(STRINGS)
            case "number":
                return self.rng.choice(NUMBERS)
            case "constant":
                return self.rng.choice((True, False, None))
            case "array":
                return [self.instance(depth - 1) for _ in range(self.rng.randint(0, 3))]
            case _:
                return {name: self.instance(depth - 1) for name in self.some(KEYS, 0, 3)}

    def near(self, schema: Any, root: Any, depth: int = 4) -> Any:
        """A value that tries to fit: not always valid, but often."""
        if not isinstance(schema, dict) or depth < 0 or self.maybe(0.08):
            return self.instance(1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        if "$ref" in schema:
            return self.near(root["$defs"][schema["$ref"][-1]], root, depth - 1)
        for keyword in ("anyOf", "allOf", "oneOf"):
            if keyword in schema:
                return self.near(self.rng.choice(schema[keyword]), root, depth - 1)
        types = schema.get("type", list(TYPES))
        match self.rng.choice(types) if isinstance(types, list) else types:
            case "array":
                return self._near_array(schema, root, depth)
            case "object":
                return self._near_object(schema, root, depth)
            case "string":
                return self.rng.choice(STRINGS)
            case "boolean":
                return self.maybe(0.5)
            case "null":
                return None
            case kind:
                whole = [number for number in NUMBERS if isinstance(number, int)]
                return self.rng.choice(whole if kind == "integer" else NUMBERS)

    def _near_array(self, schema: Any, root: Any, depth: int) -> list[Any]:
        prefix, rest = schema.get("prefixItems", []), schema.get("items", True)
        count = self.rng.randint(schema.get("minItems", 0), max(schema.get("maxItems", 3), 2))
        parts = [*prefix, *itertools.repeat(rest, 5)][:count]
        return [self.near(part, root, depth - 1) for part in parts]

    def _near_object(self, schema: Any, root: Any, depth: int) -> dict[str, Any]:
        declared, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        wanted = schema.get("required", [])
        names = [n for n in declared if n in wanted or self.maybe(0.6)]
        names += [n for n in wanted if n not in names] + self.some(KEYS, 0, 2) * self.maybe()
        return {n: self.near(declared.get(n, others), root, depth - 1) for n in names}
