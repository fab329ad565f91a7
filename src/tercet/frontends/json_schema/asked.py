"""A schema as a caller passes it: JSON values, a file, or the schema of a type; and as a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tercet.errors import GrammarError
from tercet.frontends.json_schema.options import JsonOptions

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def schema_text(schema: Any) -> str:
    """A schema as JSON text, in its own order (the order of properties is part of the meaning)."""
    try:
        return _encoded(schema)
    except (TypeError, ValueError, RecursionError) as error:
        raise GrammarError("the schema is not JSON", why=str(error)) from error


def type_key(spec: Any, schema: Any) -> Any:
    """A type as a key; one that can't be hashed is known by its schema."""
    try:
        hash(spec)
    except TypeError:
        return schema_text(schema)
    return spec


def content_of(schema: Any) -> Any:
    """A schema, read from its file if it was given as a path; no schema allows anything."""
    from tercet.frontends.json_schema.files import read_schema

    if schema is None:
        return True
    return read_schema(schema) if isinstance(schema, (str, Path)) else schema


def lower_json(
    schema: Any, options: JsonOptions, resources: Mapping[str, Any] | None = None
) -> Any:
    """The compiler's `lower`, imported when it is first needed."""
    from tercet.frontends.json_schema.compiler import lower

    return lower(schema, options, resources or {})
