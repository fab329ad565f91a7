"""Patterns as IR: the language is `re`'s, and large counts are registers."""

import re

import pytest

from tercet.automata.parse import parse
from tercet.errors import GrammarError, UnsatisfiableError
from tercet.frontends.regex import has_text_of_length, lower, node_of
from tercet.frontends.regex_pieces import cut, has_large_count, size
from tercet.grammar.nodes import Repeat, Sequence, Terminal
from tests.unit.frontends.texts import Texts

CUT = {
    "[a-z]{3,500}": ["ab", "abc", "z" * 500, "z" * 501, "abC"],
    "[a-z]{1,100}-[0-9]{100}": ["a-" + "1" * 100, "-" + "1" * 100, "a-" + "1" * 99, "ab"],
    "https://[a-z]{1,90}(/[a-z]{1,90}){0,20}": ["https://a", "https://a/b/c", "https://a/", "http"],
    "([0-9]{2}:){30}x|[a-f]{40,50}": ["12:" * 30 + "x", "12:" * 29 + "x", "a" * 45, "a" * 51],
    "(ab{2,70}c){2,40}": ["abbcabbc", "abbc", "abcabbc", "ab" + "b" * 69 + "cabbc"],
    "[ab]{60}(xy)?": ["a" * 60, "b" * 60 + "xy", "a" * 59, "a" * 60 + "x"],
}


@pytest.mark.parametrize("pattern", CUT)
def test_large_counts_are_cut_out(pattern):
    regex = parse(pattern)
    assert has_large_count(regex)
    pieces = cut(regex, "utf8")
    assert pieces.is_clear
    assert max(size(terminal.regex) for terminal in terminals(pieces.node)) <= 64
    found, judge = Texts(lower(pattern)), re.compile(pattern)
    assert [t in found for t in CUT[pattern]] == [bool(judge.fullmatch(t)) for t in CUT[pattern]]


def terminals(node):
    if isinstance(node, Terminal):
        yield node
    children = (node.body,) if isinstance(node, Repeat) else getattr(node, "parts", ())
    for child in (*children, *getattr(node, "options", ())):
        yield from terminals(child)


@pytest.mark.parametrize("pattern", ["a*[ab]{100}", "[ab]{10,90}[bc]{50}", "(a|aa){30,90}"])
def test_where_a_text_leaves_the_piece_open_one_automaton_stays(pattern):
    assert not cut(parse(pattern), "utf8").is_clear
    assert isinstance(lower(pattern).root, Terminal)


def test_small_patterns_are_one_terminal():
    assert isinstance(lower(r"\d{4}-\d{2}-\d{2}|today").root, Terminal)


def test_length_of_one_run_is_its_count():
    node = node_of(parse("[a-z]{3,500}"), "json", 10, 600)
    assert (node.min_chars, node.max_chars) == (10, 500)
    free = node_of(parse("(ab)*c"), "json", 1, None)
    assert (free.min_chars, free.max_chars) == (0, None)


def test_counts_inside_strings_are_counts_of_characters():
    language = lower('"[^"]{20,300}"')
    assert isinstance(language.root, Sequence)
    assert f'"{"é" * 300}"' in Texts(language)
    assert f'"{"é" * 301}"' not in Texts(language)


@pytest.mark.parametrize(
    ("pattern", "low", "high", "wanted"),
    [
        ("a*", 5, 5, True),
        ("a{3}", 4, None, False),
        ("a{3}", 0, 2, False),
        ("(aa)*", 3, 3, False),
        ("(aa)*", 999_999, 1_000_000, True),
        ("(aa)*", 999_999, 999_999, False),
        ("(aaa)*|(aa)*b", 1_000_001, 1_000_001, True),
        ("a{2}|a{7}", 3, 6, False),
        ("a{2}|a{7}", 3, 7, True),
        ("", 0, 0, True),
    ],
)
def test_lengths(pattern, low, high, wanted):
    assert has_text_of_length(parse(pattern), low, high) is wanted


def test_without_a_text():
    with pytest.raises(UnsatisfiableError):
        lower("a(?!)")


@pytest.mark.parametrize("pattern", ["a(", r"(a)\1", "(a|b)*a(a|b){40}", "(a{1,80}){20}", "a{2,1}"])
def test_refused(pattern):
    with pytest.raises(GrammarError):
        lower(pattern)
