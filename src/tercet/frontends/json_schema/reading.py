"""From the document to schemas: one pass over what can be reached, which refuses and warns.

After this pass nothing is left of how a schema was written. It follows references, so definitions
that nothing uses are never judged, and it uses a list of things to do instead of recursion, so no
depth of nesting is too much. What schemas mean together is `canonical`'s.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from tercet.frontends.json_schema.assertions import Assertions
from tercet.frontends.json_schema.keywords import (
    ANY_DRAFT,
    KEYWORDS,
    is_refused_draft,
)
from tercet.frontends.json_schema.linking import link
from tercet.frontends.json_schema.numbers import ANY_DIGITS, ANY_NUMBER
from tercet.frontends.json_schema.object_reading import ObjectReader
from tercet.frontends.json_schema.options import JsonOptions
from tercet.frontends.json_schema.place import ROOT, Document, Place
from tercet.frontends.json_schema.references import References, ScopesNeeded
from tercet.frontends.json_schema.resources import Resource, Scope
from tercet.frontends.json_schema.schema import (
    ALWAYS,
    NEVER,
    AnyOf,
    ArrayWords,
    Schema,
    Value,
    is_plain,
)
from tercet.frontends.json_schema.words import Found, Words

Contains = tuple[Schema, int, int | None]

_ONLY_TYPE = {"type"}
_PARTS = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if"),
        *("dependencies", "dependentSchemas"),
    }
)


class Reader:
    """Reads one document."""

    def __init__(self, document: Document, options: JsonOptions) -> None:
        self._document = document
        self._words = Words(document, options)
        self._references = References(document)
        self._assertions = Assertions(document, options.style)
        self._objects = ObjectReader(document, self._assertions)
        self._schemas: dict[tuple[int, str, Scope], Schema] = {}
        self._places: dict[Schema, None] = {}
        self._todo: list[tuple[Schema, Found, Resource]] = []
        self._in_order: list[Schema] = []  # as one reads the document, references followed

    @property
    def relaxed(self) -> tuple[str, ...]:
        """The keywords that were left out because the caller said so."""
        return tuple(self._words.relaxed)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What deserves a second look."""
        return tuple(self._words.warnings.values())

    def read(self) -> Schema:
        """The schema of the whole document."""
        content = self._document.content
        if is_refused_draft(content):
            raise self._document.unsupported(
                ROOT.at("$schema"), "$schema", why="drafts 1 to 3 have other keywords"
            )
        try:
            root = self._read_all()
        except ScopesNeeded:
            root = self._read_all()
        link(self._in_order, self._document)
        return root

    def _read_all(self) -> Schema:
        self._schemas.clear()
        self._places.clear()
        self._todo.clear()
        self._in_order.clear()
        root = self._schema(self._document.content, ROOT, self._references.root)
        while self._todo:
            schema, content, resource = self._todo.pop()
            known = len(self._todo)
            self._fill(schema, content, resource)
            self._todo[known:] = reversed(self._todo[known:])
            self._in_order.append(schema)
        return root

    def intersections(self) -> list[Value]:
        """The values that may turn out not to be canonical, or to have objects that are not."""
        values = {schema.atoms for schema in self._places if not is_plain(schema.atoms)}
        return [*values, *(s.atoms for s in self._places if s.objects and not s.objects.is_simple)]

    def _schema(self, content: Any, place: Place, resource: Resource) -> Schema:
        """The schema of a value of its own, not only part of another that says more of it."""
        schema = self._part(content, place, resource)
        self._places[schema] = None
        return schema

    def _part(self, content: Any, place: Place, resource: Resource) -> Schema:
        """A schema, to be filled in later unless it is known."""
        if content is True:
            return ALWAYS
        if content is False:
            return NEVER
        if not isinstance(content, dict):
            raise self._document.malformed(
                "this is not a schema", place, why="a schema is an object, true or false"
            )
        if "$id" in content or "id" in content:
            resource = self._references.inside(content, place, resource)
        key = (id(content), resource.uri, resource.scope)
        schema = self._schemas.get(key)
        if schema is None:
            schema = self._schemas[key] = Schema(place)
            self._todo.append((schema, content, resource))
        return schema

    def _fill(self, schema: Schema, content: Found, resource: Resource) -> None:
        words, place = self._words.known(content, schema.place, resource), schema.place
        schema.types = self._assertions.types(words)
        if words.keys() != _ONLY_TYPE:  # as half of all schemas have, annotations aside
            self._fill_words(schema, words, place, resource)
        if resource.draft == 4 and "integer" in schema.types:
            is_any = schema.numbers is ANY_NUMBER
            digits = ANY_DIGITS if is_any else replace(schema.numbers, digits_only=True)
            schema.numbers = digits

    def _fill_words(self, schema: Schema, words: Found, place: Place, resource: Resource) -> None:
        kinds = {KEYWORDS[word].kind for word in words}  # most schemas have words of one or two
        schema.values = self._assertions.values(words, place)
        if "number" in kinds:
            schema.numbers = self._assertions.numbers(words, place)
        if "string" in kinds:
            self._words.check_format(words.get("format"), place)
            schema.strings = self._assertions.strings(words, place)
        if "array" in kinds:
            schema.arrays = self._arrays(words, place, resource)
            schema.unevaluated_items = self._unevaluated_items(words, place, resource)
        if "object" in kinds:
            inside = partial(self._schema, resource=resource)
            schema.objects = self._objects.words(words, place, inside)
            schema.unevaluated = self._objects.unevaluated(words, place, inside)
        if not _PARTS.isdisjoint(words):
            self._read_parts(schema, words, resource)

    # Schemas inside of schemas

    def _arrays(self, words: Found, place: Place, resource: Resource) -> ArrayWords | None:
        names = ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems")
        if not any(name in words for name in names):
            return None
        rest_word, rest, prefix_word = "items", words.get("items", True), "prefixItems"
        prefix = words.get("prefixItems", ())
        if isinstance(rest, (list, tuple)):  # as before 2020-12
            if "prefixItems" in words:
                raise self._document.malformed(
                    '"items" must be a schema beside "prefixItems"', place.at("items")
                )
            prefix, prefix_word = rest, "items"
            rest_word, rest = "additionalItems", words.get("additionalItems", True)
        low, high = self._assertions.counts(words, place, "Items")
        evaluates = "contains" in words and resource.draft in {ANY_DRAFT, 2020}
        return ArrayWords(
            tuple(
                self._schema(item, place.at(prefix_word, number), resource)
                for number, item in enumerate(prefix)
            ),
            self._schema(rest, place.at(rest_word), resource),
            low,
            high,
            self._contains(words, place, resource),
            words.get("uniqueItems", False) and (high is None or high > 1),
            rest_word in words,
            self._schema(words["contains"], place.at("contains"), resource) if evaluates else None,
        )

    def _unevaluated_items(self, words: Found, place: Place, resource: Resource) -> Schema | None:
        if "unevaluatedItems" not in words:
            return None
        content = words["unevaluatedItems"]
        return self._schema(
            True if content == {} else content, place.at("unevaluatedItems"), resource
        )

    def _contains(self, words: Found, place: Place, resource: Resource) -> Contains | None:
        if "contains" not in words:
            return None
        low, high = self._assertions.counts({"minContains": 1} | words, place, "Contains")
        if low == 0 and high is None:
            return None
        return self._schema(words["contains"], place.at("contains"), resource), low, high

    def _read_parts(self, schema: Schema, words: Found, resource: Resource) -> None:
        before, after, place = list[Schema | AnyOf](), list[Schema | AnyOf](), schema.place
        parts = before if "properties" in words else after
        for word, value in words.items():
            at = place.at(word)
            if word == "properties":
                parts = after
            elif word == "$ref":
                parts.append(self._part(*self._references.resolve(value, at, resource)))
            elif word in {"$dynamicRef", "$recursiveRef"}:
                parts.append(self._part(*self._references.resolve_dynamic(value, at, resource)))
            elif word in {"allOf", "anyOf", "oneOf"}:
                options = tuple(
                    self._part(item, at.at(number), resource) for number, item in enumerate(value)
                )
                parts += options if word == "allOf" else (AnyOf(at, options, word),)
            elif word == "not":
                parts.append(AnyOf(at, (self._part(value, at, resource),), word))
            elif word == "if":
                branches = tuple(
                    self._part(words.get(name, True), place.at(name), resource)
                    for name in ("if", "then", "else")
                )
                parts.append(AnyOf(at, branches, word))
        parts += self._objects.dependent(words, place, partial(self._schema, resource=resource))
        schema.before, schema.after = tuple(before), tuple(after)
