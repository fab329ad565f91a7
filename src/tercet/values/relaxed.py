"""The check of what was relaxed: jsonschema, taught the spellings that schemas mix.

Without `$schema` the front end reads words of several drafts and of OpenAPI. jsonschema knows one
draft at a time and is silent about the words of others, so a relaxed `dependencies` would be lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tercet.errors import TercetError


def validator(schema: Any, resources: Mapping[str, Any]) -> Any:
    """A jsonschema validator; `resources` are the schemas that it refers to by address.

    >>> list(validator({"dependencies": {"a": ["b"]}}, {}).iter_errors({"a": 1}))
    [<ValidationError: "'b' is a dependency of 'a'">]

    Raises:
        TercetError: jsonschema isn't installed.
    """
    try:
        from jsonschema.validators import validator_for
        from jsonschema_specifications import REGISTRY
        from referencing.jsonschema import specification_with
    except ImportError as error:
        raise TercetError(
            "relaxed keywords are checked with jsonschema, which is not installed",
            why="an unenforced keyword that is not checked either would be dropped silently",
            hint="pip install 'jsonschema[format]'",
        ) from error
    kind = validator_for(schema, default=_mixed())
    dialect = specification_with(kind.META_SCHEMA["$schema"])
    known = ((uri, dialect.create_resource(content)) for uri, content in resources.items())
    registry = REGISTRY.with_resources(known)
    return kind(schema, format_checker=kind.FORMAT_CHECKER, registry=registry)


def _mixed() -> Any:
    """Draft 2020-12 with the words of older drafts, as far as their values tell them apart."""
    from jsonschema import Draft4Validator, Draft7Validator, Draft202012Validator
    from jsonschema.validators import extend

    new, old, oldest = (
        kind.VALIDATORS for kind in (Draft202012Validator, Draft7Validator, Draft4Validator)
    )

    def items(judge: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        check = old["items"] if isinstance(value, list) else new["items"]
        yield from check(judge, value, instance, schema) or ()

    def bound(word: str) -> Any:
        def check(judge: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            if not isinstance(value, bool):  # else it is a flag, for `oldest` to read
                yield from new[word](judge, value, instance, schema) or ()

        return check

    def types(judge: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if instance is not None or schema.get("nullable") is not True:
            yield from new["type"](judge, value, instance, schema) or ()

    def dependencies(judge: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        listed = {key: [item] if isinstance(item, str) else item for key, item in value.items()}
        yield from old["dependencies"](judge, listed, instance, schema) or ()

    words = {
        "items": items,
        "additionalItems": old["additionalItems"],
        "dependencies": dependencies,
        "type": types,
        "minimum": oldest["minimum"],
        "maximum": oldest["maximum"],
        "exclusiveMinimum": bound("exclusiveMinimum"),
        "exclusiveMaximum": bound("exclusiveMaximum"),
    }
    return extend(Draft202012Validator, words)
