"""A function's parameters as a type, so that a call is one more value to generate.

The arguments are a JSON object: one member for each parameter, optional where there is a default.
`python_types` and `values` then treat that type like any other; nothing here runs the function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from tercet.errors import GrammarError

_VARIADIC = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def arguments_type(function: Callable[..., Any]) -> Any:
    """A TypedDict of the function's parameters; what has no annotation may be any JSON value.

    >>> def book(city: str, nights: int = 1) -> None: ...
    >>> from tercet.frontends.python_types import schema_of
    >>> schema = schema_of(arguments_type(book))
    >>> schema["required"], list(schema["properties"])
    (['city'], ['city', 'nights'])

    Raises:
        GrammarError: it takes *args or **kwargs, or its annotations can't be resolved.
    """
    name = getattr(function, "__name__", type(function).__name__)
    fields: dict[str, Any] = {}
    for parameter in _signature(function, name).parameters.values():
        if parameter.kind in _VARIADIC:
            raise GrammarError(
                f"{name} takes {_VARIADIC[parameter.kind]}{parameter.name}",
                at=f"{name}{inspect.signature(function)}",
                why="a call has to have a known list of parameters",
                hint="wrap it in a function that names its parameters",
            )
        hint = Any if parameter.annotation is parameter.empty else parameter.annotation
        is_optional = parameter.default is not parameter.empty
        fields[parameter.name] = NotRequired[hint] if is_optional else hint
    # the functional form takes names that a class body can't have
    return TypedDict(name, fields)  # type: ignore[operator]


def bound(function: Callable[..., Any], arguments: Mapping[str, Any]) -> inspect.BoundArguments:
    """Arguments by name as the function takes them, positional-only ones included.

    >>> call = bound(divmod, {"x": 7, "y": 2})
    >>> divmod(*call.args, **call.kwargs)
    (3, 1)
    """
    signature = inspect.signature(function)
    call = signature.bind_partial()
    call.arguments.update(
        (name, arguments[name]) for name in signature.parameters if name in arguments
    )
    return call


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except (NameError, SyntaxError, TypeError, ValueError) as error:
        raise GrammarError(
            f"the parameters of {name} can't be read",
            why=str(error),
            hint="annotate them with types that are defined where the function is",
        ) from error
