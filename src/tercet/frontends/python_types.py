"""Python types become JSON Schemas: pydantic's, tightened where it says less than it checks.

The schema of a type describes JSON text that `pydantic.TypeAdapter(type).validate_json` takes, and
nothing that it would refuse. So models, dataclasses and TypedDicts are closed unless they keep
extra fields, and what pydantic checks without saying so in its schema is refused or spelled out
(`pydantic_kinds`). Validators written in Python are beyond any grammar: `values` reports them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from typing_extensions import TypeForm

from tercet.errors import GrammarError, TercetError
from tercet.frontends.pydantic_kinds import OVERRIDES, UNCHECKED_FORMATS


def schema_of(spec: TypeForm[Any]) -> dict[str, Any]:
    """The JSON Schema of a type.

    >>> schema_of(tuple[int, bool])["prefixItems"]
    [{'type': 'integer'}, {'type': 'boolean'}]

    Raises:
        GrammarError: values of the type have no JSON form, or one that a schema can't describe.
    """
    import pydantic

    try:
        adapter = pydantic.TypeAdapter[Any](spec)
        schema = adapter.json_schema(schema_generator=_generator(), mode="validation")
    except TercetError as error:
        if not error.at:
            error.at = _name(spec)
        raise
    except (pydantic.PydanticUserError, pydantic.PydanticSchemaGenerationError) as error:
        raise GrammarError(
            "this is not a type that has JSON values",
            at=_name(spec),
            why=str(error).split("\n", 1)[0],
            hint="use a type that pydantic can read from JSON, or Grammar.json with a schema",
        ) from error
    _settle_formats(schema, spec)
    return schema


@cache
def _generator() -> type[Any]:
    """Pydantic's generator with our overrides; made late, as pydantic is slow to import."""
    from pydantic.json_schema import GenerateJsonSchema

    return type("TercetJsonSchema", (GenerateJsonSchema,), OVERRIDES)


def _settle_formats(schema: dict[str, Any], spec: TypeForm[Any]) -> None:
    todo: list[Any] = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo += item
        elif isinstance(item, dict):
            name = item.get("format")
            if isinstance(name, str) and name in UNCHECKED_FORMATS:
                raise GrammarError(
                    f'strings of the format "{name}" are checked by Python code',
                    at=_name(spec),
                    why="no grammar says exactly which texts that code takes",
                    hint="use str with a pattern instead",
                )
            if "pattern" in item and str(name).startswith("uuid"):
                del item["format"]  # the pattern says it, and JSON Schema has no "uuid4"
            todo += item.values()


def _name(spec: object) -> str:
    return spec.__qualname__ if isinstance(spec, type) else str(spec)
