"""The types that `python = "..."` cases name."""

import enum
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    Union,
)
from uuid import UUID

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

__all__ = [
    "UUID",
    "Annotated",
    "Any",
    "Color",
    "Decimal",
    "Field",
    "Level",
    "Literal",
    "Optional",
    "Person",
    "Point",
    "Stop",
    "Tree",
    "Union",
    "User",
    "date",
    "datetime",
    "time",
]


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


@dataclass
class Stop:
    city: str
    nights: int = 1


@dataclass
class Tree:
    value: int
    children: "list[Tree]" = field(default_factory=list)


class Point(NamedTuple):
    x: int
    y: int


class User(TypedDict):
    name: str
    age: NotRequired[int]


class Person(BaseModel):
    name: Annotated[str, Field(max_length=4)]
    age: Annotated[int, Field(ge=0, le=130)]
    tags: list[str] = []
    mood: Literal["good", "bad"] | None = None
