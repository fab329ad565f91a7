"""Lazy repeats as `re.match` ends them, on every short text."""

from __future__ import annotations

import itertools
import re

import pytest

from tercet.automata.chardfa import compile_regex
from tercet.automata.parse import parse

PATTERNS = {
    r'".*?"': '"a\\',
    r'".*?(?<!\\)(\\\\)*?"': '"a\\',
    r'".+?"': '"a',
    r'"[^"]{1,3}?"?': '"a',
    r"/\*(.|\n)*?\*/": "/*\n",
    r"(?s:'''.*?(?<!\\)(\\\\)*?''')": "'a\\",
    r"a+?b": "ab",
    r"a+?b?": "ab",
    r"a??b": "ab",
    r"a{1,3}?b?": "ab",
    r"(?:ab?)+?b": "ab",
    r"(?:a.*?b)*c": "abc",
    r"(?:a.*?b|c)+?a": "abc",
    r"a*?": "a",
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_ends_where_a_match_ends(pattern: str) -> None:
    automaton = compile_regex(parse(pattern, as_match_ends=True))
    for length in range(8):
        for letters in itertools.product(PATTERNS[pattern], repeat=length):
            text = "".join(letters)
            match = re.match(pattern, text)
            assert automaton.accepts(text) == bool(match and match.end() == length), text


def test_the_language_is_the_same_otherwise() -> None:
    assert parse(r'".*?"') is parse(r'".*"')
