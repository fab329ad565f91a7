"""One cut of all texts, decided on automata, against the walk that any number of cuts takes."""

from __future__ import annotations

import pytest

from tercet.automata.combination import parts, walked_parts
from tercet.automata.parse import parse
from tercet.automata.regex import ANY_TEXT, EMPTY, NEVER

PATTERNS = ["a", "a|bc", "a*", ".*", "a.*", "x-", "[a-z]{3,9}", "ab*c", "a*|b", ".{0,5}", "^$|^a+$"]
FLAGGED = ["(?s).*", "(?s)a.*", "(?s).{0,5}", "(?s).{3,}", "(?s).*a.{2}", "(?s).+"]
CUTS = [NEVER, EMPTY, *(parse(pattern, "ecma") for pattern in PATTERNS)]
CUTS += map(parse, PATTERNS + FLAGGED)


@pytest.mark.parametrize("number", range(len(CUTS)))
def test_one_cut(number: int) -> None:
    assert parts(ANY_TEXT, [CUTS[number]]) == walked_parts(ANY_TEXT, [CUTS[number]])
