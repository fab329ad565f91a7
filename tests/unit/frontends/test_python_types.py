"""Types: whatever is written for one, pydantic reads it."""

import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import random
import re
import uuid
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from tercet.errors import GrammarError, TercetError
from tercet.frontends.json_schema.compiler import lower
from tercet.frontends.python_types import schema_of
from tests.unit.frontends.texts import Texts


class Size(enum.Enum):
    SMALL = "s"
    HUGE = 10
    NONE = None


class Name(enum.Enum):
    A = "a"
    B = "b"


@dataclasses.dataclass
class Stop:
    city: str
    nights: int = 1
    tags: list[str] = dataclasses.field(default_factory=list)


class Point(NamedTuple):
    x: int
    y: float = 0.0


class User(TypedDict):
    name: str
    age: NotRequired[int]


class Node(BaseModel):
    value: int
    after: Optional["Node"] = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=1, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Validated(BaseModel):
    even: int

    @pydantic.field_validator("even")
    @classmethod
    def check(cls, value):
        if value % 2:
            raise ValueError("odd")
        return value


UUID_4 = "123e4567-e89b-42d3-a456-126614174000"
Money = Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2, gt=0)]
Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
TYPES = [
    *(int, float, str, bool, None, Any, bytes, list, dict, tuple),
    *(Size, Stop, Point, User, Node, Open, Pet, list[Pet]),
    *(Literal["a", 1, True], int | str | None, tuple[int, str], tuple[int, ...]),
    *(list[Stop], dict[str, Point], dict[Literal["a", "b"], int], dict[Name, int], Sequence[int]),
    *(dt.datetime, dt.date, dt.time, dt.timedelta),
    *(uuid.UUID, pydantic.UUID4, decimal.Decimal, Money, pydantic.HttpUrl, pydantic.SecretStr),
    *(ipaddress.IPv4Address, ipaddress.IPv6Address, pydantic.AwareDatetime),
    Annotated[int, Field(gt=-7, le=1000, multiple_of=7)],
    Annotated[float, Field(gt=0.1, lt=0.2)],
    Annotated[float, Field(ge=-3, multiple_of=0.25)],
    Annotated[str, Field(min_length=2, max_length=4)],
    Annotated[str, Field(pattern=r"^\w+-\d{2}$")],
    Annotated[list[bool], Field(min_length=1, max_length=3)],
]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.filterwarnings("error")
def test_everything_written_is_read(kind):
    found, adapter, rng = (
        Texts(lower(schema_of(kind)).language),
        pydantic.TypeAdapter(kind),
        random.Random(1),
    )
    for _ in range(40):
        adapter.validate_json(found.draw(rng, 40))


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Stop, '{"city": "a"}', '{"city": "a", "more": 1}'),
        (User, '{"name": "a"}', '{"name": "a", "more": 1}'),
        (Open, '{"a": 1, "more": []}', '{"more": []}'),
        (Point, "[1]", "[1, 2, 3]"),
        (Pet, '{"kind": "cat", "lives": 9}', '{"kind": "dog", "lives": 9}'),
        (Money, "999.99", "1000"),
        (Money, "0.01", "0.001"),
        (dict[Name, int], '{"a": 1}', '{"c": 1}'),
        (dt.timedelta, '"P3DT4H"', '"P3Y"'),
        (
            pydantic.UUID4,
            '"123e4567-e89b-42d3-a456-426614174000"',
            '"123e4567-e89b-12d3-a456-426614174000"',
        ),
        (re.Pattern, '"^[a-z]$"', '"["'),
        (set[int], "[1, 2]", "[1, 1]"),
        (set[tuple[int, ...]], "[[1, 2], [1]]", "[[1], [1]]"),
        (str, '"a"', "a"),
    ],
    ids=str,
)
def test_texts(kind, good, bad):
    found = Texts(lower(schema_of(kind)).language)
    assert good in found
    assert bad not in found


REFUSED = [
    *(complex, Callable[[int], int], type, object(), pydantic.Json[int]),
    *(dict[int, str], dict[dt.date, int], pydantic.Base64Str, int | Callable[[], int]),
    *(pydantic.NaiveDatetime, pydantic.PastDate, pydantic.FilePath),
    Annotated[dt.date, Field(ge=dt.date(2024, 1, 1))],
    Annotated[decimal.Decimal, Field(max_digits=5)],
    Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)],
    enum.Enum("Pair", {"A": (1, 2)}),
]


@pytest.mark.parametrize("kind", REFUSED, ids=range(len(REFUSED)))
def test_refused_with_a_reason(kind):
    with pytest.raises(TercetError) as caught:
        lower(schema_of(kind))
    assert caught.value.at
    assert caught.value.why


def test_an_undefined_name_is_an_error():
    with pytest.raises(GrammarError):
        schema_of(list["Missing"])  # noqa: F821
