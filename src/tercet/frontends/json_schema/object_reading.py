"""The keywords of objects, as they are written, become `ObjectWords` and unions.

Apart from `reading` because there are so many of them. Patterns of keys are parsed here; what they
mean together is `keys`' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tercet.automata.regex import Regex
from tercet.frontends.json_schema.assertions import Assertions
from tercet.frontends.json_schema.place import Document, Place
from tercet.frontends.json_schema.schema import ALWAYS, AnyOf, ObjectWords, Schema
from tercet.frontends.json_schema.shapes import SHAPES, is_schema

Words = dict[str, Any]
SchemaAt = Callable[[Any, Place], Schema]
"""Gives the schema of a content that stands at a place."""

_WORDS = frozenset(
    {
        *("properties", "required", "additionalProperties", "patternProperties", "propertyNames"),
        *("minProperties", "maxProperties", "dependencies", "dependentRequired"),
        "dependentSchemas",
    }
)

_DEPENDENT = frozenset({"dependencies", "dependentRequired", "dependentSchemas"})


class ObjectReader:
    """Reads the keywords of objects of one document."""

    def __init__(self, document: Document, assertions: Assertions) -> None:
        self._document = document
        self._assertions = assertions

    def words(self, words: Words, place: Place, schema: SchemaAt) -> ObjectWords | None:
        """What the keywords say about the members of an object, None if there are none."""
        if _WORDS.isdisjoint(words):
            return None
        properties, patterns = place.at("properties"), place.at("patternProperties")
        low, high = self._assertions.counts(words, place, "Properties")
        by_pattern: dict[Regex, list[Schema]] = {}
        for pattern, item in words.get("patternProperties", {}).items():
            at = patterns.at(pattern)
            by_pattern.setdefault(self._pattern(pattern, at), []).append(schema(item, at))
        return ObjectWords(
            {name: schema(item, properties.at(name)) for name, item in _map(words, "properties")},
            tuple(dict.fromkeys(words.get("required", ()))),
            self._one("additionalProperties", words, place, schema),
            tuple((keys, item) for keys, items in by_pattern.items() for item in items),
            self._one("propertyNames", words, place, schema),
            low,
            high,
            ()
            if _DEPENDENT.isdisjoint(words)
            else tuple(dict.fromkeys(self._implied(words, place))),
        )

    def unevaluated(self, words: Words, place: Place, schema: SchemaAt) -> Schema | None:
        """The schema of the members that no other keyword looks at."""
        return self._one("unevaluatedProperties", words, place, schema)

    def _one(self, word: str, words: Words, place: Place, schema: SchemaAt) -> Schema | None:
        return schema(words[word], place.at(word)) if word in words else None

    def _pattern(self, pattern: str, place: Place) -> Regex:
        return self._assertions.pattern(pattern, place, "patternProperties")

    def _implied(self, words: Words, place: Place) -> Iterable[tuple[str, str]]:
        """Pairs of names: with the first there has to be the second."""
        for word in ("dependencies", "dependentRequired", "dependentSchemas"):
            for name, asked in _map(words, word):
                if isinstance(asked, str):
                    asked = [asked]  # as before draft 4
                if isinstance(asked, dict) and asked.keys() == {"required"}:
                    asked = asked["required"]
                is_needed = word == "dependentRequired"
                if is_needed or not is_schema(asked):
                    self._check_names(asked, place.at(word, name))
                    yield from ((name, other) for other in asked if other != name)

    def _check_names(self, names: object, place: Place) -> None:
        what, fits = SHAPES["names"]
        if not fits(names):
            raise self._document.malformed(f'"{place.key}" must be {what}', place)

    def dependent(self, words: Words, place: Place, schema: SchemaAt) -> Iterable[AnyOf]:
        """Schemas that hold if a member is there, as conditions."""
        for word in ("dependencies", "dependentSchemas"):
            for name, asked in _map(words, word):
                at = place.at(word, name)
                is_implied = isinstance(asked, dict) and asked.keys() <= {"required"}
                if is_schema(asked) and not (asked is True or is_implied):
                    yield AnyOf(at, (_with_member(name, at), schema(asked, at), ALWAYS), "if")


def _map(words: Words, word: str) -> Iterable[tuple[str, Any]]:
    content: Words = words.get(word, {})
    return content.items()


def _with_member(name: str, place: Place) -> Schema:
    """The objects that have a member."""
    words = ObjectWords({}, (name,))
    return Schema(place, types=frozenset({"object"}), objects=words)
