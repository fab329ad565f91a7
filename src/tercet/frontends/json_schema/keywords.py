"""The words of JSON Schema: what each constrains, what its value must be, which draft brought it.

This is the table that decides between enforcing, refusing and letting through. It says nothing of
how a keyword is enforced (`reading`) or how a refusal is worded (`refusals`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Keyword(NamedTuple):
    """`kind` is the JSON kind it constrains ("" all); `shape` names an entry of `shapes.SHAPES`."""

    kind: str
    shape: str
    since: int = 4


OPENAPI = 9999
"""Later than every draft: understood only where no `$schema` says that it is JSON Schema."""

KEYWORDS: dict[str, Keyword] = {
    # every kind
    "type": Keyword("", "types"),
    "nullable": Keyword("", "boolean", since=OPENAPI),
    "enum": Keyword("", "list"),
    "const": Keyword("", "anything", since=6),
    "anyOf": Keyword("", "schemas"),
    "allOf": Keyword("", "schemas"),
    "oneOf": Keyword("", "schemas"),
    "not": Keyword("", "schema"),
    "if": Keyword("", "schema", since=7),
    "then": Keyword("", "schema", since=7),
    "else": Keyword("", "schema", since=7),
    "$ref": Keyword("", "string"),
    "$dynamicRef": Keyword("", "string", since=2020),
    "$recursiveRef": Keyword("", "string", since=2019),
    # strings
    "minLength": Keyword("string", "count"),
    "maxLength": Keyword("string", "count"),
    "pattern": Keyword("string", "string"),
    "format": Keyword("string", "string"),
    # numbers
    "minimum": Keyword("number", "number"),
    "maximum": Keyword("number", "number"),
    "exclusiveMinimum": Keyword("number", "number or boolean"),
    "exclusiveMaximum": Keyword("number", "number or boolean"),
    "multipleOf": Keyword("number", "positive number"),
    # arrays
    "items": Keyword("array", "schema or list of schemas"),
    "prefixItems": Keyword("array", "schemas", since=2020),
    "additionalItems": Keyword("array", "schema"),
    "minItems": Keyword("array", "count"),
    "maxItems": Keyword("array", "count"),
    "uniqueItems": Keyword("array", "boolean"),
    "contains": Keyword("array", "schema", since=6),
    "minContains": Keyword("array", "count", since=2019),
    "maxContains": Keyword("array", "count", since=2019),
    "unevaluatedItems": Keyword("array", "schema", since=2019),
    # objects
    "properties": Keyword("object", "map of schemas"),
    "required": Keyword("object", "names"),
    "additionalProperties": Keyword("object", "schema"),
    "patternProperties": Keyword("object", "map of schemas"),
    "propertyNames": Keyword("object", "schema", since=6),
    "minProperties": Keyword("object", "count"),
    "maxProperties": Keyword("object", "count"),
    "dependencies": Keyword("object", "map"),
    "dependentRequired": Keyword("object", "map", since=2019),
    "dependentSchemas": Keyword("object", "map of schemas", since=2019),
    "unevaluatedProperties": Keyword("object", "schema", since=2019),
}

ANNOTATIONS = frozenset(
    {
        *("title", "description", "default", "examples", "example", "deprecated"),
        *("readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema"),
        *("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"),
        *("$comment", "$defs", "definitions"),
        *("discriminator", "externalDocs", "xml"),  # OpenAPI's
    }
)
"""Words that constrain nothing themselves, known to some draft or so usual that no one errs."""

DRAFTS = {
    "draft-04": 4,
    "draft-06": 6,
    "draft-07": 7,
    "draft/2019-09": 2019,
    "draft/2020-12": 2020,
}
ANY_DRAFT = 0
"""No `$schema`, or one of their own: 2020-12, and older spellings are understood too."""


def draft_of(schema: object) -> int:
    """The draft that a schema document declares.

    >>> draft_of({"$schema": "http://json-schema.org/draft-07/schema#"}), draft_of({})
    (7, 0)
    """
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(declared, str):
        return ANY_DRAFT
    path = declared.partition("json-schema.org/")[2]
    return next((year for name, year in DRAFTS.items() if path.startswith(name)), ANY_DRAFT)


def is_refused_draft(schema: object) -> bool:
    """Whether the document declares a draft whose keywords mean something else (1 to 3)."""
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    path = declared.partition("json-schema.org/")[2] if isinstance(declared, str) else ""
    return path.startswith(("draft-00", "draft-01", "draft-02", "draft-03"))


_VOCABULARIES = {
    "vocab/validation": frozenset(
        {
            *("type", "enum", "const", "minLength", "maxLength", "pattern", "minimum", "maximum"),
            *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
            *("uniqueItems", "minContains", "maxContains", "required", "minProperties"),
            *("maxProperties", "dependentRequired"),
        }
    ),
    "vocab/format": frozenset({"format"}),
    "vocab/applicator": frozenset(
        {
            *("properties", "patternProperties", "additionalProperties", "propertyNames"),
            *("items", "prefixItems", "additionalItems", "contains", "dependentSchemas"),
            *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        }
    ),
}


def unused_words(schema: object, resources: Mapping[str, object]) -> frozenset[str]:
    """The keywords that mean nothing by the `$vocabulary` of the document's own meta-schema.

    The published meta-schemas have them all; `format` counts unless it is only an annotation.
    """
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(declared, str) or "//json-schema.org/" in declared:
        return frozenset()
    known = resources.get(declared.rstrip("#"))
    words = known.get("$vocabulary") if isinstance(known, dict) else None
    if not isinstance(words, dict):
        return frozenset()
    used = [str(word) for word in words if not str(word).endswith("format-annotation")]
    unused = (w for name, w in _VOCABULARIES.items() if not any(name in word for word in used))
    return frozenset().union(*unused)
