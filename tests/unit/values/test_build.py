"""Reading answers back."""

from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, BaseModel

from tercet.errors import TercetError
from tercet.values.build import json_reader, reader


class Person(BaseModel):
    name: str
    friends: list["Person"] = []


def even(value):
    if value % 2:
        raise ValueError("odd")
    return value


def test_types_come_back_as_themselves():
    assert reader(Person)('{"name": "a", "friends": [{"name": "b"}]}').friends[0].name == "b"
    assert reader(Literal[1, "a"])('"a"') == "a"
    assert reader(tuple[int, set[int]])("[1, [2, 2]]") == (1, {2})


def test_what_only_python_checks_is_an_error_with_its_place():
    read = reader(dict[str, list[Annotated[int, AfterValidator(even)]]])
    assert read('{"a": [2]}') == {"a": [2]}
    with pytest.raises(TercetError, match="odd") as caught:
        read('{"a": [2, 3]}')
    assert caught.value.at == "/a/1"
    assert caught.value.excerpt == '{"a": [2, 3]}'


def test_json():
    assert json_reader()('{"a": [1, null, "é"]}') == {"a": [1, None, "é"]}


def test_relaxed_keywords_are_checked_after_all():
    pytest.importorskip("jsonschema")
    read = json_reader({"items": {"uniqueItems": True}})
    assert read("[[1, 2]]") == [[1, 2]]
    with pytest.raises(TercetError, match="relaxed") as caught:
        read("[[1], [1, 1]]")
    assert caught.value.at == "/1"
