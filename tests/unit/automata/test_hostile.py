"""Patterns made to hurt: an answer or a `GrammarError`, soon, and never a RecursionError."""

from __future__ import annotations

import time

import pytest

from tercet import GrammarError
from tercet.automata.bytedfa import lower
from tercet.automata.chardfa import compile_regex
from tercet.automata.parse import MAX_DEPTH, parse
from tercet.automata.regex import Regex, concat, negate, repeat, text, union

SECONDS = 8.0  # of this process, whatever else the machine does; each takes a tenth or so

REFUSED = {
    "deep": "(" * 10_000 + "a" + ")" * 10_000,
    "nested counts": "(a{1000}){1000}",
    "nested counts, small": "(((a{50}){50}){50}){50}",
    "exponential": "(a|b)*a(a|b){30}",
    "optional": "(a?){20000}",
    "optional in a row": "a?" * 15_000,
    "counted counts": "(a{0,100}){0,100}",
    "overlapping counts": "(a{1,50}b?){1,50}",
    "long": "a" * 100_000,
    "digits": "x{99999999999}",
    "count": "x{999999999}",
    "lookahead, many at once": "((?=.{1,500}x).)*",
    "lookahead, exponential": "(?:(?!a.{12}b).)*",
    "lookbehind": "(?:(?<=a.{20})b|.)*",
    "lookahead, nested": "(?:(?=a)" * 100 + ")*" * 100,
    "lookaheads": "".join(f"(?=.*{char}.*{char})" for char in "abcdefghij") + ".*",
}
ACCEPTED = {
    "stars": "((a*)*)*",
    "deep stars": "(" * MAX_DEPTH + "a" + ")*" * MAX_DEPTH,
    "deep anchors": "(" * MAX_DEPTH + "^a" + ")*" * MAX_DEPTH,
    "ambiguous": "(a|aa)*" * 200,
    "dots": ".*" * 2000,
    "commas": "(.*,){30}P",
    "anchors": "(?:^a?|b?)" * 30,
    "repeated anchor": "(?:^a){100}",
    "lookahead in lookahead": "(?=.*" * 80 + "a" + ")" * 80,
    "the same lookahead": "(?=.*a{50})" * 50 + ".*",
    "case": "(?i)" + "[a-z]" * 200,
    "unicode": r"(\w+\s?){1,20}",
}


def to_bytes(source: str, dialect: str) -> None:
    begin = time.process_time()
    try:
        lower(compile_regex(parse(source, dialect)), "json")
    finally:
        assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(GrammarError) as caught:
        to_bytes(REFUSED[name], "python")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    to_bytes(ACCEPTED[name], "python")


def nested(depth: int) -> Regex:
    """As deep as programs can build, whatever patterns allow."""
    regex = text("a")
    for _ in range(depth):
        regex = repeat(union(concat(text("b"), regex), text("c")), 0, 1)
    return regex


def test_deep_trees_need_no_recursion() -> None:
    assert compile_regex(nested(1000)).accepts("bc")
    deep = text("a")
    for _ in range(1001):
        deep = negate(concat(deep, text("")))
    assert not compile_regex(deep).accepts("a")
