"""The algebra of canonical forms, judged by membership."""

import itertools
import random
from fractions import Fraction

import pytest

from tercet.automata.parse import parse
from tercet.frontends.json_schema.arrays import ANY_ARRAY, Arrays
from tercet.frontends.json_schema.forms import ANYTHING, Form, union
from tercet.frontends.json_schema.instances import exact, identity, not_json
from tercet.frontends.json_schema.numbers import ANY_NUMBER, Numbers, as_whole, common_step
from tercet.frontends.json_schema.objects import ANY_OBJECT, Member, Objects
from tercet.frontends.json_schema.place import Place
from tercet.frontends.json_schema.schema import ANY_VALUE, NO_VALUE, Schema, Undecided
from tercet.frontends.json_schema.strings import ANY_STRING, Strings

HALVES = [Fraction(n, 2) for n in range(-12, 13)]


def random_numbers(rng):
    low, high = rng.choice([None, *HALVES]), rng.choice([None, *HALVES])
    step = rng.choice([None, Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)])
    return Numbers(low, rng.random() < 0.5, high, rng.random() < 0.5, step, rng.random() < 0.3)


def members(numbers):
    if numbers.values is not None:
        return [value for value in HALVES if value in numbers.values]
    return [value for value in HALVES if numbers.has(value)]


def test_numbers_meet_as_sets():
    rng = random.Random(1)
    for _ in range(500):
        one, other = random_numbers(rng), random_numbers(rng)
        wanted = [value for value in members(one) if value in members(other)]
        met = one.meet(other)
        assert members(met) == wanted
        if wanted:
            assert not met.why_empty()
        elif met.low is not None and met.high is not None and met.grid is not None:
            assert met.why_empty() or met.grid < Fraction(1, 2)


def test_listed_numbers_meet_as_sets():
    rng = random.Random(2)
    for _ in range(200):
        listed = Numbers(values=tuple(rng.sample(HALVES, 6)))
        other = rng.choice([random_numbers(rng), Numbers(values=tuple(rng.sample(HALVES, 6)))])
        wanted = [value for value in members(listed) if value in members(other)]
        assert members(listed.meet(other)) == members(other.meet(listed)) == wanted


def test_whole_numbers():
    assert as_whole(Numbers(values=(1, Fraction(3, 2), Fraction(4, 2)))).values == (1, 2)
    assert as_whole(ANY_NUMBER).grid == 1
    assert common_step(Fraction(1, 4), Fraction(1, 10)) == Fraction(1, 2)
    assert common_step(None, Fraction(3)) == 3


def test_strings_meet_as_sets():
    words = ["".join(w) for n in range(4) for w in itertools.product("ab", repeat=n)]
    some = [
        ANY_STRING,
        Strings(parse("a*")),
        Strings(parse("(ab)*|b"), 1, 2),
        Strings(low=2),
        Strings(values=("a", "ab", "bbb")),
        Strings(values=("ab", "b")),
    ]
    for one, other in itertools.product(some, repeat=2):
        both = one.meet(other)
        wanted = [w for w in words if in_strings(one, w) and in_strings(other, w)]
        assert [w for w in words if in_strings(both, w)] == wanted
        assert bool(both.why_empty()) == (not wanted)


def in_strings(strings, word):
    return word in strings.values if strings.values is not None else strings.has(word)


def atom(name):
    return frozenset({Schema(Place().at(name))})


def test_arrays_meet_item_by_item():
    a, b, c = map(atom, "abc")
    met = Arrays((a, b), c, 1, 5).meet(Arrays((c,), b, 0, 3))
    assert met == Arrays((a | c, b), c | b, 1, 3)
    assert ANY_ARRAY.meet(met) == met
    assert met.needed() == [a | c]
    assert Arrays((), a, 2).needed() == [a]
    assert Arrays(low=2, high=1).why_empty()


def test_objects_meet_member_by_member():
    a, b, c = map(atom, "abc")
    one = Objects({"x": Member(a, is_required=True), "y": Member(b)}, ANY_VALUE)
    other = Objects({"z": Member(b), "y": Member(c), "w": Member(c, True, False)}, NO_VALUE)
    met = one.meet(other)
    assert list(met.members) == ["x", "z", "y", "w"]
    assert met.member("y") == Member(b | c)
    assert met.member("x").value == a | NO_VALUE
    assert met.other == NO_VALUE
    assert met.why_empty() == 'the member "x" is required, and is not allowed'
    assert ANY_OBJECT.meet(one) is one


def test_a_member_that_is_only_required_takes_the_place_it_is_listed_at():
    required = Objects({"b": Member(ANY_VALUE, True, False), "a": Member(ANY_VALUE, True, False)})
    listed = Objects({"a": Member(ANY_VALUE), "b": Member(ANY_VALUE)})
    assert list(required.meet(listed).members) == ["a", "b"]


def test_forms_meet_kind_by_kind():
    number, text = Form(numbers=(ANY_NUMBER,)), Form(strings=(ANY_STRING,))
    assert not number.meet(text).kinds
    both = union([number, text])
    assert both.kinds == ["number", "string"]
    assert both.meet(ANYTHING) is both
    assert both.meet(number) == number
    assert union([ANYTHING, number]).numbers == (ANY_NUMBER,)


def test_too_many_cases_are_given_up():
    cases = Form(strings=tuple(Strings(low=number) for number in range(20)))
    with pytest.raises(Undecided):
        cases.meet(Form(strings=tuple(Strings(high=number) for number in range(20, 40))))


def test_json_equality():
    assert identity(1) == identity(1.0) != identity(True)
    assert identity([1, {"a": 2.0, "b": None}]) == identity([1.0, {"b": None, "a": 2}])
    assert identity("1") != identity(1)
    assert exact(0.1) == Fraction(1, 10)
    assert isinstance(exact(3), int)
    assert isinstance(exact(3.0), Fraction)


def test_what_is_not_json():
    assert not not_json({"a": [1, None, "é", 2.5]})
    deep = []
    for _ in range(5000):
        deep = [deep]
    for value in (float("nan"), {1: 2}, {3}, "\ud800", [object()], deep):
        assert not_json(value)
