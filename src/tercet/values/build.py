"""Readers: functions from the text of an answer to the value that the caller asked for.

Apart from the front ends, which say what may be written: a type has one of each. The text is known
to be in the language, so reading fails only on what no grammar can express, such as a validator
written in Python or a keyword that was relaxed; that is a `TercetError`, with the text in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from typing_extensions import TypeForm

from tercet.errors import TercetError
from tercet.values.parts import part_type
from tercet.values.relaxed import validator

T = TypeVar("T")


def reader(spec: TypeForm[T]) -> TypeReader[T]:
    """Reads the JSON text of a type.

    >>> reader(tuple[int, str])('[1, "a"]')
    (1, 'a')

    The reader raises TercetError where the type has rules that no grammar enforces.
    """
    return TypeReader(spec)


class TypeReader(Generic[T]):
    """Reads whole texts of a type, and parts of them while they are written."""

    def __init__(self, spec: TypeForm[T]) -> None:
        from pydantic import TypeAdapter

        self._spec = spec
        self._adapter: TypeAdapter[T] = TypeAdapter(spec)

    def __call__(self, text: str) -> T:
        """Return the value of a text."""
        from pydantic import ValidationError

        try:
            return self._adapter.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise TercetError(
                f"the answer is JSON of the right form, but {first['msg'].lower()}",
                at="/".join(("", *map(str, first["loc"]))) or "#",
                excerpt=text,
                why="the type checks more than a grammar can: validators, exact decimals",
                hint="state the rule as a limit of the type, or ask again",
            ) from error

    def part(self, pointer: str, value: Any) -> Any:
        """Return a part's JSON value as what the type says; as it is where that isn't certain.

        >>> reader(dict[str, tuple[int, int]]).part("/a", [1, 2])
        (1, 2)
        """
        from pydantic import PydanticUserError, TypeAdapter, ValidationError

        spec = part_type(self._spec, pointer)
        if spec is Any:
            return value
        try:
            return TypeAdapter(spec).validate_json(json.dumps(value))
        except (PydanticUserError, ValidationError):
            return value


def json_reader(
    relaxed_schema: Any = True,  # noqa: FBT002
    resources: Mapping[str, Any] | None = None,
) -> Callable[[str], Any]:
    """Reads JSON text, and checks it by a schema whose keywords weren't all enforced.

    `resources` are the schemas that it refers to by address.

    >>> json_reader()('{"a": [1, null]}')
    {'a': [1, None]}

    Raises:
        TercetError: there is a schema to check, and jsonschema isn't installed.
    """
    if relaxed_schema is True:
        return json.loads
    judge = validator(relaxed_schema, resources or {})

    def read(text: str) -> Any:
        value = json.loads(text)
        for error in judge.iter_errors(value):
            place = "".join(f"/{key}" for key in error.absolute_path) or "#"
            raise TercetError(
                f"the answer breaks a relaxed keyword: {error.message:.200}",
                at=place,
                excerpt=text,
                why=f'"{error.validator}" was named in lax, so it was checked only now',
                hint="ask again, or leave the keyword out of the schema",
            )
        return value

    return read
