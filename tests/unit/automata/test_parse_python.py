"""Patterns in Python's syntax mean what `re.fullmatch` takes them for."""

from __future__ import annotations

import re
import sys
import warnings
from random import Random

import pytest

from tercet import GrammarError
from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.parse import parse
from tests.unit.automata.patterns import ANCHORS, ATOMS, pattern, some_texts, soup

EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))


def by_re(source: str) -> re.Pattern[str] | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            return re.compile(source)
    except (re.error, OverflowError):
        return None


def check(source: str, texts: list[str]) -> None:
    expected = by_re(source)
    try:
        dfa = compile_regex(parse(source))
    except GrammarError as error:
        unsupported = "not supported" in error.message
        if expected is not None and not unsupported:
            pytest.fail(f"{source!r} is not an error")
        return
    assert expected is not None, f"{source!r} is an error"
    for text in texts:
        assert dfa.accepts(text) == bool(expected.fullmatch(text)), (source, text)


@pytest.mark.parametrize("seed", range(40))
def test_random_patterns(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        check(pattern(rng, rng.randint(1, 4), ATOMS + ANCHORS), some_texts(rng))


@pytest.mark.parametrize("seed", range(20))
def test_random_characters(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        check(soup(rng), some_texts(rng)[:30])
        check(f"[{soup(rng)}]", some_texts(rng)[:30])


@pytest.mark.parametrize(
    "source",
    [
        *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", "(?s).", r"[^\W\d_]", r"[\s\S]"),
        *(r"(?a)\d", r"(?a)\w", r"(?a:\s)", r"[^\x00-\U0010fffe]", r"\N{EM DASH}", r"[\101\0]"),
        *("(?i)k", "(?i)ß", "(?i)ſ", "(?i)İ", "(?i)ı", "(?i)[à-þ]", "(?i)[^a-z]", "(?ai)[k-s]"),
        *("(?i)\U00010400", "(?i)[\U00010400-\U00010410]", "(?i)[α-ω]", "(?i)µ", "(?i)ﬅ"),
    ],
)
def test_every_character(source: str) -> None:
    found = CharSet((m.start(), m.start()) for m in re.finditer(source, EVERYTHING))
    assert parse(source).charset is found


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (r"(a)\1", "a backreference"),
        ("(?P<x>a)(?P=x)", "a backreference"),
        ("a++", "a possessive quantifier"),
        ("(?>a)", "an atomic group"),
        ("(a)(?(1)b|c)", "a conditional group"),
        (r"(?s)(?:(?<=a.{20})b|.)*", "lookaround of this size"),
    ],
)
def test_refused(source: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as caught:
        parse(source)
    assert caught.value.why
    assert caught.value.hint
    assert caught.value.at.startswith("line 1, column ")


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("a)", "line 1, column 2"),
        ("(a", "line 1, column 1"),
        ("(?x)\na **", "line 2, column 4"),
        ("[b-a]", "line 1, column 2"),
        ("a|*", "line 1, column 3"),
        ("[a", "line 1, column 1"),
        ("a{3,2}", "line 1, column 2"),
        (r"\q", "line 1, column 1"),
        ("(?P<x>a)(?P<x>b)", "line 1, column 9"),
        ("a(?i)b", "line 1, column 2"),
        ("\\", "line 1, column 1"),
    ],
)
def test_errors_say_where(source: str, at: str) -> None:
    assert by_re(source) is None
    with pytest.raises(GrammarError) as caught:
        parse(source)
    assert caught.value.at == at


def test_doubtful_case_is_refused() -> None:
    with pytest.raises(GrammarError, match="ignore case"):
        parse("(?i)[\U00010400a]")
