"""Functions: their parameters are an object, and the object is a call."""

import functools
import inspect
from typing import Annotated, Literal

import pytest
from pydantic import Field

from tercet.errors import GrammarError
from tercet.frontends.functions import arguments_type, bound
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.python_types import schema_of
from tests.unit.frontends.texts import Texts


def book(city: str, nights: Annotated[int, Field(ge=1)] = 1, *, kind: "Literal['a', 'b']" = "a"):
    return city, nights, kind


class Desk:
    def __init__(self, width: int) -> None:
        self.width = width

    def lift(self, height: float, anything=None):
        return height, anything


def texts(function):
    return Texts(lower(schema_of(arguments_type(function))).language)


def test_parameters_with_defaults_may_be_left_out():
    found = texts(book)
    assert '{"city": "Oslo"}' in found
    assert '{"city": "Oslo", "nights": 2, "kind": "b"}' in found
    assert '{"city": "Oslo", "nights": 0}' not in found
    assert '{"nights": 2}' not in found
    assert '{"city": "Oslo", "more": 2}' not in found


def test_classes_methods_and_partial_functions():
    assert '{"width": 1}' in texts(Desk)
    assert '{"height": 1.5, "anything": {"a": []}}' in texts(Desk(1).lift)
    assert '{"nights": 3}' in texts(functools.partial(book, "Oslo"))
    assert "{}" in texts(lambda: None)


def test_calls():
    def sides(a: int, /, b: int, *, c: int = 0):
        return a, b, c

    call = bound(sides, {"c": 3, "a": 1, "b": 2})
    assert sides(*call.args, **call.kwargs) == (1, 2, 3)
    assert isinstance(call, inspect.BoundArguments)


def unknown(a: "Missing"):  # noqa: F821
    return a


@pytest.mark.parametrize("function", [lambda *a: a, lambda **k: k, unknown, min])
def test_refused(function):
    with pytest.raises(GrammarError):
        arguments_type(function)
