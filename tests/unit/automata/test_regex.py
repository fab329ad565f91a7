"""The smart constructors keep languages and simplify them."""

from __future__ import annotations

import pytest

from tercet import GrammarError
from tercet.automata.chardfa import compile_regex
from tercet.automata.charset import CharSet
from tercet.automata.regex import (
    ANY_TEXT,
    EMPTY,
    NEVER,
    And,
    Concat,
    Not,
    Regex,
    Repeat,
    Union,
    both,
    chars,
    concat,
    negate,
    optional,
    postorder,
    repeat,
    text,
    union,
)

A, B = text("a"), text("b")


def test_chars_are_spelled_as_in_a_class() -> None:
    assert chars("a-c_-").charset is CharSet.of("abc_-")
    assert chars("-a").charset is CharSet.of("-a")
    assert chars("") is NEVER
    with pytest.raises(GrammarError):
        chars("z-a")


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (concat(), EMPTY),
        (concat(A, NEVER, B), NEVER),
        (concat(A, concat(B, A)), text("aba")),
        (union(), NEVER),
        (union(A, NEVER), A),
        (union(text("ab"), text("ab")), text("ab")),
        (repeat(A, 1, 1), A),
        (repeat(A, 0, 0), EMPTY),
        (repeat(NEVER), EMPTY),
        (repeat(NEVER, 1), NEVER),
        (repeat(EMPTY, 5, 9), EMPTY),
        (repeat(repeat(A, 1)), repeat(A)),
        (repeat(repeat(A, 1), 1, 7), repeat(A, 1)),
        (repeat(optional(A)), repeat(A)),
        (optional(repeat(A)), repeat(A)),
        (both(), ANY_TEXT),
        (both(A, ANY_TEXT), A),
        (both(A, NEVER), NEVER),
        (negate(NEVER), ANY_TEXT),
        (negate(negate(A)), A),
    ],
)
def test_simplified(built: Regex, expected: Regex) -> None:
    assert built is expected


RAW = [
    Repeat(Repeat(A, 1, None), 2, 3),
    Repeat(Repeat(A, 2, None), 0, 3),
    Repeat(Repeat(A, 0, 2), 2, 2),
    Repeat(Union((A, EMPTY)), 3, None),
    Union((Concat((A, B)), Union((A, B)), Concat((A, B)))),
    And((Repeat(A, 0, None), Not(A))),
]


@pytest.mark.parametrize("raw", RAW, ids=repr)
def test_same_language_as_the_plain_node(raw: Regex) -> None:
    match raw:
        case Repeat(body=body, min=low, max=high):
            built = repeat(body, low, high)
        case Union(options=options):
            built = union(*options)
        case And(parts=parts):
            built = both(*parts)
    assert compile_regex(built) == compile_regex(raw)


def test_impossible_repeat() -> None:
    with pytest.raises(GrammarError, match="at least 3 and at most 2"):
        repeat(A, 3, 2)


def test_postorder_of_a_deep_tree() -> None:
    deep = A
    for _ in range(50_000):
        deep = Not(deep)
    order = postorder(deep)
    assert order[0] is A
    assert len(order) == 50_001
