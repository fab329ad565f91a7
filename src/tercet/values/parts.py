"""Which type a part of a type's JSON has: where an answer is given out piece by piece.

Follows fields, items and values of dataclasses, TypedDicts, NamedTuples, pydantic models, lists,
tuples and dicts. Where it isn't certain (a union with several candidates, an alias), there is none,
and the part stays plain JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

_ANY: Any = Any


def part_type(spec: Any, pointer: str) -> Any:
    """Return the type of the part at a JSON Pointer, or `Any`.

    >>> part_type(dict[str, list[int | None]], "/a/0")
    int | None
    >>> part_type(int | list[int], "/0")
    typing.Any
    """
    for key in pointer.split("/")[1:]:
        spec = _inside(spec, key.replace("~1", "/").replace("~0", "~"))
    return spec


def _inside(spec: Any, key: str) -> Any:
    origin, arguments = get_origin(spec), get_args(spec)
    if origin is Annotated:
        return _inside(arguments[0], key)
    if origin in (Union, UnionType):
        others = [one for one in arguments if one is not NoneType]
        return _inside(others[0], key) if len(others) == 1 else _ANY
    if isinstance(origin, type):
        return _item(origin, arguments, key)
    if isinstance(spec, type) and (is_typeddict(spec) or hasattr(spec, "__annotations__")):
        try:
            return get_type_hints(spec, include_extras=True).get(key, _ANY)
        except NameError:
            return _ANY
    return _ANY


def _item(origin: type, arguments: tuple[Any, ...], key: str) -> Any:
    if issubclass(origin, tuple) and arguments[-1:] != (...,):
        return arguments[int(key)] if int(key) < len(arguments) else _ANY
    if issubclass(origin, Mapping):
        return arguments[1]
    if issubclass(origin, (Sequence, AbstractSet)):
        return arguments[0]
    return _ANY
