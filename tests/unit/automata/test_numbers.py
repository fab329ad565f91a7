"""Number sets against brute force: `re` for the spelling, `Decimal` for the value."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import pytest

from tercet.automata.chardfa import compile_regex
from tercet.automata.derive import derive
from tercet.automata.numbers import (
    decimal_of,
    integer_between,
    integer_multiple_of,
    number_between,
    number_multiple_of,
    number_spellings,
)
from tercet.automata.regex import NEVER, both, negate, union
from tercet.errors import GrammarError

INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})")
LONG_INTEGER = re.compile(r"-?[1-9][0-9]{20,400}")  # where a bound is as long
POINTED = re.compile(r"-?(0|[1-9][0-9]{0,19})\.[0-9]{1,20}")
SCIENTIFIC = re.compile(r"-?[1-9](\.[0-9]{1,16})?e([+-])([1-9]?[0-9]{2})")


def is_plain(text: str) -> bool:
    """Whether a text is spelled as `json.dumps` may spell a float or an int."""
    exponent = SCIENTIFIC.fullmatch(text)
    if exponent is None:
        return bool(INTEGER.fullmatch(text) or POINTED.fullmatch(text))
    power = int(exponent[2] + exponent[3])
    return (-324 <= power < -4 or 16 <= power <= 308) and not math.isinf(float(text))


def short_texts(alphabet: str, length: int) -> list[str]:
    return ["".join(t) for n in range(length + 1) for t in itertools.product(alphabet, repeat=n)]


def texts_near(bound: Decimal, rng: random.Random) -> list[str]:
    """Spellings of a bound and of its neighbours, right and slightly wrong."""
    near = float(bound)
    values = [near, math.nextafter(near, 9e999), math.nextafter(near, -9e999), near + 1, near * 10]
    texts = [json.dumps(value) for value in values if math.isfinite(value)]
    texts += [str(int(bound) + step) for step in (-1, 0, 1)]
    texts += [format(Decimal(text), "f") for text in texts]
    for text in list(texts):
        place = rng.randrange(len(text))
        texts += [text + "0", text + "1", text[:place] + rng.choice("0123456789") + text[place:]]
    return texts


def is_float_text(text: str) -> bool:
    return not text.lstrip("-").isdigit()


def digit_count(text: str) -> int:
    return len(Decimal(text).normalize().as_tuple().digits)


BOUNDS = [
    "0", "1", "-1", "5", "10", "99", "100", "-17", "0.1", "0.3", "-0.25", "3.5", "1.1", "0.0167",
    "99999999999.99", "-459.67", "1e-05", "1e-9", "2.5e-7", "9007199254740993", "1e16", "2e+16",
    "9223372036854775807", "-9223372036854775808", "1.79769e+308", "5e-324", "1e+308",
    "12345678901234567890123", "0.00012345678901234567",
]  # fmt: skip


SPANS = [(-13, 27), (0, 0), (7, 5), (-105, -98), (None, 12), (95, None), (1, 1000)]


@pytest.mark.parametrize(("low", "high"), SPANS)
def test_short_integers_by_value(low: int | None, high: int | None) -> None:
    accepts = compile_regex(integer_between(low, high)).accepts
    for text in short_texts("-0157", 5):
        inside = INTEGER.fullmatch(text) is not None
        inside = (
            inside and (low is None or low <= int(text)) and (high is None or int(text) <= high)
        )
        assert accepts(text) == inside, text


def test_integers_near_large_bounds() -> None:
    for low, high in itertools.combinations(sorted(int(Decimal(bound)) for bound in BOUNDS), 2):
        accepts = compile_regex(integer_between(low, high)).accepts
        for value in (low - 1, low, low + 1, (low + high) // 2, high - 1, high, high + 1):
            assert accepts(str(value)) == (low <= value <= high), value


DECIMALS = [("0", "1"), ("-0.5", "0.25"), ("1.05", "11.5"), ("0.1", "0.1"), ("-20", "-1.5")]


@pytest.mark.parametrize(("low", "high"), DECIMALS)
@pytest.mark.parametrize("opens", list(itertools.product([False, True], repeat=2)))
def test_short_numbers_by_value(low: str, high: str, opens: tuple[bool, bool]) -> None:
    accepts = compile_regex(number_between(Decimal(low), Decimal(high), *opens)).accepts
    below = Decimal.__lt__ if opens[0] else Decimal.__le__
    above = Decimal.__lt__ if opens[1] else Decimal.__le__
    for text in short_texts("-.015", 6):
        inside = is_plain(text)
        inside = (
            inside and below(Decimal(low), Decimal(text)) and above(Decimal(text), Decimal(high))
        )
        assert accepts(text) == inside, text


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("side", [-1, 1])
def test_numbers_near_a_bound(bound: str, is_open: bool, side: int) -> None:
    """Members are accepted as `json.dumps` writes them; whatever is accepted is a member."""
    limit = Decimal(bound)
    ends = (limit, None, is_open, False) if side > 0 else (None, limit, False, is_open)
    accepts = compile_regex(number_between(*ends)).accepts
    for text in texts_near(limit, random.Random(bound)):
        if not is_plain(text):
            assert not accepts(text) or LONG_INTEGER.fullmatch(text), text
            continue
        order = (Decimal(text) > limit) - (Decimal(text) < limit)
        inside = order == side or (order == 0 and not is_open)
        if is_float_text(text):
            safe = inside and is_float_inside(text, bound, side, is_open=is_open)
            # more than json.dumps would write: 4.99999999999999999 is 5.0 to a program
            extra = Decimal(json.dumps(float(text))) != Decimal(text) and digit_count(text) > 15
            assert accepts(text) == safe or (safe and extra), text
        else:
            assert accepts(text) == inside, text


def is_float_inside(text: str, bound: str, side: int, *, is_open: bool) -> bool:
    """What a validator says that reads numbers as Python does."""
    limit = json.loads(bound)
    value = float(text)
    return (value > limit if side > 0 else value < limit) or (value == limit and not is_open)


def random_float(rng: random.Random) -> float:
    wide = rng.uniform(-1, 1) * 10 ** rng.randint(-320, 307)
    even = rng.randint(-(10**6), 10**6) / rng.choice([1, 10, 100, 1000])
    return rng.choice([wide, even, rng.uniform(-100, 100), float(rng.randint(-(10**18), 10**18))])


def test_every_float_is_a_number_as_json_dumps_writes_it() -> None:
    rng = random.Random(1)
    accepts = compile_regex(number_between()).accepts
    for value in [
        0.0,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        *(random_float(rng) for _ in range(3000)),
    ]:
        assert accepts(json.dumps(value)), value


def test_random_floats_fall_on_the_right_side_of_random_bounds() -> None:
    rng = random.Random(2)
    for _ in range(60):
        low, high = sorted([random_float(rng), random_float(rng)])
        accepts = compile_regex(number_between(low, high, True, False)).accepts
        for value in [low, high, (low + high) / 2, *(random_float(rng) for _ in range(50))]:
            assert accepts(json.dumps(value)) == (low < value <= high), (value, low, high)


NOT_PLAIN = [
    "01", "-", "", "1.", ".5", "+1", "1e5", "1e+05", "1e16", "1E+16", "10e+16", "0e+16", "1e-04",
    "1e+309", "1e-325", "4e-324", "-e", "1.5e", "1.e+16", "NaN", "1 ", "1" * 21, "1." + "3" * 21,
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_not_plain(text: str) -> None:
    assert not compile_regex(number_between()).accepts(text)


@pytest.mark.parametrize(
    "divisor", [1, 2, 3, 7, 10, 16, 20, 25, 60, 1000, 2.5, 0.5, Decimal("13.5")]
)
@pytest.mark.parametrize(("low", "high"), [(None, None), (-200, 150), (10, 5000), (-3, 3)])
def test_integer_multiples(divisor: float | Decimal, low: int | None, high: int | None) -> None:
    accepts = compile_regex(integer_multiple_of(divisor, low, high)).accepts
    unit = Fraction(str(divisor))
    for value in [*range(-2500, 6000), 10**19, 10**19 + 50, 7 * 10**18 + 8]:
        inside = (low is None or low <= value) and (high is None or value <= high)
        assert accepts(str(value)) == (inside and (value / unit).denominator == 1), value


@pytest.mark.parametrize(
    "divisor", ["0.01", "0.25", "0.1", "1", "3", "0.7", "2.5", "1.05", "20", "100"]
)
@pytest.mark.parametrize("spans", [(None, None), ("-1.5", "11"), ("0.02", None)])
def test_short_number_multiples(divisor: str, spans: tuple[str | None, str | None]) -> None:
    low, high = (None if end is None else Decimal(end) for end in spans)
    accepts = compile_regex(number_multiple_of(Decimal(divisor), low, high)).accepts
    for text in short_texts("-.025", 5):
        inside = is_plain(text) and fraction_length(text) <= max(fraction_length(divisor), 1)
        inside = inside and (Fraction(text) / Fraction(divisor)).denominator == 1
        inside = inside and (low is None or low <= Decimal(text))
        assert accepts(text) == (inside and (high is None or Decimal(text) <= high)), text


def fraction_length(text: str) -> int:
    return len(text.partition(".")[2])


@pytest.mark.parametrize(
    "divisor", ["1e-05", "1.5e-7", "0.00032", "7", "64", "300", "0.001", "2.5", "1e-300", "1e20"]
)
def test_multiples_with_an_exponent(divisor: str) -> None:
    rng = random.Random(divisor)
    unit = Fraction(divisor)
    accepts = compile_regex(number_multiple_of(Decimal(divisor))).accepts
    for _ in range(300):
        factor = rng.choice([rng.randint(1, 999), rng.randint(1, 10**9) * 10 ** rng.randint(0, 30)])
        for value in (float(unit * factor), rng.randint(1, 99999) * 10.0 ** rng.randint(-12, 30)):
            text = json.dumps(value)
            is_multiple = (Fraction(text) / unit).denominator == 1
            assert accepts(text) == is_multiple, text


def test_large_divisors_are_listed_within_bounds() -> None:
    found = compile_regex(integer_multiple_of(123456789, -200_000_000, 500_000_000))
    assert sorted(map(int, found.words(99))) == [n * 123456789 for n in (-1, 0, 0, 1, 2, 3, 4)]
    accepts = compile_regex(number_multiple_of(Decimal("0.123456789"), 0, 1, lo_open=True)).accepts
    assert [t for t in ("0", "0.0", "0.123456789", "0.24", "0.987654312") if accepts(t)] == [
        "0.123456789",
        "0.987654312",
    ]


@pytest.mark.parametrize("divisor", [0, -2, math.nan, math.inf, 123456789, Decimal("0.123456789")])
def test_impossible_divisors(divisor: float | Decimal) -> None:
    with pytest.raises(GrammarError):
        number_multiple_of(divisor)


@pytest.mark.parametrize(
    "bound", [math.nan, -math.inf, 10**1000, Decimal("1e1001"), Decimal("1e-1001"), Decimal("sNaN")]
)
def test_impossible_bounds(bound: float | Decimal) -> None:
    with pytest.raises((GrammarError, TypeError)):
        number_between(bound)


def test_empty_sets_are_never() -> None:
    assert integer_between(2, 1) is NEVER
    assert number_between(1, 1, True) is NEVER
    assert integer_multiple_of(10, 11, 19) is NEVER
    assert number_multiple_of(0.5, 0.6, 0.9) is NEVER


def test_bounds_of_every_type_agree() -> None:
    assert number_between(0.5, 2) is number_between(Decimal("0.50"), Decimal("2.0"))
    assert decimal_of(0.1) == Decimal("0.1")


def test_great_bounds_cost_little() -> None:
    assert len(compile_regex(integer_between(-(10**308), 10**308)).rows) < 2000
    assert len(compile_regex(number_between(-1e308, 1e308)).rows) < 300


def test_derivatives_agree_with_the_automaton() -> None:
    regex = both(
        union(number_between(0, 100), integer_multiple_of(7)), negate(integer_between(3, 5))
    )
    dfa = compile_regex(regex)
    for text in [*short_texts("-.0147", 4), "1e-05", "1e+16", "4.9e-07"]:
        assert reduce(derive, map(ord, text), regex).nullable == dfa.accepts(text), text


def test_the_members_of_a_union_are_those_of_its_parts() -> None:
    whole, parts = integer_between(-30, 90), (integer_between(-30, 11), integer_between(12, 90))
    assert compile_regex(union(*parts)) == compile_regex(whole)
    assert compile_regex(both(*parts)) == compile_regex(NEVER)


def test_the_spellings_of_one_number() -> None:
    assert number_spellings(-3) == (b"-3",)
    assert number_spellings(1e16) == (b"10000000000000000", b"1e+16")
    assert number_spellings(1e30) == (b"1e+30",)
    assert number_spellings(Decimal("2.50")) == (b"2.5",)
    assert number_spellings(Decimal("0.1234567890123456789012345")) == (
        b"0.1234567890123456789012345",
    )
    assert number_spellings(Decimal("-1.20E-7")) == (b"-1.2e-07",)


def test_floats_are_spelled_as_json_dumps_does() -> None:
    rng = random.Random(3)
    accepts = compile_regex(number_between()).accepts
    for value in (random_float(rng) for _ in range(1000)):
        spelled = [text.decode() for text in number_spellings(value)]
        assert json.dumps(value) in spelled
        assert all(Decimal(text) == decimal_of(value) and accepts(text) for text in spelled)
