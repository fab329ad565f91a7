"""What a type checker says about the public surface; each comment is what it has to reveal.

Checked by `test_inferred.py`, never run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple, TypedDict

import tercet
from tercet import Grammar, Model, Vocabulary
from tercet.testing import scripted


@dataclass
class Person:
    name: str
    age: int


class Colour(Enum):
    RED = "red"


class Point(NamedTuple):
    x: int


class Options(TypedDict):
    verbose: bool


def values(model: Model) -> None:
    reveal_type(tercet.load("smollm2"))  # Model
    reveal_type(scripted("x"))  # Model

    reveal_type(model("?", int))  # int
    reveal_type(model("?", Person))  # Person
    reveal_type(model("?", list[Person]))  # list[Person]
    reveal_type(model("?", Person | None))  # Person | None
    reveal_type(model("?", int | str))  # int | str
    reveal_type(model("?", Literal["good", "bad"]))  # Literal['good'] | Literal['bad']
    reveal_type(model("?", dict[str, list[int]]))  # dict[str, list[int]]
    reveal_type(model("?", Colour))  # Colour
    reveal_type(model("?", Point))  # tuple[int, fallback=Point]
    reveal_type(model("?", Options))  # TypedDict(Options, {'verbose': bool})
    reveal_type(model("?", Grammar.regex("a+")))  # str
    reveal_type(model("?", Grammar.choice([1, 2])))  # int
    reveal_type(model("?", Grammar.lark('start: "a"')))  # str
    reveal_type(model("?", Grammar.gbnf('root ::= "a"')))  # str
    reveal_type(model("?", Grammar.json({})))  # Any


def all_that_comes_back(model: Model) -> None:
    reveal_type(model.batch(["?"], int))  # list[int]
    reveal_type(model.samples("?", int, 2))  # list[int]
    reveal_type(model.complete("?", Person).value)  # Person
    reveal_type(model.complete("?", Person).text)  # str
    reveal_type(model.stream("?", Person).result())  # Person
    reveal_type([snapshot.text for snapshot in model.stream("?", int)])  # list[str]


def grammars(vocabulary: Vocabulary) -> None:
    grammar = Grammar.of(Person)
    reveal_type(grammar)  # Grammar[Person]
    reveal_type(grammar.parse("{}"))  # Person
    reveal_type(tercet.compile(Person | None, vocabulary))  # Constraint[Person | None]
    reveal_type(tercet.compile(grammar, vocabulary))  # Constraint[Person]
    matcher = tercet.compile(grammar, vocabulary).matcher()
    reveal_type(matcher.forced())  # list[int]
    reveal_type(matcher.accepts([1]))  # int
    reveal_type(matcher.mask_path([1], None))  # int
    reveal_type(matcher.mask_tree([1], [-1], None))  # list[bool]
    reveal_type(tercet.Batch([matcher]).fill_bitmask(None))  # None
    reveal_type(tercet.check({}).exact)  # bool
    reveal_type(tercet.RowTable(8, device="cpu").uploads)  # int
    reveal_type(tercet.apply_bitmask([], [], rows=[0]))  # None


def combinations() -> None:
    text, number = Grammar.regex("a+"), Grammar.choice([1, 2])
    reveal_type(text + number)  # Grammar[str]
    reveal_type("<" + number)  # Grammar[str]
    reveal_type(number | Grammar.of(bool))  # Grammar[int | bool]
    reveal_type(number | "none")  # Grammar[int | str]
    reveal_type(number & text)  # Grammar[int]
    reveal_type(~number)  # Grammar[str]
    reveal_type(text >> number)  # Grammar[int]
    reveal_type(number.repeat(1, 3, sep=","))  # Grammar[list[int]]
    reveal_type(number.map(float))  # Grammar[float]
    reveal_type(number.parse("1"))  # int
    reveal_type(number.infill("1", "2"))  # Grammar[int]
    reveal_type(number.draw())  # str
    reveal_type(Grammar.text(until="!") >> number)  # Grammar[int]
    reveal_type(Grammar.substring("a b", unit="char"))  # Grammar[str]
    reveal_type(Grammar.ltlf("F a", ["a"]))  # Grammar[list[str]]


async def later(model: Model) -> None:
    reveal_type(await model.aio("?", Person))  # Person
    reveal_type(await model.aio.batch(["?"], int))  # list[int]


def mistakes(model: Model) -> None:
    model("?", int, max_token=3)  # error: call-overload
    model("?")  # error: call-overload
    Grammar.regex(3)  # error: arg-type
    Grammar.regex("a") + 3  # error: operator
    Grammar.substring("a", unit="letter")  # error: arg-type
