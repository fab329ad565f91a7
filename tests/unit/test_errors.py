"""The rendering of errors: place, excerpt with carets, reason, way out."""

from __future__ import annotations

import copy
import pickle
from textwrap import dedent

import pytest

from tercet.errors import (
    GrammarError,
    OutputTruncatedError,
    TercetError,
    TokenRejectedError,
    UnsatisfiableError,
    UnsupportedSchemaError,
    excerpt_at,
)


def test_full_message() -> None:
    error = UnsupportedSchemaError(
        'cannot enforce "uniqueItems" exactly',
        pointer="/properties/tags/uniqueItems",
        keyword="uniqueItems",
        excerpt='"tags": {"type": "array", "uniqueItems": true}',
        span=(26, 45),
        why="unbounded strings cannot be told apart by any context-free grammar",
        hint='give "items" an "enum" and the array a "maxItems", or\nname it in lax',
    )
    assert str(error) == dedent("""\
        cannot enforce "uniqueItems" exactly
           at  /properties/tags/uniqueItems
               "tags": {"type": "array", "uniqueItems": true}
                                         ^^^^^^^^^^^^^^^^^^^
          why  unbounded strings cannot be told apart by any context-free grammar
          try  give "items" an "enum" and the array a "maxItems", or
               name it in lax""")


def test_message_alone_is_one_line() -> None:
    assert str(TercetError("no such file")) == "no such file"


def test_place_comes_from_the_pointer() -> None:
    assert "at  #" in str(UnsupportedSchemaError("m", pointer="", keyword="not"))
    assert "at  /a/b" in str(UnsatisfiableError("m", pointer="/a/b"))
    assert str(UnsatisfiableError("m")) == "m"
    assert "at  /a:  3 > 1" in str(UnsatisfiableError("m", pointer="/a", at="/a:  3 > 1"))


def test_caret_stands_under_wide_and_control_characters() -> None:
    lines = str(GrammarError("m", excerpt="日本\tx(", span=(4, 5))).split("\n")
    assert lines[1] == "       日本␉x("
    assert lines[2] == " " * 7 + " " * 6 + "^"


def test_caret_stands_under_combining_characters() -> None:
    lines = str(GrammarError("m", excerpt="e\u0301(", span=(2, 3))).split("\n")
    assert lines[2] == " " * 7 + " ^"


def test_long_excerpt_is_a_window_around_the_span() -> None:
    error = GrammarError("m", excerpt="a" * 5000 + "BAD" + "c" * 5000, span=(5000, 5003))
    _, text, carets = str(error).split("\n")
    assert len(text) < 110
    assert text[carets.index("^") : carets.rindex("^") + 1] == "BAD"


def test_long_span_stays_in_the_window() -> None:
    _, text, carets = str(GrammarError("m", excerpt="x" * 500, span=(200, 480))).split("\n")
    assert len(carets) <= len(text)


def test_only_the_lines_of_the_span_are_shown() -> None:
    error = GrammarError("m", excerpt="first\nsec(nd\nthird", span=(9, 10))
    assert str(error).split("\n")[1:] == ["       sec(nd", "          ^"]


@pytest.mark.parametrize("span", [(5, 5), (5, 6), (0, 0)])
def test_empty_span_and_end_of_text_get_one_caret(span: tuple[int, int]) -> None:
    carets = str(GrammarError("m", excerpt="a(b|c", span=span)).split("\n")[2]
    assert carets == " " * (7 + span[0]) + "^"


@pytest.mark.parametrize(
    "error",
    [
        TercetError("m", at="here", why="because", hint="that"),
        UnsupportedSchemaError("m", pointer="/a", keyword="k"),
        UnsatisfiableError("m", pointer=""),
        TokenRejectedError("m", token=7),
        OutputTruncatedError("m", partial={"a": 1}),
    ],
)
def test_errors_survive_pickle_and_copy(error: TercetError) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert vars(twin) == vars(error)


def test_all_are_direct_subclasses_shown_by_their_public_name() -> None:
    for kind in (
        GrammarError,
        UnsupportedSchemaError,
        UnsatisfiableError,
        TokenRejectedError,
        OutputTruncatedError,
    ):
        assert kind.__bases__ == (TercetError,)
        assert kind.__module__ == "tercet"


def _marked(document: object, pointer: str) -> str:
    text, (start, stop) = excerpt_at(document, pointer)
    return text[start:stop]


def test_excerpt_marks_the_member() -> None:
    schema = {"properties": {"tags": {"type": "array", "uniqueItems": True}}}
    assert _marked(schema, "/properties/tags/uniqueItems") == '"uniqueItems": true'
    assert excerpt_at(schema, "/properties/tags/type")[0].startswith('"tags": {"type"')
    assert _marked({"a/b~c": 1}, "/a~1b~0c") == '"a/b~c": 1'
    assert _marked({"anyOf": [{"type": "x"}, 3]}, "/anyOf/1") == "3"
    assert _marked({"a": 1}, "") == '{"a": 1}'
    assert _marked({"a": {"b": 1}}, "/a/nowhere/else") == '"a": {"b": 1}'


def test_excerpt_of_a_deep_or_large_document_is_short() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = {"items": deep}
    assert len(excerpt_at(deep, "/items")[0]) < 200
    assert len(excerpt_at({"enum": ["x" * 10_000] * 10_000}, "/enum")[0]) < 200
