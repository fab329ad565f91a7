"""Patterns in ECMAScript's syntax, which search.

The expectations were checked once against Node 18 with 6,000 random patterns; these are the cases
that tell the dialects apart.
"""

from __future__ import annotations

import re
from random import Random

import pytest

from tercet import GrammarError
from tercet.automata.chardfa import compile_regex
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_TEXT, Repeat, chars, repeat
from tests.unit.automata.patterns import pattern, some_texts

CASES = [
    ("a", ["a", "xax", "\na"], ["", "b"]),
    ("^a", ["a", "ab"], ["ba", "\na"]),
    ("a$", ["a", "ba"], ["a\n", "ab"]),
    ("^a$", ["a"], ["aa", "a\n"]),
    ("^a|b$", ["ax", "xb", "a", "b"], ["xa", "bx", ""]),
    ("^(a|b)$", ["a", "b"], ["ab"]),
    ("(^|,)a(,|$)", ["a", "b,a", "a,b", "x,a,y"], ["ba", "ab"]),
    ("^([a-z]+(,|$))+$", ["a", "a,b", "a,"], ["", ",", "a b"]),
    ("a^b", [], ["ab", "a", "b"]),
    ("", ["", "x"], []),
    ("^$", [""], ["x", "\n"]),
    ("^.$", ["x", "\x85", "😀"], ["\n", "\r", "\u2028", "\u2029"]),
    (r"^\d$", ["7"], ["٣"]),
    (r"^\w$", ["_", "Z"], ["é"]),
    (r"^\s$", ["\ufeff", "\xa0", "\u2028", "\v"], ["\x1c", "\x85", "\u180e"]),
    (r"^\p{L}\p{Nd}$", ["é7"], ["77"]),
    (r"^\P{Lu}$", ["a"], ["A"]),
    (r"^\p{Script_Extensions}?$", None, None),
    (r"^\u{1F600}\ud83d\ude00$", ["😀😀"], []),
    (r"^[\ud83d\ude00-\u{1F601}]$", ["😀", "😁"], ["\U0001f602"]),
    (r"^\ud83d$", [], ["", "😀"]),
    (r"^[]$", [], ["", "]"]),
    (r"^[^]$", ["]", "\n"], [""]),
    (r"^\cJ[\b]\0$", ["\n\b\0"], []),
    (r"^[\w-.]$", ["-", ".", "a"], ["+"]),
    (r"^\-\_\@$", ["-_@"], []),
    ("^{a}]$", ["{a}]"], []),
    (r"^(?<year>\d{4})$", ["2024"], ["024"]),
    (r"a{,2}", None, None),
    (r"\Aa\Z", None, None),
    (r"\01", None, None),
    (r"\u12", None, None),
    ("a*+", None, None),
    ("(?i)a", None, None),
    ("(?i:a)", None, None),
    (r"(a)\1", None, None),
    (r"\k<x>", None, None),
    (r"\p{Script=Greek}", None, None),
]


@pytest.mark.parametrize(("source", "accept", "reject"), CASES, ids=[case[0] for case in CASES])
def test_case(source: str, accept: list[str] | None, reject: list[str] | None) -> None:
    if accept is None or reject is None:
        with pytest.raises(GrammarError) as caught:
            parse(source, "ecma")
        assert caught.value.excerpt == source
        return
    dfa = compile_regex(parse(source, "ecma"))
    assert [text for text in accept if not dfa.accepts(text)] == []
    assert [text for text in reject if dfa.accepts(text)] == []


@pytest.mark.parametrize("seed", range(30))
def test_anchors_anywhere(seed: int) -> None:
    """With the end spelled alike, `re.search` is the judge."""
    rng = Random(seed)
    for _ in range(10):
        source = pattern(rng, rng.randint(1, 4), ["a", "b", "[^a]", "1", r"\n", "^", "$"])
        source = source.replace("{,2}", "{0,2}")
        try:
            dfa = compile_regex(parse(source, "ecma"))
        except GrammarError:
            assert re.search(r"[$^][*+?{]", source)  # nothing to repeat
            continue
        expected = re.compile(source.replace("$", r"\Z"))
        for text in some_texts(rng):
            assert dfa.accepts(text) == bool(expected.search(text)), (source, text)


def test_anchors_leave_no_trace() -> None:
    """The frontends look for plain repeats, to count in registers."""
    assert parse("^[a-z]*$", "ecma") is repeat(chars("a-z"))
    assert parse("^[a-z]{3,500}$", "ecma") is Repeat(chars("a-z"), 3, 500)
    assert parse("^", "ecma") is ANY_TEXT


def test_refusals_are_shown_in_place() -> None:
    with pytest.raises(GrammarError) as caught:
        parse("^(\\d)\\1$", "ecma")
    assert str(caught.value).splitlines()[:4] == [
        "a backreference is not supported",
        "   at  line 1, column 6",
        "       ^(\\d)\\1$",
        "            ^^",
    ]
