"""Tools: what a model may call, from Python functions or from OpenAI's list of tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tercet.errors import GrammarError
from tercet.frontends.functions import arguments_type
from tercet.frontends.python_types import schema_of

_NAME = re.compile(r"[A-Za-z0-9_.\-]+")


@dataclass(frozen=True, eq=False)
class Tool:
    """A name, the JSON Schema of the arguments, and the function where there is one.

    `known` keeps what was worked out about the parameters, by name.
    """

    name: str
    schema: Any
    function: Callable[..., Any] | None = None
    known: dict[str, Any] = field(default_factory=dict, repr=False)


def tools_of(given: Iterable[Callable[..., Any] | Mapping[str, Any]]) -> list[Tool]:
    """The tools of a list of functions or of OpenAI's dicts, which may be mixed.

    >>> def book(city: str) -> None: ...
    >>> [tool.name for tool in tools_of([book, {"type": "function", "function": {"name": "pay"}}])]
    ['book', 'pay']

    Raises:
        GrammarError: there are none, two have one name, or one is neither.
    """
    found = [_of_dict(one) if isinstance(one, Mapping) else _of_function(one) for one in given]
    if not found:
        raise GrammarError("there are no tools", hint="pass at least one function")
    names = [tool.name for tool in found]
    for name in names:
        if names.count(name) > 1:
            raise GrammarError(f"two tools are called {name!r}", hint="give each a name of its own")
        if not _NAME.fullmatch(name):
            raise GrammarError(
                f"a tool can't be called {name!r}",
                why="its name stands in the call, between signs of the style",
                hint="use letters, digits and _ . -",
            )
    return found


def _of_function(function: Any) -> Tool:
    if not callable(function):
        raise GrammarError(
            f"a {type(function).__name__} is not a tool",
            hint='pass functions, or dicts such as {"type": "function", "function": {...}}',
        )
    name = str(getattr(function, "__name__", type(function).__name__))
    return Tool(name, schema_of(arguments_type(function)), function)


def _of_dict(given: Mapping[str, Any]) -> Tool:
    content = given.get("function", given)
    name = content.get("name") if isinstance(content, Mapping) else None
    if given.get("type", "function") != "function" or not isinstance(name, str):
        raise GrammarError(
            "this is not a tool as OpenAI's API writes one",
            excerpt=repr(dict(given))[:200],
            hint='it has a "type" of "function", and a "function" with "name" and "parameters"',
        )
    schema = content.get("parameters")
    return Tool(name, {"type": "object", "properties": {}} if schema is None else schema)
